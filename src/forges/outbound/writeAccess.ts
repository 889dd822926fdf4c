import { findWriteProblem } from '../../../machines/index.ts';
import { collectForgeFacts } from './collectForgeFacts.ts';
import type { WriteFactsDeps } from './knownWrite.ts';
import { collectTicketFacts } from './collectTicketFacts.ts';

export interface WriteLeave {
  problem: string | null;
  /** The arguments that the write is to use. */
  args: Record<string, unknown>;
}

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
