import { setup } from 'xstate';
import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import type { LogFrame } from '../../src/contract/schema/job/frames.ts';
import { createEffectAction, createChangeActions } from '../kit/actions.ts';
import { createEventChangeBuilder } from '../kit/change.ts';
import type { ReviewAnswer, ReviewPorts } from './ports.ts';
import { makeOnFirstUse } from '../../src/base/concurrency/makeOnFirstUse.ts';

/** Most eventless transitions; the chart has none, so more would be a cycle. */
const MAX_MICROSTEPS = 5;

export interface ReviewInput {
  reviewId: string;
  /** The job that owns the pull request. */
  jobId: string;
}

export interface ReviewContext extends ReviewInput {
  /** How often sending has begun. */
  attempts: number;
}

/** `at` (epoch ms) is stamped by the kernel on every event. */
export type ReviewEvent = (
  | ReviewAnswer
  /** The timer of `waiting`. */
  | { type: 'review.due' }
  | { type: 'effect.givenUp'; error: string }
) & { at: number };

type Effects = ReviewPorts & Pick<IntrinsicParams, 'timer.set' | 'row.patch' | 'frame.add'>;
type Effect = {
  [Name in keyof Effects]: { type: Name; params: Effects[Name] };
}[keyof Effects];

const TIMER = 'again';

const base = setup({
  types: {
    context: {} as ReviewContext,
    events: {} as ReviewEvent,
    input: {} as ReviewInput,
    meta: {} as { waits: string },
  },
  actions: {
    'review.send': createEffectAction<Effects['review.send']>(),
    'timer.set': createEffectAction<Effects['timer.set']>(),
    'row.patch': createEffectAction<Effects['row.patch']>(),
    'frame.add': createEffectAction<Effects['frame.add']>(),
  },
});

const onReviewEvent = createEventChangeBuilder<ReviewContext, ReviewEvent, Effect>();

const logReviewLine = ({ jobId }: ReviewContext, at: number, line: string): Effect => ({
  type: 'frame.add',
  params: {
    actor: jobId,
    kind: 'log',
    data: {
      at: new Date(at).toISOString(),
      phase: 'review',
      visit: 0,
      from: 'runner',
      tag: 'review',
      line,
    } satisfies LogFrame,
  },
});

const reviewSetup = base.extend({
  actions: createChangeActions<ReviewContext, ReviewEvent, Effect>()({
    send: ({ reviewId, attempts }: ReviewContext) => ({
      context: { attempts: attempts + 1 },
      effects: [{ type: 'review.send' as const, params: { reviewId, attempt: attempts + 1 } }],
    }),
    tell: onReviewEvent(['review.sent'], (context, { line, at }) => ({
      context: {},
      effects: [logReviewLine(context, at, line)],
    })),
    waitUntil: onReviewEvent(['review.postponed'], (_context, { until }) => ({
      context: {},
      effects: [
        { type: 'timer.set', params: { name: TIMER, due: until, event: { type: 'review.due' } } },
      ],
    })),
    fail: onReviewEvent(['effect.givenUp'], (context, { error, at }) => ({
      context: {},
      effects: [
        {
          type: 'row.patch',
          params: {
            table: 'reviews',
            key: { id: context.reviewId },
            set: { state: 'failed', problem: error },
          },
        },
        logReviewLine(context, at, `the review could not be sent: ${error}`),
      ],
    })),
  }),
});

/**
 * One review of a person on its way to a forge behind a network. Its row holds what is to be
 * written; what the agent gets of it went into the job's inbox in the commit that began this.
 *
 * **sending** - in it while the review is sent. On entry `review.send` is asked for; it finds what
 * is at the forge already and writes the rest. Leaves: `review.sent` → over, whatever the forge did
 * not take; `review.postponed` → waiting; the sending given up → over, and the row says why.
 *
 * **waiting** - in it while the forge cannot be reached or takes no requests. On entry a timer is
 * set. Leaves: the timer → sending.
 *
 * **over** - nothing more is sent.
 */
export const reviewMachine = makeOnFirstUse(() =>
  reviewSetup.createMachine({
    id: 'review',
    context: ({ input }) => ({ ...input, attempts: 0 }),
    initial: 'sending',
    states: {
      sending: {
        meta: { waits: 'for the forge to take the review' },
        entry: 'send',
        on: {
          'review.sent': { target: 'over', actions: 'tell' },
          'review.postponed': { target: 'waiting', actions: 'waitUntil' },
          'effect.givenUp': { target: 'over', actions: 'fail' },
        },
      },
      waiting: {
        meta: { waits: 'until the forge is asked again' },
        on: { 'review.due': 'sending' },
      },
      over: { meta: { waits: 'for nothing: the review is over' } },
    },
    options: { maxIterations: MAX_MICROSTEPS },
  }),
);
