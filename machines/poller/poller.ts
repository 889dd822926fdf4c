import { assign, fromPromise, setup } from 'xstate';
import type { PollOutcome, PollerPorts } from './ports.ts';

interface PollerInput extends Omit<PollerPorts, 'poll'> {
  intervalMs: number;
  /** What the forge shows may be this old, ms. */
  settleMs: number;
}

interface PollerContext extends PollerInput {
  /** Polls in a row that failed. */
  failures: number;
  notBefore: number | null;
  /** Somebody has asked for a poll while one was under way, which may have looked too early. */
  again: boolean;
  /**
   * Waits before further looks after a wish, ms, the next one first: the forge may not show yet
   * what it has announced.
   */
  looks: readonly number[];
}

/** First further look after a wish, ms: most forges lag by less. */
export const SOON_MS = 2_000;

/** Longest wait after failures, ms. */
export const LONGEST_WAIT_MS = 15 * 60_000;
/**
 * Part of the interval by which each wait is changed by chance, so that runners do not ask all at
 * once.
 */
const JITTER = 0.2;

/** Wait before the next poll, ms. */
export function pollWait({
  intervalMs,
  failures,
  notBefore,
  looks,
  now,
  random,
}: PollerContext): number {
  const usual = Math.min(intervalMs * 2 ** failures, Math.max(LONGEST_WAIT_MS, intervalMs));
  const jittered = usual * (1 - JITTER / 2 + JITTER * random());
  const wanted = failures === 0 ? Math.min(jittered, looks[0] ?? jittered) : jittered;
  return Math.max(wanted, (notBefore ?? 0) - now());
}

/**
 * Asks a forge for news again and again: at once when it starts, then every interval, later after
 * failures. Live: it is made anew at each start of the runner, and knows nothing that could be
 * lost.
 *
 * **polling** - in it while the forge is asked. Leaves: its answer or its failure → waiting; where
 * somebody wished for a poll meanwhile → polling once more.
 *
 * **waiting** - in it until the next poll. Leaves: the time → polling; a wish (`poll.now`) →
 * polling at once, unless the forge wants no questions yet. A wish is followed by two more looks,
 * one soon and one when the forge has settled.
 */
export const pollerMachine = setup({
  types: {
    context: {} as PollerContext,
    input: {} as PollerInput,
    events: {} as { type: 'poll.now' },
  },
  actors: {
    poll: fromPromise<PollOutcome>(() => Promise.reject(new Error('poll is not provided'))),
  },
  actions: {
    // Somebody knows that something has happened.
    wished: assign(({ context }) => ({ looks: [SOON_MS, context.settleMs] })),
  },
  delays: { untilNext: ({ context }) => pollWait(context) },
}).createMachine({
  id: 'poller',
  context: ({ input }) => ({ ...input, failures: 0, notBefore: null, again: false, looks: [] }),
  initial: 'polling',
  states: {
    polling: {
      entry: assign({ again: false }),
      on: { 'poll.now': { actions: [assign({ again: true }), 'wished'] } },
      invoke: {
        src: 'poll',
        onDone: [
          {
            guard: ({ context, event }) => context.again && event.output.notBefore === null,
            target: 'polling',
            reenter: true,
            actions: assign({ failures: 0, notBefore: null }),
          },
          {
            target: 'waiting',
            actions: assign(({ event }) => ({ failures: 0, notBefore: event.output.notBefore })),
          },
        ],
        onError: {
          target: 'waiting',
          actions: assign(({ context }) => ({ failures: context.failures + 1, notBefore: null })),
        },
      },
    },
    waiting: {
      after: {
        untilNext: {
          target: 'polling',
          actions: assign(({ context: { looks } }) => ({ looks: looks.slice(1) })),
        },
      },
      // Not before the forge wants to be asked again.
      on: {
        'poll.now': {
          guard: ({ context }) => (context.notBefore ?? 0) <= context.now(),
          target: 'polling',
          actions: 'wished',
        },
      },
    },
  },
});
