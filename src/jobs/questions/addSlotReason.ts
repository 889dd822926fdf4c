import type { Why } from '../../kernel/questions.ts';
import type { Slots } from '../slots/slots.ts';

const SHARED_BUDGET_WAIT =
  'for a budget that it shares with other jobs: what is left of it is reserved by sessions at work';

/**
 * Adds to a queued job what keeps it there, which its chart does not know: low disk (`diskReason`, null =
 * there is enough), a shared budget, or jobs that have the slots.
 */
export const addSlotReason = (
  why: Why,
  slots: Pick<Slots, 'use'>,
  diskReason: string | null,
): Why => {
  if (!why.state.includes('queued')) return why;
  if (diskReason !== null) return { ...why, waitsFor: [diskReason] };
  const { used, limit } = slots.use();
  // Only a budget keeps a job in the queue that a slot is free for.
  if (used < limit) return { ...why, waitsFor: [SHARED_BUDGET_WAIT] };
  return {
    ...why,
    waitsFor: [...why.waitsFor, `${used} of ${limit} slots are in use (runner.maxConcurrentJobs)`],
  };
};
