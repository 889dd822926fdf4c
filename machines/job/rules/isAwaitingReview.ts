import type { EventWait } from '../eventWait.ts';
import type { PrRef } from '../jobContext.ts';
import { mayWakeBy } from './wakeMatch.ts';

/** What happens to a pull request because a person did it: a review, a comment, its end. */
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
 * Whether a job waits for what only a person does to one of its open pull requests. A wait for
 * nothing but CI (`check_passed`, `check_failed`, `conflict`) does not count, nor does a wait for a
 * pull request from which nothing can come before a person has looked at what is wrong with it.
 */
export function isAwaitingReview(
  { kinds, external }: Pick<EventWait, 'kinds' | 'external'>,
  prs: readonly Pick<PrRef, 'state' | 'blocked'>[],
): boolean {
  if (external !== undefined || !BY_A_PERSON.some((kind) => mayWakeBy(kinds, kind))) return false;
  return prs.some(({ state, blocked }) => state === 'open' && blocked?.asks !== true);
}
