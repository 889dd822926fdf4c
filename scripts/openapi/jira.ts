import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Exchange } from '../../test/support/forges/exchanges.ts';
import { documentFaults } from './jiraDocuments.ts';
import { chooseExchanges, type ExchangeChecker } from './exchangeChecker.ts';

/** A client of Jira Cloud that is generated from Atlassian's description, with its schemas. */
const CLOUD = 'jira.js@6.2.0';
/** Atlassian's schema of documents, and what reads it. */
const DOCUMENTS = '@atlaskit/adf-schema@57.7.22';
const AJV = 'ajv@8.17.1';

/** What a generated function would send; names of parameters stand for their values. */
interface SentRequest {
  method: string;
  url: string;
  searchParams?: Record<string, unknown>;
  body?: unknown;
  schema?: Schema;
}
interface Schema {
  safeParse(value: unknown): { success: boolean; error?: { issues: readonly Issue[] } };
  shape?: Record<string, Schema>;
}
interface Issue {
  code: string;
  path: readonly (string | number)[];
  message: string;
}
interface Operation {
  method: string;
  pattern: RegExp;
  template: string;
  query: ReadonlySet<string>;
  body: ReadonlySet<string>;
  parameters: Schema | undefined;
  answer: Schema | undefined;
}

/** Refusals that every operation may have; their body is not described. */
const isRefusal = (status: number): boolean => status >= 400;

/** Calls each generated function with a client that only looks at what would be sent. */
async function operationsIn(folder: string): Promise<Operation[]> {
  const dist = join(folder, 'node_modules', 'jira.js', 'dist', 'cloud');
  const load = (path: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(join(dist, path)).href);
  const schemas = await load('parameters/index.js');
  const operations: Operation[] = [];
  // Texts and things: a comment that is a text goes another way than a document.
  const texts = new Proxy({}, { get: (_target, name) => `{${String(name)}}` });
  const things = new Proxy(
    {},
    { get: (_target, name) => ({ toString: () => `{${String(name)}}` }) },
  );
  for (const file of readdirSync(join(dist, 'api')).filter((name) => name.endsWith('.js'))) {
    for (const [name, make] of Object.entries(await load(`api/${file}`))) {
      if (typeof make !== 'function') continue;
      const all: SentRequest[] = [];
      const client = {
        sendRequest: async (request: SentRequest) => {
          all.push(request);
          return {};
        },
      };
      for (const argument of [texts, things])
        await Promise.resolve()
          .then(() => make(client, argument))
          .catch(() => {});
      const schema = schemas[`${name[0]?.toUpperCase()}${name.slice(1)}Schema`] as
        | Schema
        | undefined;
      for (const { method, url, searchParams = {}, body, schema: answer } of all) {
        const template = url.replace(/\?.*/, '');
        const pattern = template
          .split(/\{\w+\}/)
          .map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
          .join('[^/]+');
        operations.push({
          method,
          template,
          pattern: new RegExp(`^${pattern}$`),
          query: new Set(Object.keys(searchParams)),
          body: new Set(typeof body === 'object' && body !== null ? Object.keys(body) : []),
          parameters: schema,
          answer,
        });
      }
    }
  }
  return operations;
}

const getPath = ({ path }: Exchange): string =>
  path.replace(/\?.*/, '').replace(/^\/ex\/jira\/[^/]+/, '');

/** What a query says, in the types that its schema may want. */
const readings = (text: string): unknown[] => [
  text,
  ...(/^\d+$/.test(text) ? [Number(text)] : []),
  ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
  text.split(','),
];

function faultsOfRequest(operation: Operation, { path, body }: Exchange): string[] {
  const { query, body: members, parameters } = operation;
  const faults: string[] = [];
  const check = (where: string, name: string, values: readonly unknown[]) => {
    const schema = parameters?.shape?.[name];
    if (schema && !values.some((value) => schema.safeParse(value).success))
      faults.push(`${where} ${name} is not of its type`);
  };
  for (const [name, value] of new URL(path, 'http://jira').searchParams) {
    if (!query.has(name)) faults.push(`the query has no ${name}`);
    else check('query', name, readings(value));
  }
  const bodyMembers = Object.entries(body === '' ? {} : (JSON.parse(body) as object));
  for (const [name, value] of bodyMembers) {
    if (!members.has(name)) faults.push(`the body has no ${name}`);
    else check('body', name, [value]);
  }
  return faults;
}

/** Only the part of an answer that the fake gives is checked: svc does not read the rest. */
function faultsOfAnswer({ answer: schema, method }: Operation, { answer }: Exchange): string[] {
  const { status, body } = answer;
  if (isRefusal(status) || schema === undefined) return [];
  const value: unknown = JSON.parse(body ?? 'null');
  const { error } = schema.safeParse(value);
  return (error?.issues ?? [])
    .filter(({ message }) => !/received undefined/.test(message))
    .map(({ path, message }) => `answer to ${method}: ${path.join('.')}: ${message}`);
}

async function checkAll(all: readonly Exchange[], folder: string) {
  const described = await operationsIn(folder);
  const findOperation = (one: Exchange): Operation | undefined =>
    described.find(({ method, pattern }) => method === one.method && pattern.test(getPath(one)));
  const formatRequest = (one: Exchange): string =>
    `${one.method} ${findOperation(one)?.template ?? getPath(one)}`;
  const cloud = all.filter((one) => /\/rest\/api\/3\//.test(one.path));
  const exchanges = chooseExchanges(cloud, formatRequest);
  const failures: string[] = [];
  for (const exchange of exchanges) {
    const operation = findOperation(exchange);
    const why =
      operation === undefined
        ? ['the description has no such operation']
        : [...faultsOfRequest(operation, exchange), ...faultsOfAnswer(operation, exchange)];
    if (why.length > 0) failures.push(`${formatRequest(exchange)}: ${why.join('; ')}`);
  }
  failures.push(...documentFaults(folder, exchanges));
  const others = all.filter((one) => !cloud.includes(one));
  const uncovered = [...new Set(others.map((one) => `${one.method} ${getPath(one)}`))];
  return {
    operations: new Set(exchanges.map(formatRequest)),
    checked: exchanges.length,
    failures,
    uncovered: uncovered.map((one) => `${one}: not part of the API that is described`),
  };
}

export const jira: ExchangeChecker = {
  provider: 'jira',
  packages: [CLOUD, DOCUMENTS, AJV],
  tests: ['test/providers/contract/jiraCloud.test.ts', 'test/providers/jira/tracker.test.ts'],
  check: checkAll,
};
