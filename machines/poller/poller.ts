import { assign, fromPromise, setup } from 'xstate';
import type { PollOutcome, PollerPorts } from './ports.ts';
import { makeOnFirstUse } from '../../src/base/concurrency/makeOnFirstUse.ts';

interface PollerInput extends Omit<PollerPorts, 'poll'> {
  intervalMs: number;
  /** How far the forge may lag behind, ms. */
  settleMs: number;
}

interface PollerContext extends PollerInput {
  /** Failed polls in a row. */
  failures: number;
  notBefore: number | null;
  /** A poll was requested during another one, which may have run too early. */
  again: boolean;
  /** Waits before further polls after a request, ms, next first: the forge may lag. */
  looks: readonly number[];
}

/** Wait before the first further poll after a request, ms; most forges lag less. */
export const SOON_MS = 2_000;

/** Longest wait after failures, ms. */
export const LONGEST_WAIT_MS = 15 * 60_000;
/** Random part of each wait (share of the interval), so that runners do not poll all at once. */
const JITTER = 0.2;

export function computePollWait({
  intervalMs,
  failures,
  notBefore,
  looks,
  now,
  random,
}: PollerContext): number {
  const usual = Math.min(intervalMs * 2 ** failures, Math.max(LONGEST_WAIT_MS, intervalMs));
  const jitteredMs = usual * (1 - JITTER / 2 + JITTER * random());
  const waitMs = Math.min(jitteredMs, (looks[0] ?? jitteredMs) * 2 ** failures);
  return Math.max(waitMs, (notBefore ?? 0) - now());
}

/**
 * Polls a forge for news: immediately when it starts, then every interval, later after failures.
 * Live: it is created at each start of the runner and holds no state that could be lost.
 *
 * **polling** - in it while the forge is asked. Leaves: its answer or its failure → waiting; if a
 * poll was requested meanwhile → polling once more.
 *
 * **waiting** - in it until the next poll. Leaves: the time → polling; a request (`poll.now`) →
 * polling immediately, unless the forge refuses requests for now. A request is followed by two more
 * polls, one soon and one when the forge has settled; where it fails, the next one is soon as well,
 * and while the forge refuses requests, it is the first one that the forge takes. Another interval (`interval.set`) restarts
 * the wait; the same one changes nothing.
 */
export const pollerMachine = makeOnFirstUse(() =>
  setup({
    types: {
      context: {} as PollerContext,
      input: {} as PollerInput,
      events: {} as { type: 'poll.now' } | { type: 'interval.set'; intervalMs: number },
    },
    actors: {
      poll: fromPromise<PollOutcome>(() => Promise.reject(new Error('poll is not provided'))),
    },
    actions: {
      // Something is known to have happened, so further polls follow.
      wished: assign(({ context }) => ({ looks: [SOON_MS, context.settleMs] })),
    },
    delays: { untilNext: ({ context }) => computePollWait(context) },
  }).createMachine({
    id: 'poller',
    context: ({ input }) => ({ ...input, failures: 0, notBefore: null, again: false, looks: [] }),
    initial: 'polling',
    on: {
      'interval.set': { actions: assign(({ event }) => ({ intervalMs: event.intervalMs })) },
    },
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
            // A failed poll has not seen what was announced.
            actions: assign(({ context: { looks, failures } }) => ({
              looks: failures === 0 ? looks.slice(1) : looks,
            })),
          },
        },
        // Not before the forge accepts requests again.
        on: {
          'poll.now': [
            {
              guard: ({ context }) => (context.notBefore ?? 0) <= context.now(),
              target: 'polling',
              actions: 'wished',
            },
            { target: 'waiting', reenter: true, actions: 'wished' },
          ],
          'interval.set': {
            guard: ({ context, event }) => event.intervalMs !== context.intervalMs,
            target: 'waiting',
            reenter: true,
            actions: assign(({ event }) => ({ intervalMs: event.intervalMs })),
          },
        },
      },
    },
  }),
);
