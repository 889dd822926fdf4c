import type { ActorState } from '../../src/kernel/chart.ts';
import type { RowChange } from '../../src/contract/records/changes.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import type { JobContext } from './jobContext.ts';

type SummaryRow = Omit<Tables['job_summaries'], 'job_id'>;

/**
 * Of one job state the parts are the same objects in the next, unless a step has changed them. What a
 * job waited for is left there when it continues: that would be a row more for each wake.
 */
const isSameSummary = (before: JobContext, after: JobContext): boolean =>
  before.params.description === after.params.description &&
  (before.parked === after.parked || after.parked === null) &&
  before.escalationMessage === after.escalationMessage &&
  before.subRunFailures === after.subRunFailures;

function toSummaryRow({
  params,
  parked,
  escalationMessage,
  subRunFailures,
}: JobContext): SummaryRow {
  return {
    description: typeof params.description === 'string' ? params.description : '',
    parked: parked === null ? null : JSON.stringify(parked),
    escalation: escalationMessage,
    failed: subRunFailures.failed,
    escalated: subRunFailures.escalated,
  };
}

/** What lists show of the job beside its row in the list, where a step has changed it. */
export function buildSummaryRows(
  before: ActorState | undefined,
  after: ActorState,
): RowChange<'job_summaries'>[] {
  const context = after.context as JobContext;
  if (before !== undefined && isSameSummary(before.context as JobContext, context)) return [];
  return [
    { op: 'put', table: 'job_summaries', row: { job_id: context.id, ...toSummaryRow(context) } },
  ];
}
