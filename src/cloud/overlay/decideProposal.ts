import { SvcError } from '../../base/errors/errors.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { CallTeam, Person } from '../server/cloudCall.ts';
import type { StoreContext } from '../server/cloudContext.ts';
import { formatStoredJson } from '../server/formatStoredJson.ts';
import { readProposal, type StoredProposal, type StoredState } from './proposalRows.ts';
import { noteOverlayChange } from './versionRows.ts';

export interface Decision {
  team: CallTeam;
  person: Person;
  id: string;
}

/** What can be done in each state, for errors. */
const POSSIBLE: Readonly<Record<StoredState, string>> = {
  open: 'It can be approved or rejected.',
  approved: 'It is already approved: apply or reject it.',
  applying: 'A pull request applies it: merge or close that, or reject the proposal.',
  conflicted: 'It is approved, but could not be applied: apply it again, or reject it.',
  applied: 'It is applied; no further action is possible.',
  rejected: 'It is rejected; no further action is possible.',
  superseded: 'A later proposal replaces it: decide about that one.',
};

export const createStateError = (
  { id, state }: Pick<StoredProposal, 'id' | 'state'>,
  what: string,
): SvcError =>
  new SvcError(
    'not-possible-now',
    `Proposal ${id} is ${state}: ${what} is not possible. ${POSSIBLE[state]}`,
    { data: { state } },
  );

/** Throws SvcError `bad-argument` for an unknown warning, and `conflict` where one is missing. */
function checkAllowed({ id, checks }: StoredProposal, allow: readonly string[]): void {
  const unknown = allow.find((one) => !checks.warnings.some((warning) => warning.id === one));
  if (unknown !== undefined)
    throw new SvcError('bad-argument', `Proposal ${id} has no warning ${unknown}.`);
  const missing = checks.warnings.filter((one) => one.allow && !allow.includes(one.id));
  if (missing.length === 0) return;
  throw new SvcError(
    'conflict',
    `The approval must accept these warnings: ${missing
      .map(({ id: warning, path, says }) => `${warning} (${path}: ${says})`)
      .join('; ')}.`,
    { data: { warnings: missing } },
  );
}

const formatDecision = ({ person }: Decision, now: number, reason: string | null): string =>
  formatStoredJson({ at: toIsoTime(now), author: person.name, by: 'member', reason });

/**
 * Approves exactly the content with this hash. Throws SvcError `precondition-failed` for another one, `bad-argument`,
 * `conflict` where a warning is not named, and `not-possible-now`.
 */
export async function approveProposal(
  { database, clock }: StoreContext,
  decision: Decision,
  { hash, allow = [] }: { hash: string; allow?: string[] },
): Promise<void> {
  const { team, id } = decision;
  const row = await readProposal(database.sql, team.id, id);
  if (hash !== row.hash)
    throw new SvcError(
      'precondition-failed',
      `The approval is for different content than that of proposal ${id}. Review it again.`,
    );
  if (row.state === 'open') checkAllowed(row, allow);
  const allowedIds = JSON.stringify([...new Set(allow)].sort());
  const now = clock.now();
  const { count } = await database.confirm(
    () => database.sql`
      update proposals set state = 'approved', problem = null, changed_at = ${new Date(now)},
        approval = ${formatDecision(decision, now, null)}::text::jsonb, allowed = ${allowedIds}::text::jsonb
      where team_id = ${team.id} and id = ${id} and state = 'open' and hash = ${hash}`,
  );
  if (count === 0) throw createStateError(await readProposal(database.sql, team.id, id), 'approve');
}

/** Throws SvcError `not-possible-now` where it is decided for good. */
export async function rejectProposal(
  { database, clock }: StoreContext,
  decision: Decision,
  reason: string | null,
): Promise<void> {
  const { team, id } = decision;
  await readProposal(database.sql, team.id, id);
  const now = clock.now();
  const count = await database.confirm(() =>
    database.transaction(async (sql) => {
      const rejection = await sql`
        update proposals set state = 'rejected', problem = null, changed_at = ${new Date(now)},
          rejection = ${formatDecision(decision, now, reason)}::text::jsonb
        where team_id = ${team.id} and id = ${id} and state in ('open', 'approved', 'applying', 'conflicted')`;
      if (rejection.count > 0) await noteOverlayChange(sql, team.id);
      return rejection.count;
    }),
  );
  if (count === 0) throw createStateError(await readProposal(database.sql, team.id, id), 'reject');
}
