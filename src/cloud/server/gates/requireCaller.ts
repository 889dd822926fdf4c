import { setImmediate as waitForTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Context, Middleware } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import { hasRole, parseTeamRole, type TeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Database } from '../../database/database.ts';
import type { CloudRoute } from '../../routes/cloudRoute.ts';
import type { RateLimits } from '../rateLimits.ts';
import type {
  CallingRunner,
  CallTeam,
  Credentials,
  Person,
  RunnerCredentials,
} from '../cloudCall.ts';
import { type KnownMember, RecentMembers } from './recentMembers.ts';

interface Caller {
  person: Person | null;
  team: CallTeam | null;
  runner: CallingRunner | null;
}

const UNKNOWN: Caller = { person: null, team: null, runner: null };

/** Who sent the request, as the gate has found. */
export const readCaller = (ctx: Context): Caller => ctx.state.caller ?? UNKNOWN;

/** The route that will answer, with the values of its path. */
interface RouteMatch {
  route: CloudRoute;
  params: Readonly<Record<string, string>>;
}

export interface CallerGate {
  credentials: Credentials;
  runners: RunnerCredentials;
  database: Database;
  clock: Pick<Clock, 'now'>;
  /** Of each person, by ID. */
  requestLimits: Pick<RateLimits, 'take'>;
  /** null = no route answers. */
  findRoute(ctx: Context): RouteMatch | null;
}

/**
 * Lets only those call a route who may. Refuses with 401 without a login, with 404 where the caller
 * is not in the team, in the same words as for a team that does not exist, and with 403 where the
 * role is too low; with 429 who has asked too often. A route of runners takes no person, and the others take no runner.
 */
export function requireCaller(gate: CallerGate): Middleware {
  const recent = new RecentMembers(gate.clock, gate.credentials);
  return async (ctx, next) => {
    const match = gate.findRoute(ctx);
    const reader = match === null ? null : findRecentReader(recent, ctx, match);
    if (match !== null && reader !== null)
      return readWhileChecking(
        { gate, recent },
        { ctx, team: match.params.teamId ?? '', reader },
        next,
      );
    ctx.state.caller = await findCaller({ gate, recent }, ctx, match);
    await next();
  };
}

interface GateParts {
  gate: CallerGate;
  recent: RecentMembers;
}

/** Only reads that a runner answers in one piece: the way there and back takes as long as the check. */
function findRecentReader(
  recent: RecentMembers,
  ctx: Context,
  { route, params }: RouteMatch,
): { member: KnownMember; role: TeamRole } | null {
  const isRead = ctx.method === 'GET' && route.isReadOfRunner === true;
  const role = isRead ? parseTeamRole(route.who) : null;
  const member = role === null ? null : recent.find(ctx, params.teamId ?? '');
  return role === null || member === null ? null : { member, role };
}

/**
 * Begins the read of a member who was let in a moment ago while the right is read from the database as for each request.
 * Nothing is answered before that, and nothing of the read where the right has changed.
 */
async function readWhileChecking(
  { gate, recent }: GateParts,
  {
    ctx,
    team,
    reader,
  }: { ctx: Context; team: string; reader: { member: KnownMember; role: TeamRole } },
  next: () => Promise<unknown>,
): Promise<void> {
  const { member, role } = reader;
  gate.requestLimits.take(member.person.userId);
  ctx.state.caller = { ...UNKNOWN, ...member };
  const headers = new Set(ctx.res.getHeaderNames());
  // The runner is asked first: what it does takes longer than the check.
  const [reply, check] = await Promise.allSettled([
    next(),
    waitForTurn().then(() => findMember(gate, ctx, team)),
  ]);
  try {
    if (check.status === 'rejected') throw check.reason;
    const now = { person: check.value.person, team: requireRole(check.value.team, role) };
    if (!isDeepStrictEqual(now, member)) throw createChangedError();
  } catch (refusal) {
    recent.forget(ctx, team);
    for (const name of ctx.res.getHeaderNames()) if (!headers.has(name)) ctx.remove(name);
    throw refusal;
  }
  recent.remember(ctx, team, member);
  if (reply.status === 'rejected') throw reply.reason;
}

const createChangedError = (): SvcError =>
  new SvcError(
    'temporarily-unavailable',
    'Your account or your role in the team has just changed. Send the request again.',
  );

async function findCaller(
  { gate, recent }: GateParts,
  ctx: Context,
  match: RouteMatch | null,
): Promise<Caller> {
  if (match === null) return UNKNOWN;
  const { credentials, runners, requestLimits } = gate;
  const { who } = match.route;
  if (who === 'anyone') return UNKNOWN;
  if (who === 'runner') return { ...UNKNOWN, runner: await checkRunner(runners, ctx) };
  if (who === 'person') {
    const person = requireLogin(await credentials.findPerson(ctx));
    requestLimits.take(person.userId);
    return { ...UNKNOWN, person };
  }
  const team = match.params.teamId ?? '';
  const member = await findMember(gate, ctx, team);
  requestLimits.take(member.person.userId);
  const admittedCaller = { person: member.person, team: requireRole(member.team, who) };
  recent.remember(ctx, team, admittedCaller);
  return { ...UNKNOWN, ...admittedCaller };
}

const findMember = async ({ credentials, database }: CallerGate, ctx: Context, team: string) =>
  requireLogin(await credentials.findMember(ctx, team, database));

async function checkRunner(runners: RunnerCredentials, ctx: Context): Promise<CallingRunner> {
  const runner = await runners.findRunner(ctx);
  if (runner === null)
    throw new SvcError(
      'unauthorized',
      'This needs the token of a paired runner. Pair this machine with svc login.',
    );
  return runner;
}

function requireLogin<Caller>(caller: Caller | null): Caller {
  if (caller === null)
    throw new SvcError(
      'unauthorized',
      'Log in first: with svc login on the command line, or on the login page.',
    );
  return caller;
}

function requireRole(team: CallTeam | null, role: TeamRole): CallTeam {
  if (team === null) throw new SvcError('not-found', 'This team does not exist.');
  if (!hasRole(team.role, role))
    throw new SvcError(
      'forbidden',
      `This needs the role ${role}; yours is ${team.role}. An admin of the team can change it.`,
    );
  return team;
}
