import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../../test/support/forges/exchanges.ts';
import { chooseExchanges, type ExchangeChecker } from './exchangeChecker.ts';

/** Holds a client that was generated from Atlassian's description of Jira Data Center 10. */
const CLIENT = '@atlassian-dc-mcp/jira@0.34.0';

interface Operation {
  method: string;
  template: string;
  pattern: RegExp;
  query: ReadonlySet<string>;
}

/** Refusals that every operation may have; limits are a setting of the server. */
const ALWAYS = new Set([401, 429]);

/** `__request(OpenAPI, { method, url, query, … })` of each generated function. */
function operationsIn(folder: string): Operation[] {
  const services = join(
    folder,
    'node_modules',
    '@atlassian-dc-mcp',
    'jira',
    'build',
    'jira-client',
    'services',
  );
  return readdirSync(services)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => {
      const text = readFileSync(join(services, name), 'utf8');
      return text
        .split('__request(OpenAPI, {')
        .slice(1)
        .flatMap((call): Operation[] => {
          const [, method, template] = /method: '(\w+)',\s+url: '([^']+)'/.exec(call) ?? [];
          if (method === undefined || template === undefined) return [];
          const [own = ''] = call.split('\n        });');
          const query = /query: \{([^}]*)\}/.exec(own)?.[1] ?? '';
          const pattern = template
            .split(/\{\w+\}/)
            .map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
            .join('[^/]+');
          return [
            {
              method,
              template: `/rest${template}`,
              pattern: new RegExp(`^/rest${pattern}$`),
              query: new Set([...query.matchAll(/'(\w+)':/g)].map(([, key = '']) => key)),
            },
          ];
        });
    });
}

/** Queries that the description names in its text and not in its list. */
const IN_TEXT: Readonly<Record<string, readonly string[]>> = {
  // "Fields will only be returned if `expand=transitions.fields`."
  'GET /rest/api/2/issue/{issueIdOrKey}/transitions': ['expand'],
};

const getPath = ({ path }: Exchange): string => path.replace(/\?.*/, '');

/** Addresses, methods and queries. The generated code describes bodies only by names of types. */
async function checkAll(all: readonly Exchange[], folder: string) {
  const described = operationsIn(folder);
  const findOperation = (one: Exchange): Operation | undefined =>
    described.find(({ method, pattern }) => method === one.method && pattern.test(getPath(one)));
  const formatRequest = (one: Exchange): string =>
    `${one.method} ${findOperation(one)?.template ?? getPath(one)}`;
  const exchanges = chooseExchanges(
    all.filter(({ answer }) => !ALWAYS.has(answer.status)),
    formatRequest,
  );
  const failures = exchanges.flatMap((exchange) => {
    const operation = findOperation(exchange);
    if (operation === undefined)
      return [`${formatRequest(exchange)}: the description has no such operation`];
    const names = [...new URL(exchange.path, 'http://jira').searchParams.keys()];
    const textNames = IN_TEXT[formatRequest(exchange)] ?? [];
    const unknown = names.filter((name) => !operation.query.has(name) && !textNames.includes(name));
    return unknown.length === 0
      ? []
      : [`${formatRequest(exchange)}: the query has no ${unknown.join(', ')}`];
  });
  return {
    operations: new Set(exchanges.map(formatRequest)),
    checked: exchanges.length,
    failures,
    uncovered: ['bodies of requests and answers: described only by names of types'],
  };
}

export const jiraDatacenter: ExchangeChecker = {
  provider: 'jira-datacenter',
  packages: [],
  unpacked: [CLIENT],
  tests: ['test/providers/contract/jiraDataCenter.test.ts', 'test/providers/jira/tracker.test.ts'],
  check: checkAll,
};
