import type { EventWait } from '../eventWait.ts';
import type { PrRef } from '../jobContext.ts';
import { isPrEnd } from './wakeMatch.ts';

type Pr = Pick<PrRef, 'prId' | 'state' | 'blocked'>;

/** What is known to be wrong with the open pull requests, a sentence without its full stop each. */
export const listPrProblems = (prs: readonly Pr[]): string[] =>
  prs.flatMap(({ prId, state, blocked }) =>
    state === 'open' && blocked ? [`${prId}: ${blocked.why}`] : [],
  );

const findAwaitedPr = ({ prId, external }: EventWait, prs: readonly Pr[]): Pr | undefined =>
  external === undefined ? prs.find((pr) => pr.prId === prId) : undefined;

/**
 * Why what a job waits for may not come, a sentence without its full stop each; empty = nothing
 * speaks against it.
 */
export function findWaitProblems(awaited: EventWait, prs: readonly Pr[]): string[] {
  const own = findAwaitedPr(awaited, prs);
  const over =
    own && isPrEnd(own.state)
      ? [`${own.prId} ${own.state === 'merged' ? 'is merged' : 'was closed without a merge'}`]
      : [];
  return [...over, ...(awaited.external === undefined ? listPrProblems(prs) : [])];
}

/**
 * Whether a person has to look, because what the job waits for cannot come: the pull request that it
 * names is over or has a problem that asks for a person, or none of its pull requests is open
 * without one. Comments on a ticket that it follows may come all the same.
 */
export function isStalled(awaited: EventWait, prs: readonly Pr[]): boolean {
  const { external, followed = [] } = awaited;
  if (external !== undefined || followed.length > 0) return false;
  const isBlocked = ({ state, blocked }: Pr): boolean => isPrEnd(state) || blocked?.asks === true;
  const own = findAwaitedPr(awaited, prs);
  return own ? isBlocked(own) : prs.length > 0 && prs.every(isBlocked);
}
