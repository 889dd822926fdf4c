import Router from '@koa/router';
import Koa from 'koa';
import type { Connections } from '../../api/server/connections.ts';
import { requireJsonBody } from '../../api/server/gates/gates.ts';
import { parseJsonBody } from '../../api/server/gates/parseJsonBody.ts';
import { compressReplies } from '../../api/server/replies/compressReplies.ts';
import { setReplyHeaders } from '../../api/server/replies/headers.ts';
import { answerProblems } from '../../api/server/replies/problems.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { TrustedProxies } from '../../base/system/network/trustedProxies.ts';
import type { CloudRoute } from '../routes/cloudRoute.ts';
import type { CloudContext } from './cloudContext.ts';
import type { Credentials, RouteGroup, RunnerCredentials } from './cloudCall.ts';
import { answerDatabaseFaults } from './answerDatabaseFaults.ts';
import { keepAddress } from './findAddress.ts';
import { checkHost } from './gates/checkHost.ts';
import { requireCaller } from './gates/requireCaller.ts';
import type { OpenRequests } from './openRequests.ts';
import type { RateLimits } from './rateLimits.ts';
import { runCloudRoute } from './runCloudRoute.ts';

/** Addresses that are not routes, such as pages and the authorization server: they read the body and check who calls by themselves. */
export interface Mount {
  /** Such as `/auth`: the path itself, and all below it. */
  prefix: string;
  handle: Koa.Middleware;
}

export interface CloudAppOptions {
  context: CloudContext;
  credentials: Credentials;
  runners: RunnerCredentials;
  groups: readonly RouteGroup[];
  mounts: readonly Mount[];
  requests: OpenRequests;
  /** Requests of each person, by ID. */
  requestLimits: Pick<RateLimits, 'take'>;
  /** Proxies that name their clients; null = none. */
  trustedProxies: TrustedProxies | null;
  /** Those of the port, which refuses the ones above its limit. */
  connections: Connections;
  /** Asked where a request takes long. */
  isDatabaseReachable(): Promise<boolean>;
  screen(text: string): string;
}

export interface CloudApp {
  koa: Koa;
}

interface Found {
  route: CloudRoute;
  group: RouteGroup;
  params: Readonly<Record<string, string>>;
}

export function createCloudApp({
  context: { database, clock, log, version, ids, publicUrl },
  credentials,
  runners,
  groups,
  mounts,
  requests,
  requestLimits,
  trustedProxies,
  connections,
  isDatabaseReachable,
  screen,
}: CloudAppOptions): CloudApp {
  const koa = new Koa();
  const router = buildRouter(groups);
  const findRoute = createRouteLookup(router, groups);
  koa.use(keepAddress(trustedProxies));
  koa.use(setReplyHeaders(version, ids));
  koa.use(compressReplies());
  koa.use(answerProblems(log, screen));
  koa.use(answerDatabaseFaults(clock, isDatabaseReachable));
  koa.use(connections.gate);
  koa.use(requests.gate);
  koa.use(checkHost(publicUrl));
  koa.use(routeToMounts(mounts));
  koa.use(requireCaller({ credentials, runners, database, requestLimits, findRoute }));
  // Bytes are for routes of runners: a page of another site has none of their tokens.
  koa.use((ctx, next) =>
    findRoute(ctx)?.route.body?.form === 'bytes' ? next() : requireJsonBody(ctx, next),
  );
  koa.use(parseJsonBody((ctx) => findRoute(ctx)?.route.body));
  koa.use(async (ctx) => {
    const match = findRoute(ctx);
    if (match === null) return refuseOtherAddress(router, ctx);
    await runCloudRoute(match.route, match.group, ctx, match.params, { database, clock });
  });
  // Errors while a reply is being sent (mostly a client that disconnects); no answer is possible.
  koa.on('error', (error: unknown) =>
    log.warn({ err: error }, 'a reply could not be sent completely'),
  );
  return { koa };
}

const routeToMounts =
  (mounts: readonly Mount[]): Koa.Middleware =>
  async (ctx, next) => {
    const mount = mounts.find(
      ({ prefix }) => ctx.path === prefix || ctx.path.startsWith(`${prefix}/`),
    );
    await (mount === undefined ? next() : mount.handle(ctx, next));
  };

function buildRouter(groups: readonly RouteGroup[]): Router {
  const router = new Router({ sensitive: true });
  // Only for its patterns: the gate and the handler must use the same match.
  for (const { routes } of groups)
    for (const { path, method, name } of routes)
      router.register(path, [method], () => undefined, { name });
  return router;
}

/** The first route of the table that fits, in the order of the groups. */
function createRouteLookup(
  router: Router,
  groups: readonly RouteGroup[],
): (ctx: Koa.Context) => Found | null {
  const byName = new Map(
    groups.flatMap((group) => group.routes.map((route) => [route.name, { route, group }] as const)),
  );
  const find = ({ path, method }: Koa.Context): Found | null => {
    const [layer] = router.match(path, method).pathAndMethod;
    const entry = byName.get(layer?.name ?? '');
    if (layer === undefined || entry === undefined) return null;
    return { ...entry, params: layer.params(path, layer.captures(path), {}) };
  };
  return (ctx) => {
    if (ctx.state.found === undefined) ctx.state.found = find(ctx);
    return ctx.state.found;
  };
}

/** A request that matches no route: an unknown path, or a path with other methods. */
function refuseOtherAddress(router: Router, ctx: Koa.Context): never {
  const allowedMethods = new Set(
    router.match(ctx.path, ctx.method).path.flatMap(({ methods }) => methods),
  );
  if (allowedMethods.size === 0)
    throw new SvcError('not-found', 'No such route. GET /openapi.json lists all routes.');
  const list = [...allowedMethods].sort().join(', ');
  ctx.set('Allow', list);
  throw new SvcError('method-not-allowed', `This address accepts ${list}.`);
}
