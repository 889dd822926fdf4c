import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import type { Exchange } from '../../test/support/forges/exchanges.ts';
import { readNulls } from './githubNulls.ts';
import { chooseExchanges, type ExchangeChecker } from './exchangeChecker.ts';

/** GitHub's own GraphQL schema. */
const SCHEMA = '@octokit/graphql-schema@15.26.1';
const GRAPHQL = 'graphql@16.11.0';

type Path = readonly (string | number)[];

interface ResolvedField {
  path: { key: string };
  fieldNodes: {
    selectionSet?: { selections: { typeCondition?: { name: { value: string } } }[] };
  }[];
}

interface Graphql {
  buildSchema(text: string, options: { assumeValidSDL: boolean }): object;
  parse(text: string): object;
  validate(schema: object, document: object, rules?: unknown): readonly { message: string }[];
  NoDeprecatedCustomRule: unknown;
  executeSync(args: {
    schema: object;
    document: object;
    variableValues: Record<string, unknown>;
    rootValue: object;
    fieldResolver(source: object, args: object, context: unknown, info: ResolvedField): unknown;
    typeResolver(value: object, context: unknown, info: ResolvedField): string | undefined;
  }): { data?: unknown; errors?: readonly { message: string; path?: Path }[] };
}

interface Answer {
  data?: object | null;
  errors?: { message?: string }[];
}

const parseQuestion = ({
  body,
}: Exchange): { query: string; variables: Record<string, unknown> } => ({
  variables: {},
  ...(JSON.parse(body) as { query: string }),
});

/** The question without what differs by its number of pull requests. */
const describeOperation = (exchange: Exchange): string => {
  const { query } = parseQuestion(exchange);
  const kind = /\b(p0: )?(repository|node)\(/.exec(query);
  return `query ${kind?.[1] ? 'traces' : (kind?.[2] ?? 'other')}${query.includes('fullDatabaseId') || kind?.[1] ? '' : ', older servers'}`;
};

/**
 * Each question is validated whole. An answer is carried out against the schema: every value has to
 * be of its type, and nothing may be there that was not asked for, or missing that was.
 */
function faultsIn(graphql: Graphql, schema: object, exchange: Exchange): string[] {
  const { query, variables } = parseQuestion(exchange);
  const document = graphql.parse(query);
  const invalid = graphql.validate(schema, document).map(({ message }) => message);
  if (invalid.length > 0) return invalid;
  const { data, errors = [] } = JSON.parse(exchange.answer.body ?? '{}') as Answer;
  if (exchange.answer.status >= 400) return [];
  if (!data) return errors.length > 0 ? [] : ['an answer without data and without errors'];
  const result = graphql.executeSync({
    schema,
    document,
    variableValues: variables,
    rootValue: data,
    // An answer has values by the name that the question gave them.
    fieldResolver: (source, _args, _context, { path }) => Object(source)[path.key],
    typeResolver: (value, _context, { fieldNodes }) =>
      Object(value).__typename ??
      fieldNodes[0]?.selectionSet?.selections.find((one) => one.typeCondition)?.typeCondition?.name
        .value,
  });
  const faults = (result.errors ?? []).map(
    ({ message, path }) => `${path?.join('.') ?? 'variables'}: ${message}`,
  );
  const plain = JSON.parse(JSON.stringify(result.data ?? null));
  if (faults.length === 0 && !isDeepStrictEqual(plain, data))
    faults.push('the answer has other members than were asked for');
  return faults;
}

async function checkAll(all: readonly Exchange[], folder: string) {
  const graphql = createRequire(join(folder, 'package.json'))('graphql') as Graphql;
  const file = join(folder, 'node_modules', '@octokit', 'graphql-schema', 'schema.graphql');
  const schema = graphql.buildSchema(readFileSync(file, 'utf8'), {
    // GitHub's file has two fields twice.
    assumeValidSDL: true,
  });
  const exchanges = chooseExchanges(all, describeOperation);
  const failures: string[] = [];
  const operations = new Set<string>();
  const deprecated = new Set<string>();
  for (const exchange of exchanges) {
    const operation = describeOperation(exchange);
    operations.add(operation);
    const why = faultsIn(graphql, schema, exchange);
    if (why.length > 0) failures.push(`${operation}: ${why.join('; ')}`);
    const document = graphql.parse(parseQuestion(exchange).query);
    for (const { message } of graphql.validate(schema, document, [graphql.NoDeprecatedCustomRule]))
      deprecated.add(`${operation}: ${message}`);
  }
  const nulls = await readNulls(graphql, schema, exchanges);
  failures.push(...nulls.failures);
  operations.add(`${nulls.tried} answers with one null where the schema allows it`);
  return {
    operations,
    checked: exchanges.length + nulls.tried,
    failures,
    uncovered: [...deprecated],
  };
}

/** GitHub's GraphQL: one schema for what is asked and for what is answered. */
export const githubGraphql: ExchangeChecker = {
  provider: 'github-graphql',
  packages: [SCHEMA, GRAPHQL],
  tests: ['test/providers/contract/github.test.ts', 'test/providers/github'],
  check: checkAll,
};
