import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Context } from 'koa';
import type { AwaySince } from '../../base/concurrency/unlessAway.ts';
import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { type Ids, randomIds } from '../../base/system/ids/ids.ts';
import type { Intake } from '../../contract/planning/intake.ts';
import type { AuditTrail } from '../../contract/runner/auditTrail.ts';
import type { Notifications } from '../../contract/runner/notifications.ts';
import type { Plugins } from '../../contract/runner/plugins.ts';
import type { BrokenRowNotes, Runner } from '../../contract/runner/runner.ts';
import type { RunnerProcess } from '../../contract/runner/runnerProcess.ts';
import type { SetUpWizard } from '../../contract/runner/setUp.ts';
import type { Trust } from '../../contract/workflow/trust.ts';
import type { Configuration } from '../../contract/runner/configuration.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { parseJsonBody } from './gates/parseJsonBody.ts';
import { serveDashboard, isOfDashboard } from './dashboard.ts';
import { FOREIGN_PROCESS } from './gates/foreignProcess.ts';
import { requireAccess } from './gates/access.ts';
import type { TeamLink } from './gates/memberAccess.ts';
import { compressReplies } from './replies/compressReplies.ts';
import { Connections } from './connections.ts';
import { checkHostAndOrigin, requireJsonBody } from './gates/gates.ts';
import { setReplyHeaders } from './replies/headers.ts';
import { answerLoginLink } from './login/answerLoginLink.ts';
import { answerWithLoginPage } from './login/answerWithLoginPage.ts';
import { LoginCodes } from './login/loginCodes.ts';
import { Logins, type LoginTable } from './login/logins.ts';
import { buildOpenapiDocument } from './openapi/buildOpenapiDocument.ts';
import { OpenStreams } from './streams/openStreams.ts';
import { type HttpLog, answerProblems } from './replies/problems.ts';
import type { RouteEnv } from './handler.ts';
import type { Access } from '../../contract/routes/route.ts';
import { routes } from '../../contract/routes/routes.ts';
import { createRouteLookup, type MatchedRoute } from './routeLookup.ts';
import { logRequest } from './logRequest.ts';
import { runRoute } from './runRoute.ts';

/** The tool servers of running phases, under `/mcp/`. They check tokens of their own. */
export interface ToolEndpoint {
  /** Reads the body by itself, where `body` is undefined, and writes the whole reply. */
  handle(req: IncomingMessage, res: ServerResponse, body: unknown): Promise<void>;
  isToken(token: string): boolean;
}

export interface AppOptions {
  runner: Runner;
  intake: Intake;
  config: Configuration;
  trust: Trust;
  setUp: SetUpWizard;
  plugins: Plugins;
  notifications: Notifications;
  trail: AuditTrail;
  settings: Pick<Settings, 'server' | 'version'>;
  /** Where people reach the runner through a proxy; default: nowhere. */
  publicUrl?: () => string | undefined;
  /** Content of runner.token; empty = none, and requests that require one are refused. */
  token: string;
  tools: ToolEndpoint;
  loginTable: LoginTable;
  /**
   * Whether deliveries of forges or trackers are taken. Then something brings requests from
   * outside, and reading needs a credential.
   */
  webhooks(): boolean;
  log: HttpLog;
  screen(text: string): string;
  /** Folder of the built dashboard; null = it was not built. */
  dashboardDir: string | null;
  clock: Clock;
  awaySince: AwaySince;
  /** Default: random ones. */
  ids?: Ids;
  /** Requests wait for it: the port is open before the jobs are back. Default: they do not wait. */
  ready?: Promise<unknown>;
  /** Requests other than /health wait for it too. Default: they do not. */
  confirmed?: Promise<unknown>;
  /** What GET /metrics is answered with, and the token that is for it alone; default: nothing. */
  metrics?: { token: string; read: RouteEnv['metrics'] };
  /** Default: one that cannot be asked for anything. */
  process?: RunnerProcess;
  brokenRows: BrokenRowNotes;
  /** The link to the control plane of a team; default: the runner has none. */
  link?: () => TeamLink | null;
  /** Default: the home is local. */
  leaveTeam?: RouteEnv['leaveTeam'];
}

export interface HttpApp {
  koa: Koa;
  /** Must be given every connection. */
  connections: Connections;
  /** A fresh code for `GET /login/<code>`, good once and for ten minutes. */
  issueLoginCode(): string;
  stopStreams(): void;
}

export function createApp({
  runner,
  intake,
  config,
  trust,
  setUp,
  plugins,
  notifications,
  trail,
  settings,
  publicUrl = () => undefined,
  token,
  tools,
  loginTable,
  webhooks,
  log,
  screen,
  dashboardDir,
  clock,
  awaySince,
  ids = randomIds,
  ready,
  confirmed,
  metrics = NO_METRICS,
  process = FOREIGN_PROCESS,
  brokenRows,
  link = () => null,
  leaveTeam = async () => ({ left: true, unsent: 0 }),
}: AppOptions): HttpApp {
  const koa = new Koa();
  const connections = new Connections();
  const codes = new LoginCodes(ids, clock);
  const logins = new Logins(loginTable, ids, clock);
  const streams = new OpenStreams();
  const { server, version } = settings;
  // Created on the first request: few runners ever get one, and it takes 5 MiB.
  let document: ReturnType<typeof buildOpenapiDocument> | undefined;
  const openapi = () => (document ??= buildOpenapiDocument(routes, version));
  const env: RouteEnv = {
    runner,
    intake,
    config,
    trust,
    setUp,
    plugins,
    notifications,
    trail,
    clock,
    awaySince,
    streams,
    codes,
    logins,
    openapi,
    process,
    brokenRows,
    leaveTeam,
    metrics: metrics.read,
  };

  const { findMatched, listMethods } = createRouteLookup(routes);
  koa.use(setReplyHeaders(version, ids));
  koa.use(compressReplies());
  koa.use(answerProblems(log, screen));
  koa.use(connections.gate);
  koa.use(answerWithLoginPage);
  koa.use(waitForStart(ready, confirmed));
  koa.use(checkHostAndOrigin(server.host, publicUrl));
  koa.use(
    requireAccess({
      server,
      token,
      metricsToken: metrics.token,
      logins,
      webhooks,
      isSessionToken: (givenToken) => tools.isToken(givenToken),
      findAccess: (ctx) => findAccess(ctx, findMatched(ctx)),
      findRoutes: (ctx) => findMatched(ctx).map(({ route }) => route),
      link,
    }),
  );
  koa.use(answerLoginLink(codes, logins, trail));
  const findBody = (ctx: Context) =>
    findMatched(ctx).find(({ route }) => route.body !== undefined)?.route.body;
  koa.use(requireJsonBody(findBody));
  // Before the body is read: a tool server checks its token first and takes larger bodies than the
  // routes do.
  koa.use(routeToTools(tools));
  koa.use(parseJsonBody(findBody));
  koa.use(serveDashboard(dashboardDir));
  koa.use((ctx, next) => {
    const [first] = findMatched(ctx);
    if (first === undefined) return next();
    return logRequest({ log, clock }, first.route, ctx, () =>
      runRoute(first.route, ctx, first.readParams(), env),
    );
  });
  koa.use(refuseOtherAddresses(listMethods));
  // Errors while a reply is being sent (mostly a client that disconnects); no answer is possible.
  koa.on('error', (error: unknown) =>
    log.warn({ err: error }, 'a reply could not be sent completely'),
  );
  return {
    koa,
    connections,
    issueLoginCode: () => codes.issue().code,
    stopStreams: () => streams.stop(),
  };
}

/** Metrics of a runner within another program, such as a test: none. */
const NO_METRICS = { token: '', read: async () => ({ type: 'text/plain', text: '' }) };

/** Holds requests back until the runner has started; later ones cost nothing. */
function waitForStart(ready?: Promise<unknown>, confirmation?: Promise<unknown>): Koa.Middleware {
  let hasStarted = false;
  Promise.all([ready, confirmation]).then(
    () => {
      hasStarted = true;
    },
    // Each request is then answered with the error.
    () => undefined,
  );
  const wait = async (path: string): Promise<void> => {
    await ready;
    if (path !== '/health') await confirmation;
  };
  return (ctx, next) => (hasStarted ? next() : wait(ctx.path).then(next));
}

const routeToTools =
  (tools: ToolEndpoint): Koa.Middleware =>
  (ctx, next) =>
    ctx.path.startsWith('/mcp/') ? handleToolCall(tools, ctx) : next();

async function handleToolCall(tools: ToolEndpoint, ctx: Koa.Context): Promise<void> {
  ctx.status = 200;
  await tools.handle(ctx.req, ctx.res, undefined);
  // Only now: what was thrown before the first byte still becomes a problem document.
  ctx.respond = false;
}

const STRICTEST_FIRST: readonly Access[] = ['write', 'scrape', 'compute', 'read', 'basic', 'own'];

/**
 * What an address asks of its caller. Where more than one route fits, as for /jobs/stream, the
 * strictest of them decides.
 */
function findAccess({ path }: Koa.Context, matchedRoutes: readonly MatchedRoute[]): Access {
  if (path.startsWith('/mcp/') || path.startsWith('/login/')) return 'own';
  if (isOfDashboard(path)) return 'basic';
  return (
    STRICTEST_FIRST.find((one) => matchedRoutes.some(({ route }) => route.access === one)) ?? 'read'
  );
}

/** Requests that match no route: an unknown path, or a path with other methods. */
const refuseOtherAddresses =
  (listMethods: (path: string) => string[]): Koa.Middleware =>
  async (ctx) => {
    const allowedMethods = listMethods(ctx.path);
    if (allowedMethods.length === 0)
      throw new SvcError('not-found', 'No such route. GET /openapi.json lists all routes.');
    const list = allowedMethods.join(', ');
    ctx.set('Allow', list);
    throw new SvcError('method-not-allowed', `This address accepts ${list}.`);
  };
