import Koa from 'koa';
import type { Connections } from '../../api/server/connections.ts';
import { requireJsonBody } from '../../api/server/gates/gates.ts';
import { parseJsonBody } from '../../api/server/gates/parseJsonBody.ts';
import { compressReplies } from '../../api/server/replies/compressReplies.ts';
import { setReplyHeaders } from '../../api/server/replies/headers.ts';
import { answerProblems } from '../../api/server/replies/problems.ts';
import { createRouteLookup } from '../../api/server/routeLookup.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { TrustedProxies } from '../../base/system/network/trustedProxies.ts';
import type { CloudRoute } from '../routes/cloudRoute.ts';
import type { CloudContext } from './cloudContext.ts';
import type { Credentials, RouteGroup, RunnerCredentials } from './cloudCall.ts';
import { answerDatabaseFaults } from './answerDatabaseFaults.ts';
import { keepAddress } from './findAddress.ts';
import { checkHost } from './gates/checkHost.ts';
import { limitOpenRequests } from './gates/limitOpenRequests.ts';
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
  /** Answers a browser at an address that is neither a route nor a mount. */
  showMissingPage(ctx: Koa.Context): void;
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

interface RouteMatch {
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
  showMissingPage,
  requests,
  requestLimits,
  trustedProxies,
  connections,
  isDatabaseReachable,
  screen,
}: CloudAppOptions): CloudApp {
  const koa = new Koa();
  const lookup = createRouteLookup(groups.flatMap(({ routes }) => routes));
  const findRoute = createRouteSearch(lookup, groups);
  koa.use(keepAddress(trustedProxies));
  koa.use(setReplyHeaders(version, ids));
  koa.use(compressReplies());
  koa.use(answerProblems(log, screen));
  koa.use(answerDatabaseFaults(clock, isDatabaseReachable));
  koa.use(connections.gate);
  koa.use(requests.gate);
  koa.use(checkHost(publicUrl));
  koa.use(routeToMounts(mounts));
  koa.use(limitOpenRequests(credentials));
  koa.use(async (ctx, next) =>
    isBrowserRead(ctx) && lookup.listMethods(ctx.path).length === 0 ? showMissingPage(ctx) : next(),
  );
  koa.use(requireCaller({ credentials, runners, database, clock, requestLimits, findRoute }));
  // Bytes are for senders of webhooks and for runners: a page of another site has none of their secrets.
  const findBody = (ctx: Koa.Context) => findRoute(ctx)?.route.body;
  koa.use(requireJsonBody(findBody));
  koa.use(parseJsonBody(findBody));
  koa.use(async (ctx) => {
    const match = findRoute(ctx);
    if (match === null) return refuseOtherAddress(lookup.listMethods(ctx.path), ctx);
    await runCloudRoute(match.route, match.group, ctx, match.params, { database, clock });
  });
  // Errors while a reply is being sent (mostly a client that disconnects); no answer is possible.
  koa.on('error', (error: unknown) =>
    log.warn({ err: error }, 'a reply could not be sent completely'),
  );
  return { koa };
}

/** Whether a person opens the address: other clients take anything, and get a problem document. */
const isBrowserRead = (ctx: Koa.Context): boolean =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') && ctx.accepts('json', 'html') === 'html';

const routeToMounts =
  (mounts: readonly Mount[]): Koa.Middleware =>
  async (ctx, next) => {
    const mount = mounts.find(
      ({ prefix }) => ctx.path === prefix || ctx.path.startsWith(`${prefix}/`),
    );
    await (mount === undefined ? next() : mount.handle(ctx, next));
  };

/** The first route of the table that fits, in the order of the groups. Gate and handler use the same one. */
function createRouteSearch(
  { findMatched }: Pick<ReturnType<typeof createRouteLookup<CloudRoute>>, 'findMatched'>,
  groups: readonly RouteGroup[],
): (ctx: Koa.Context) => RouteMatch | null {
  const groupOfRoute = new Map(
    groups.flatMap((group) => group.routes.map((route) => [route, group] as const)),
  );
  const find = (ctx: Koa.Context): RouteMatch | null => {
    const [match] = findMatched(ctx);
    const group = match === undefined ? undefined : groupOfRoute.get(match.route);
    if (match === undefined || group === undefined) return null;
    return { route: match.route, group, params: match.readParams() };
  };
  return (ctx) => {
    if (ctx.state.found === undefined) ctx.state.found = find(ctx);
    return ctx.state.found;
  };
}

/** A request that matches no route: an unknown path, or a path with other methods. */
function refuseOtherAddress(allowedMethods: readonly string[], ctx: Koa.Context): never {
  if (allowedMethods.length === 0)
    throw new SvcError('not-found', 'No such route. GET /openapi.json lists all routes.');
  const list = allowedMethods.join(', ');
  ctx.set('Allow', list);
  throw new SvcError('method-not-allowed', `This address accepts ${list}.`);
}
