import { findWriteProblem } from '../../../machines/index.ts';
import { collectForgeFacts } from './collectForgeFacts.ts';
import type { WriteFactsDeps } from './knownWrite.ts';
import { collectTicketFacts } from './collectTicketFacts.ts';

/** The answer to a write that an agent asks for. */
export interface WriteLeave {
  /** Why it is refused, and what a person could do about it; null = it may be done. */
  problem: string | null;
  /** The arguments to do it with. */
  args: Record<string, unknown>;
}

/** Whether an agent of a job may do a write at a forge or tracker, by its id. */
export type WriteAccess = (
  jobId: string,
  provider: string,
  operation: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<WriteLeave>;

/**
 * Looks up what the rule needs to know, and applies it. Used when a tool call is accepted and again
 * right before the write: what a job owns may have changed in between. A provider that does not
 * exist is not a matter of access; the write itself reports it.
 */
export const createWriteAccess =
  (deps: WriteFactsDeps): WriteAccess =>
  async (jobId, provider, operation, args) => {
    const write = { operation, args };
    const forge = deps.forges.get(provider);
    if (forge) {
      const { place, facts } = await collectForgeFacts(deps, jobId, forge, write);
      return { problem: findWriteProblem(operation, place, facts), args: { ...args } };
    }
    const tracker = deps.trackers.get(provider);
    if (!tracker) return { problem: null, args: { ...args } };
    const { place, facts, key } = collectTicketFacts(deps, jobId, tracker, write);
    return {
      problem: findWriteProblem(operation, place, facts),
      args: { ...args, ...(key === null ? {} : { key }) },
    };
  };
