import type { ActorState } from '../../src/kernel/chart.ts';
import type { RowChange } from '../../src/contract/records/changes.ts';
import type { JobEvent } from './jobEvents.ts';

const hasSlotTag = (state: ActorState | undefined): boolean =>
  state?.tags.includes('slot') ?? false;

/**
 * What a job holds of its budgets: held in the commit that grants its slot, and settled, by what
 * the ledger has of it, in the one that frees the slot.
 */
export function buildHoldRows(
  before: ActorState | undefined,
  after: ActorState,
  event: { type: string },
): RowChange<'budget_holds'>[] {
  if (hasSlotTag(before) && !hasSlotTag(after))
    return [{ op: 'drop', table: 'budget_holds', key: { job_id: after.id } }];
  const { type, hold } = event as Partial<Extract<JobEvent, { type: 'slot.granted' }>>;
  return type === 'slot.granted' && hold !== undefined && hasSlotTag(after)
    ? [{ op: 'put', table: 'budget_holds', row: hold }]
    : [];
}
