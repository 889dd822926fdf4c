import type { SessionRef } from '../../contract/session/sessionRef.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';

export interface ForbiddenCall {
  rule: string;
  tool: string;
  /** The agent's answer: the rule, and what to do instead. */
  why: string;
}

/** Most rows per job; the oldest are removed first. */
export const MAX_FORBIDDEN_CALLS = 100;

/** One row per rule and call, with the last time and the number of times. */
export function toForbiddenCallRows(
  rows: TypedRows<Tables>,
  { jobId, visit, phase }: Pick<SessionRef, 'jobId' | 'visit' | 'phase'>,
  { rule, tool, why }: ForbiddenCall,
  at: number,
): RowChange[] {
  const key = { job_id: jobId, rule, tool };
  const [before] = rows.all('forbidden_calls', key);
  const times = (before?.times ?? 0) + 1;
  const row = { ...key, message: why, phase, visit, at, times };
  const over = before
    ? 0
    : rows.count('forbidden_calls', { job_id: jobId }) + 1 - MAX_FORBIDDEN_CALLS;
  const droppedCalls =
    over <= 0 ? [] : rows.all('forbidden_calls', { job_id: jobId }, { order: 'at', limit: over });
  return [
    ...droppedCalls.map(
      (old): RowChange => ({
        op: 'drop',
        table: 'forbidden_calls',
        key: { job_id: old.job_id, rule: old.rule, tool: old.tool },
      }),
    ),
    { op: 'put', table: 'forbidden_calls', row },
  ];
}
