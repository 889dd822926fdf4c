import type { Context, Middleware } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import { hasRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { Database } from '../../database/database.ts';
import type { CloudRoute } from '../../routes/cloudRoute.ts';
import type { CallTeam, Credentials, Person } from '../cloudCall.ts';
import { findMembership } from './findMembership.ts';

interface Caller {
  person: Person | null;
  team: CallTeam | null;
}

const UNKNOWN: Caller = { person: null, team: null };

/** Who sent the request, as the gate has found. */
export const readCaller = (ctx: Context): Caller => ctx.state.caller ?? UNKNOWN;

export interface CallerGate {
  credentials: Credentials;
  database: Database;
  /** The route that will answer, with the values of its path; null = no route does. */
  findRoute(ctx: Context): { route: CloudRoute; params: Readonly<Record<string, string>> } | null;
}

/**
 * Lets only those call a route who may. Refuses with 401 without a login, with 404 where the caller
 * is not in the team, in the same words as for a team that does not exist, and with 403 where the
 * role is too low.
 */
export const requireCaller =
  ({ credentials, database, findRoute }: CallerGate): Middleware =>
  async (ctx, next) => {
    const found = findRoute(ctx);
    ctx.state.caller =
      found === null || found.route.who === 'anyone'
        ? UNKNOWN
        : await checkCaller(found, await credentials.findPerson(ctx), database);
    await next();
  };

async function checkCaller(
  { route: { who }, params }: { route: CloudRoute; params: Readonly<Record<string, string>> },
  person: Person | null,
  database: Database,
): Promise<Caller> {
  if (person === null)
    throw new SvcError(
      'unauthorized',
      'Log in first: with svc login on the command line, or on the login page.',
    );
  if (who === 'person' || who === 'anyone') return { person, team: null };
  const team = await findMembership(database, person.userId, params.teamId ?? '');
  if (team === null) throw new SvcError('not-found', 'This team does not exist.');
  if (!hasRole(team.role, who))
    throw new SvcError(
      'forbidden',
      `This needs the role ${who}; yours is ${team.role}. An admin of the team can change it.`,
    );
  return { person, team };
}
