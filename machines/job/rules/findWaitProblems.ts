import type { EventWait } from '../eventWait.ts';
import type { PrRef } from '../jobContext.ts';
import { isPrEnd } from './wakeMatch.ts';

type Pr = Pick<PrRef, 'prId' | 'state' | 'blocked'>;

/** Known problems of the open pull requests, one sentence each without full stop. */
export const listPrProblems = (prs: readonly Pr[]): string[] =>
  prs.flatMap(({ prId, state, blocked }) =>
    state === 'open' && blocked ? [`${prId}: ${blocked.why}`] : [],
  );

const findAwaitedPr = ({ prId, external }: EventWait, prs: readonly Pr[]): Pr | undefined =>
  external === undefined ? prs.find((pr) => pr.prId === prId) : undefined;

/** Why the awaited event may not come, one sentence each without full stop; empty = unknown. */
export function findWaitProblems(wait: EventWait, prs: readonly Pr[]): string[] {
  const own = findAwaitedPr(wait, prs);
  const over =
    own && isPrEnd(own.state)
      ? [`${own.prId} ${own.state === 'merged' ? 'is merged' : 'was closed without a merge'}`]
      : [];
  return [...over, ...(wait.external === undefined ? listPrProblems(prs) : [])];
}

/**
 * Whether a person must look because the awaited event cannot come: the named pull request is over
 * or has a problem that needs a person, or every open one has. Comments on a followed ticket may
 * still come.
 */
export function isStalled(wait: EventWait, prs: readonly Pr[]): boolean {
  const { external, followed = [] } = wait;
  if (external !== undefined || followed.length > 0) return false;
  const isBlocked = ({ state, blocked }: Pr): boolean => isPrEnd(state) || blocked?.asks === true;
  const own = findAwaitedPr(wait, prs);
  return own ? isBlocked(own) : prs.length > 0 && prs.every(isBlocked);
}
