import type { JobContext } from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import { listLeafPaths } from '../../base/json/listLeafPaths.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { isInboxItemOpen, listPhaseVisits } from './jobRows.ts';
import { findMessageItem, type MessageStanding } from './messageRows.ts';

const WITH_SESSION: ReadonlySet<string> = new Set(['working.inSession', 'working.stopping']);
/** A failed job is missing here: it can be resumed, and then its messages are read. */
const FINAL: ReadonlySet<string> = new Set([
  'ended.complete',
  'ended.escalated',
  'ended.cancelled',
]);

/** `since`: when the current state began, epoch ms. */
export function readMessageStanding(
  { value, context }: ActorState<JobContext>,
  since: number,
  rows: RowReader,
): MessageStanding {
  const at = listLeafPaths(value);
  const phases = new Map(
    listPhaseVisits(rows, context.id).map(({ visit, phase }) => [visit, phase]),
  );
  return {
    live: at.some((state) => WITH_SESSION.has(state))
      ? { visit: context.visit, session: context.session }
      : null,
    endedAt: at.some((state) => FINAL.has(state)) ? since : null,
    phaseOf: (visit) => phases.get(visit) ?? null,
  };
}

/**
 * The number of the inbox item of a message that another one may replace. Throws SvcError
 * `not-found`, or `not-possible-now` if an agent was given it. If one is given it in the same
 * commit, the replacement is not sent.
 */
export function requireReplaceable(rows: RowReader, jobId: string, id: string): number {
  const item = findMessageItem(rows, jobId, id);
  if (!item) throw new SvcError('not-found', `${jobId} has no message ${id}.`);
  if (!isInboxItemOpen(item) || rows.count('message_offers', { job_id: jobId, id }) > 0) {
    throw new SvcError(
      'not-possible-now',
      `The message ${id} has already been given to an agent or replaced. Send another one that corrects it.`,
    );
  }
  return item.n;
}
