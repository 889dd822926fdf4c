import Router from '@koa/router';
import type { Context } from 'koa';
import type { Route } from '../../contract/routes/routes.ts';

export interface MatchedRoute {
  route: Route;
  /** Values in the address, decoded. */
  readParams(): Readonly<Record<string, string>>;
}

interface RouteLookup {
  /** The routes of a request, in the order of the table; compared once for each request. */
  findMatched(ctx: Context): MatchedRoute[];
  /** Methods that a path accepts, sorted; empty for an unknown path. */
  listMethods(path: string): string[];
}

/**
 * What all paths that a route fits have in common: the first part, which is never a parameter, and
 * how many parts there are. A slash at the end does not count.
 */
function readPathGroup(path: string): string {
  const parts = path.split('/');
  const count = parts.at(-1) === '' ? parts.length - 1 : parts.length;
  return `${count} ${parts[1]}`;
}

/**
 * Finds routes by addresses; the caller runs them. Each group of paths has a router of its own, since a router
 * compares a request with every address that it knows.
 */
export function createRouteLookup(routes: readonly Route[]): RouteLookup {
  const byName = new Map<string | undefined, Route>(routes.map((route) => [route.name, route]));
  const routers = new Map<string, Router>();
  for (const { path, method, name } of routes) {
    const group = readPathGroup(path);
    const router = routers.get(group) ?? new Router({ sensitive: true });
    routers.set(group, router);
    router.register(path, [method], (_ctx, next) => next(), { name });
  }
  const match = (path: string, method: string) =>
    routers.get(readPathGroup(path))?.match(path, method);
  return {
    findMatched(ctx) {
      ctx.state.matched ??= (match(ctx.path, ctx.method)?.pathAndMethod ?? []).flatMap(
        (layer): MatchedRoute[] => {
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
