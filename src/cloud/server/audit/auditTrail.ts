import type { Context } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import { isJsonObject } from '../../../base/json/isJsonObject.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { StoreContext } from '../cloudContext.ts';
import { findAddress } from '../findAddress.ts';
import type { CallTeam, Person } from '../cloudCall.ts';
import type { CloudRoute } from '../../routes/cloudRoute.ts';
import { toStorable } from '../formatStoredJson.ts';
import { appendAudit } from './appendAudit.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

interface AskedChange {
  route: Pick<CloudRoute, 'name' | 'method' | 'target'>;
  team: CallTeam | null;
  person: Person | null;
  params: Readonly<Record<string, string | number>>;
  query: unknown;
  body: unknown;
  ctx: Context;
}

const toText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The values of the address without the team, and those of query and body that the route names. */
function toTarget({ route, params, query, body }: AskedChange): Record<string, string> {
  const { teamId: _, ...others } = params;
  const values: [name: string, value: unknown][] = Object.entries(others);
  for (const part of [query, body])
    if (isJsonObject(part))
      values.push(...Object.entries(part).filter(([name]) => route.target?.includes(name)));
  return Object.fromEntries(values.map(([name, value]) => [name, toStorable(toText(value))]));
}

/**
 * Makes a change that a member asks for, with an entry in the team's audit log. The entry is written first: what was
 * changed is in the log, even where the node dies. A change that fails gets a second entry with the code of its error.
 */
export async function runAudited<Result>(
  { database, clock }: StoreContext,
  request: AskedChange,
  change: () => Promise<Result>,
): Promise<Result> {
  const { route, team, person, ctx } = request;
  if (team === null || person === null || READS.has(route.method)) return change();
  const facts = {
    userId: person.userId,
    person: person.name,
    address: findAddress(ctx.req),
    action: route.name,
    target: toTarget(request),
  };
  const now = () => toIsoTime(clock.now());
  const n = await appendAudit(database, team.id, {
    ...facts,
    at: now(),
    failed: null,
    refersTo: null,
  });
  try {
    return await change();
  } catch (error) {
    const errorCode = error instanceof SvcError ? error.code : 'internal';
    // The refusal is the answer, whatever becomes of this entry.
    await appendAudit(database, team.id, {
      ...facts,
      at: now(),
      failed: errorCode,
      refersTo: n,
    }).catch(() => undefined);
    throw error;
  }
}

/** An entry in the log of each team that a person is in, for what is no change of one team, such as a login. */
export async function auditForTeams(
  { database, clock }: StoreContext,
  { id: userId, name }: { id: string; name: string },
  { action, address, target = {}, failed }: PersonAct,
): Promise<void> {
  const rows =
    await database.sql`select team_id from members where user_id = ${userId} order by team_id`;
  const facts = { userId, person: name, address, action, target };
  for (const { team_id: teamId } of rows)
    await appendAudit(database, String(teamId), {
      ...facts,
      at: toIsoTime(clock.now()),
      failed,
      refersTo: null,
    });
}

interface PersonAct {
  action: string;
  /** null = the control plane itself acts. */
  address: string | null;
  target?: Readonly<Record<string, string>>;
  failed: string | null;
}
