import type { EventWait } from '../eventWait.ts';
import type { PrRef } from '../jobContext.ts';
import { mayWakeBy } from './wakeMatch.ts';

/** What happens to a pull request because of a person: a review, a comment, its end. */
const BY_A_PERSON = [
  'approved',
  'changes_requested',
  'commented',
  'review_thread',
  'merged',
  'closed',
  'reopened',
] as const;

/**
 * Whether a job waits for what only a person does to one of its open pull requests. Waits for CI
 * alone (`check_passed`, `check_failed`, `conflict`) do not count, nor do pull requests blocked
 * until a person looks at a problem.
 */
export function isAwaitingReview(
  { kinds, external }: Pick<EventWait, 'kinds' | 'external'>,
  prs: readonly Pick<PrRef, 'state' | 'blocked'>[],
): boolean {
  if (external !== undefined || !BY_A_PERSON.some((kind) => mayWakeBy(kinds, kind))) return false;
  return prs.some(({ state, blocked }) => state === 'open' && blocked?.asks !== true);
}
