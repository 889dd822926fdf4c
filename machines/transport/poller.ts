import { assign, fromPromise, setup } from 'xstate';

/** How one poll ended. */
export interface PollOutcome {
  /** Epoch ms before which the forge wants no more questions; null = whenever it is time. */
  notBefore: number | null;
}

interface PollerInput {
  intervalMs: number;
  now(): number;
  /** At least 0, below 1. */
  random(): number;
}

interface PollerContext extends PollerInput {
  /** Polls in a row that failed. */
  failures: number;
  notBefore: number | null;
  /** Somebody has asked for a poll while one was under way, which may have looked too early. */
  again: boolean;
}

/** Longest wait after failures, ms. */
export const LONGEST_WAIT_MS = 15 * 60_000;
/** Part of the interval by which each wait is changed by chance, so that runners do not ask all at once. */
const JITTER = 0.2;

/** Wait before the next poll, ms. */
export function pollWait({ intervalMs, failures, notBefore, now, random }: PollerContext): number {
  const usual = Math.min(intervalMs * 2 ** failures, Math.max(LONGEST_WAIT_MS, intervalMs));
  const jittered = usual * (1 - JITTER / 2 + JITTER * random());
  return Math.max(jittered, (notBefore ?? 0) - now());
}

/**
 * Asks a forge for news again and again: at once when it starts, then every interval, later after failures. Live: it is made anew
 * at each start of the runner, and knows nothing that could be lost.
 */
export const pollerMachine = setup({
  types: { context: {} as PollerContext, input: {} as PollerInput, events: {} as { type: 'poll.now' } },
  actors: {
    poll: fromPromise<PollOutcome>(() => Promise.reject(new Error('poll is not provided'))),
  },
  delays: { untilNext: ({ context }) => pollWait(context) },
}).createMachine({
  id: 'poller',
  context: ({ input }) => ({ ...input, failures: 0, notBefore: null, again: false }),
  initial: 'polling',
  states: {
    polling: {
      entry: assign({ again: false }),
      on: { 'poll.now': { actions: assign({ again: true }) } },
      invoke: {
        src: 'poll',
        onDone: [
          {
            guard: ({ context, event }) => context.again && event.output.notBefore === null,
            target: 'polling',
            reenter: true,
            actions: assign({ failures: 0, notBefore: null }),
          },
          { target: 'waiting', actions: assign(({ event }) => ({ failures: 0, notBefore: event.output.notBefore })) },
        ],
        onError: { target: 'waiting', actions: assign(({ context }) => ({ failures: context.failures + 1, notBefore: null })) },
      },
    },
    waiting: {
      after: { untilNext: 'polling' },
      // Not before the forge wants to be asked again.
      on: { 'poll.now': { guard: ({ context }) => (context.notBefore ?? 0) <= context.now(), target: 'polling' } },
    },
  },
});
