import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Exchange } from '../../test/support/forges/exchanges.ts';
import { chooseExchanges, type ExchangeChecker } from './exchangeChecker.ts';
import { type Graphql, buildLinearSchema } from './linearSchema.ts';

/** Linear's own client, generated from its schema; its types are the schema in another form. */
const SDK = '@linear/sdk@98.0.0';
const GRAPHQL = 'graphql@16.11.0';

/** The root fields of a question: `query searchIssues`. */
function readOperationName({ body }: Exchange): string {
  const { query = '' } = JSON.parse(body) as { query?: string };
  const [, kind = '', field = ''] = /^\s*(query|mutation)[^{]*\{\s*(\w+)/.exec(query) ?? [];
  return `${kind} ${field}`;
}

/**
 * Each question is validated completely: document and variables. In an answer with data, every part
 * that was asked for must exist and have its type; parts that errors name may be null.
 */
async function checkAll(all: readonly Exchange[], folder: string) {
  const modules = join(folder, 'node_modules');
  const graphql = createRequire(join(folder, 'package.json'))('graphql') as Graphql;
  const dist = join(modules, '@linear', 'sdk', 'dist');
  const [types] = readdirSync(dist).filter((name) => /^index-.*\.d\.mts$/.test(name));
  const schema = buildLinearSchema(
    graphql,
    readFileSync(join(dist, types ?? 'index.d.mts'), 'utf8'),
  );
  const exchanges = chooseExchanges(all, readOperationName);
  const failures: string[] = [];
  const operations = new Set<string>();
  for (const exchange of exchanges) {
    operations.add(readOperationName(exchange));
    const why = faultsIn(graphql, schema, exchange);
    if (why.length > 0) failures.push(`${readOperationName(exchange)}: ${why.join('; ')}`);
  }
  return { operations, checked: exchanges.length, failures, uncovered: [] };
}

function faultsIn(
  graphql: Graphql,
  schema: ReturnType<typeof buildLinearSchema>,
  { body, answer }: Exchange,
): string[] {
  const { query, variables } = JSON.parse(body) as {
    query: string;
    variables: Record<string, unknown>;
  };
  const document = graphql.parse(query);
  const invalid = graphql.validate(schema, document).map(({ message }) => message);
  if (invalid.length > 0) return invalid;
  const reply = JSON.parse(answer.body ?? '{}') as {
    data?: object | null;
    errors?: { message: string; path?: (string | number)[] }[];
  };
  const rootValue = reply.data ?? undefined;
  const result = graphql.executeSync({ schema, document, variableValues: variables, rootValue });
  const faults = (result.errors ?? [])
    // Wrong variables are found in any case, the answer only where there is one.
    .filter(({ path }) => path === undefined || rootValue !== undefined)
    .map(({ message, path }) => `${path?.join('.') ?? 'variables'}: ${message}`);
  const isRefusal = reply.data === undefined || reply.data === null;
  if (isRefusal && !reply.errors?.length) faults.push('an answer without data and without errors');
  return faults;
}

export const linear: ExchangeChecker = {
  provider: 'linear',
  packages: [SDK, GRAPHQL],
  tests: ['test/providers/contract/linear.test.ts', 'test/providers/linear'],
  check: checkAll,
};
