import type { Context, Middleware } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import { hasRole, type TeamRole } from '../../../contract/schema/cloud/teamRole.ts';
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

interface Caller {
  person: Person | null;
  team: CallTeam | null;
  runner: CallingRunner | null;
}

const UNKNOWN: Caller = { person: null, team: null, runner: null };

/** Who sent the request, as the gate has found. */
export const readCaller = (ctx: Context): Caller => ctx.state.caller ?? UNKNOWN;

export interface CallerGate {
  credentials: Credentials;
  runners: RunnerCredentials;
  database: Database;
  /** Of each person, by ID. */
  requestLimits: Pick<RateLimits, 'take'>;
  /** The route that will answer, with the values of its path; null = no route does. */
  findRoute(ctx: Context): { route: CloudRoute; params: Readonly<Record<string, string>> } | null;
}

/**
 * Lets only those call a route who may. Refuses with 401 without a login, with 404 where the caller
 * is not in the team, in the same words as for a team that does not exist, and with 403 where the
 * role is too low; with 429 who has asked too often. A route of runners takes no person, and the others take no runner.
 */
export const requireCaller =
  (gate: CallerGate): Middleware =>
  async (ctx, next) => {
    ctx.state.caller = await findCaller(gate, ctx);
    await next();
  };

async function findCaller(
  { credentials, runners, database, requestLimits, findRoute }: CallerGate,
  ctx: Context,
): Promise<Caller> {
  const match = findRoute(ctx);
  if (match === null) return UNKNOWN;
  const {
    route: { who },
    params,
  } = match;
  if (who === 'anyone') return UNKNOWN;
  if (who === 'runner') return { ...UNKNOWN, runner: await checkRunner(runners, ctx) };
  if (who === 'person') {
    const person = requireLogin(await credentials.findPerson(ctx));
    requestLimits.take(person.userId);
    return { ...UNKNOWN, person };
  }
  const member = requireLogin(await credentials.findMember(ctx, params.teamId ?? '', database));
  requestLimits.take(member.person.userId);
  return { ...UNKNOWN, person: member.person, team: requireRole(member.team, who) };
}

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
