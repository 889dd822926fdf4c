import { TEAM_FILTERS } from '../../src/base/jobs/teamFilters.ts';
import type { Surface } from '../../src/contract/schema/cloud/surface.ts';

export type Operation = Surface['operations'][number];

const pickQuery = (query: URLSearchParams, names: readonly string[]): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => names.includes(name)));

const matches = ({ path, method }: Operation, call: { path: string; method: string }): boolean => {
  if (method !== call.method) return false;
  const parts = path.split('/');
  const requestParts = call.path.split('/');
  return (
    parts.length === requestParts.length &&
    parts.every((part, n) => part.startsWith(':') || part === requestParts[n])
  );
};

/** The operation that answers a request. A written-out path comes before one with a name in it. */
export const findOperation = (
  operations: readonly Operation[],
  call: { path: string; method: string },
): Operation | undefined =>
  operations.find(({ path, method }) => path === call.path && method === call.method) ??
  operations.find((operation) => matches(operation, call));

export interface RequestScope {
  operations: readonly Operation[];
  /** The runner that is asked; null = none was chosen. */
  runner: string | null;
}

/**
 * What of a request of the dashboard, below the team, is sent: the list of a team has fewer filters than that of a
 * runner, and an inbox of its own; what belongs to one runner names it.
 */
export function toTeamRequest(
  { method, path, query }: { method: string; path: string; query: URLSearchParams },
  { operations, runner }: RequestScope,
): { path: string; query: URLSearchParams } {
  const parameters = new URLSearchParams(query);
  if (runner !== null) parameters.set('runner', runner);
  if ((path === '/jobs' || path === '/jobs/counts') && method === 'GET') {
    if (path === '/jobs' && query.get('needs') === 'me')
      return { path: '/inbox', query: pickQuery(query, ['limit', 'offset']) };
    return runner === null
      ? { path, query: pickQuery(query, TEAM_FILTERS) }
      : { path, query: parameters };
  }
  const target = findOperation(operations, { path, method })?.runner;
  return target === 'named' || target === 'any' ? { path, query: parameters } : { path, query };
}
