import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import { PAGE_KEY_HEADER } from '../../../base/http/ownHeaders.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import type { Access } from '../../../contract/routes/route.ts';
import type { Route } from '../../../contract/routes/routes.ts';
import type { Caller } from '../../../contract/schema/runner/caller.ts';
import { isLoopbackHost } from './addresses.ts';
import { clearOldCookie, readLoginCookies } from '../login/loginCookie.ts';
import type { Logins } from '../login/logins.ts';
import { checkTeamAccess, readMember, type TeamLink } from './memberAccess.ts';
import { isForwardedByProxy } from './isForwardedByProxy.ts';

/** Methods for which the cookie of a dashboard login suffices. */
const READING = new Set(['GET', 'HEAD']);

/** Who made the request; known once the access gate has let it pass. */
export const readCaller = (ctx: Context): Caller => ctx.state.caller ?? 'open';

/** The name of the member of the team who made it; undefined = no member did. */
export const readPerson = (ctx: Context): string | undefined => ctx.state.person;

/**
 * Names the login of the dashboard, or the token, that made the request; it is not a credential. What
 * one session begins, another must not complete.
 */
export const readSessionName = (ctx: Context): string => ctx.state.session ?? 'open';

/**
 * Tells whether a text is the known one; nothing is equal to an empty one. The time depends on the length of the text
 * alone: the known one is a token, and how long those are is no secret.
 */
function createConstantTimeMatch(secret: string): (text: string | undefined) => boolean {
  const expected = Buffer.from(secret);
  return (text) => {
    if (secret === '' || text === undefined) return false;
    const candidate = Buffer.from(text);
    return candidate.length === expected.length && timingSafeEqual(candidate, expected);
  };
}

interface AccessOptions {
  /** Whether the token is that of an agent's open session. */
  isSessionToken(token: string): boolean;
  server: Pick<Settings['server'], 'auth' | 'host'>;
  /** Content of runner.token; empty = none. */
  token: string;
  /** Content of metrics.token; empty = none. */
  metricsToken: string;
  logins: Logins;
  /**
   * Whether deliveries of forges or trackers are taken: then something brings requests from outside
   * to this port.
   */
  webhooks(): boolean;
  findAccess(ctx: Context): Access;
  findRoutes(ctx: Context): readonly Route[];
  /** null = the runner has no control plane. */
  link(): TeamLink | null;
}

const NO_CREDENTIAL = "This request needs the runner's token or a dashboard login.";
const WRONG_TOKEN = 'The token is not valid for this runner.';
const OF_SESSION =
  "This is the token of an agent's session, which is for the tools of its job and nothing else. What this request asks for a person decides, in the dashboard or in a terminal of their own.";
const NO_PAGE_KEY = `With a dashboard login, a change also needs the header ${PAGE_KEY_HEADER}, which only the dashboard has.`;
const HOW =
  'Programs send "Authorization: Bearer $(cat ~/.svc/runner.token)" (the file is in SVC_HOME); to log a browser in, run `svc open`.';

const FOR_MONITORS =
  'A monitor sends "Authorization: Bearer <content of metrics.token in the home>", as credentials_file of Prometheus does; that token is for GET /metrics alone.';

const parseBearer = (authorization: string): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1];

/**
 * Who the credential of the request belongs to; `open` with the problem if it is missing or not
 * valid.
 */
function identifyCaller(
  ctx: Context,
  { logins, isToken }: { logins: Logins; isToken(bearer: string | undefined): boolean },
): { caller: Exclude<Caller, 'member'>; problem: string; session?: string } {
  const noOne = (problem: string) => ({ caller: 'open', problem }) as const;
  const authorization = ctx.get('Authorization');
  if (authorization !== '') {
    return isToken(parseBearer(authorization))
      ? { caller: 'token', problem: '', session: 'token' }
      : noOne(WRONG_TOKEN);
  }
  const login = logins.find(readLoginCookies(ctx));
  if (login === null) return noOne(NO_CREDENTIAL);
  if (!READING.has(ctx.method) && !logins.fits(login, ctx.get(PAGE_KEY_HEADER)))
    return noOne(NO_PAGE_KEY);
  logins.noteUse(ctx, login);
  return { caller: 'login', problem: '', session: `login ${login.row.cookie_hash}` };
}

/**
 * Requires a credential where one is needed, before anything else in the request is checked, and
 * records who the caller is.
 */
export function requireAccess(options: AccessOptions): Middleware {
  const { server, webhooks, findAccess: accessOf, logins } = options;
  const isToken = createConstantTimeMatch(options.token);
  const isMetricsToken = createConstantTimeMatch(options.metricsToken);
  const reachable = server.auth === 'required' || !isLoopbackHost(server.host);

  const isDemanded = (ctx: Context, access: Access): boolean => {
    if (server.auth === 'off' || access === 'own') return false;
    if (
      access === 'write' ||
      access === 'scrape' ||
      reachable ||
      isForwardedByProxy(ctx.req) ||
      ctx.state.isFromProxy === true
    )
      return true;
    return webhooks() && access !== 'basic';
  };

  // An agent must not learn how to get the runner's token.
  const refuseSession = (bearer: string | undefined): void => {
    if (bearer !== undefined && options.isSessionToken(bearer))
      throw new SvcError('forbidden', OF_SESSION);
  };

  return (ctx, next) => {
    clearOldCookie(ctx);
    const link = options.link();
    const member = readMember(ctx, link);
    if (member !== null) {
      if (!isToken(parseBearer(ctx.get('Authorization'))))
        throw new SvcError('unauthorized', WRONG_TOKEN);
      checkTeamAccess(member, options.findRoutes(ctx), link);
      ctx.state.caller = 'member';
      ctx.state.person = member.name;
      ctx.state.session = `member ${member.userId}`;
      return next();
    }
    const access = accessOf(ctx);
    const bearer = parseBearer(ctx.get('Authorization'));
    const isMonitor = access === 'scrape' && isMetricsToken(bearer);
    const { caller, problem, session } =
      access === 'own' || isMonitor
        ? ({ caller: 'open', problem: '', session: undefined } as const)
        : identifyCaller(ctx, { logins, isToken });
    if (caller === 'open' && (access === 'write' || isDemanded(ctx, access)))
      refuseSession(parseBearer(ctx.get('Authorization')));
    if (caller === 'open' && !isMonitor && isDemanded(ctx, access))
      throw new SvcError('unauthorized', `${problem} ${access === 'scrape' ? FOR_MONITORS : HOW}`);
    ctx.state.caller = caller;
    ctx.state.session = session;
    return next();
  };
}
