import type { ActorState, DurableChart } from '../../src/kernel/chart.ts';
import { type ReviewContext, type ReviewEvent, reviewMachine } from './review.ts';

/** Raise it with every change that older snapshots do not survive unmigrated. */
const REVIEW_CHART_VERSION = 1;

const SENDERS: Readonly<Record<ReviewEvent['type'], string>> = {
  'review.sent': 'the forge',
  'review.postponed': 'the runner',
  'review.due': 'a timer',
  'effect.givenUp': 'the kernel',
};

export const toReviewActorId = (reviewId: string): string => `review.${reviewId}`;

/** The kernel passes only what it stored under this chart's name. */
const readReviewContext = (state: ActorState): ReviewContext => state.context as ReviewContext;

export const reviewChart: DurableChart = {
  id: 'review',
  version: REVIEW_CHART_VERSION,
  about: 'One review of a person on its way to a forge: it is sent once, however often that takes.',
  versions: { 1: 'comments and a verdict as one review' },
  get machine() {
    return reviewMachine();
  },
  senders: SENDERS,
  guards: {},
  index: (state) => ({
    label: String(state.value),
    kind: 'review',
    parent: readReviewContext(state).jobId,
    slot: false,
    waitingSince: null,
    activity: state.value === 'over' ? 'ended' : state.value === 'waiting' ? 'parked' : 'live',
  }),
  frames: () => [],
  createGivenUpEvent: ({ error }) => ({ type: 'effect.givenUp', error }),
  migrations: {},
};
