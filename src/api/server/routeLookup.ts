import Router from '@koa/router';
import type { Context } from 'koa';
import type { Route } from '../../contract/routes/routes.ts';

/** What of a route finds it. */
interface Address {
  name: string;
  method: string;
  path: string;
}

export interface MatchedRoute<Found extends Address = Route> {
  route: Found;
  /** Values in the address, decoded. */
  readParams(): Readonly<Record<string, string>>;
}

interface RouteLookup<Found extends Address> {
  /** The routes of a request, in the order of the table; compared once for each request. */
  findMatched(ctx: Context): MatchedRoute<Found>[];
  /** Methods that a path accepts, sorted; empty for an unknown path. */
  listMethods(path: string): string[];
}

interface PathGroup {
  /**
   * What all paths that a route fits have in common: the first part, which is never a parameter, and
   * how many parts there are. A slash at the end does not count.
   */
  name: string;
  /** What mostly follows an id, as in /jobs/:jobId/resume. */
  third: string;
}

function readPathGroup(path: string): PathGroup {
  const parts = path.split('/');
  const count = parts.at(-1) === '' ? parts.length - 1 : parts.length;
  return { name: `${count} ${parts[1]}`, third: parts[3] ?? '' };
}

const isParameter = (part: string): boolean => part.startsWith(':');

/** A router for each third part of a group's routes, and under `:` one for every other third part. */
function createGroupRouters(routes: readonly Address[]): ReadonlyMap<string, Router> {
  const thirds = routes.map(({ path }) => readPathGroup(path).third);
  const names = new Set([':', ...thirds.filter((third) => !isParameter(third))]);
  return new Map(
    [...names].map((third) => {
      const router = new Router({ sensitive: true });
      for (const [n, { path, method, name }] of routes.entries())
        if (thirds[n] === third || isParameter(thirds[n] ?? ''))
          router.register(path, [method], (_ctx, next) => next(), { name });
      return [third, router];
    }),
  );
}

/**
 * Finds routes by addresses; the caller runs them. Each group of paths has routers of its own, since a router
 * compares a request with every address that it knows.
 */
export function createRouteLookup<Found extends Address>(
  routes: readonly Found[],
): RouteLookup<Found> {
  const byName = new Map<string | undefined, Found>(routes.map((route) => [route.name, route]));
  const routesByGroup = new Map<string, Found[]>();
  for (const route of routes) {
    const { name } = readPathGroup(route.path);
    routesByGroup.set(name, [...(routesByGroup.get(name) ?? []), route]);
  }
  const groups = new Map([...routesByGroup].map(([name, all]) => [name, createGroupRouters(all)]));
  const match = (path: string, method: string) => {
    const { name, third } = readPathGroup(path);
    const routers = groups.get(name);
    return (routers?.get(third) ?? routers?.get(':'))?.match(path, method);
  };
  return {
    findMatched(ctx) {
      ctx.state.matched ??= (match(ctx.path, ctx.method)?.pathAndMethod ?? []).flatMap(
        (layer): MatchedRoute<Found>[] => {
          const route = byName.get(layer.name);
          const readParams = () => layer.params(ctx.path, layer.captures(ctx.path));
          return route ? [{ route, readParams }] : [];
        },
      );
      return ctx.state.matched;
    },
    // Any method: which routes fit the path does not depend on it.
    listMethods: (path) =>
      [...new Set(match(path, 'GET')?.path.flatMap(({ methods }) => methods))].sort(),
  };
}
