import type { ActorState } from '../../src/kernel/chart.ts';
import type { RowChange } from '../../src/contract/records/changes.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import type { JobContext } from './jobContext.ts';

type WaitRow = Tables['quota_waits'];

/** The row of a job that waits for a pool; null while it does not. */
function toQuotaWaitRow(state: ActorState | undefined): WaitRow | null {
  if (state === undefined) return null;
  const { id, parked, interactive, createdAt } = state.context as JobContext;
  if (parked?.kind !== 'quota' || parked.pool === undefined) return null;
  return { pool: parked.pool, headless: interactive ? 0 : 1, since: createdAt, job_id: id };
}

/** Who waits for which pool: interactive jobs first, then the oldest. */
export function buildQuotaWaitRows(
  before: ActorState | undefined,
  after: ActorState,
): RowChange<'quota_waits'>[] {
  const [was, is] = [toQuotaWaitRow(before), toQuotaWaitRow(after)];
  if (was?.pool === is?.pool) return [];
  return [
    ...(was === null ? [] : [{ op: 'drop' as const, table: 'quota_waits' as const, key: was }]),
    ...(is === null ? [] : [{ op: 'put' as const, table: 'quota_waits' as const, row: is }]),
  ];
}
