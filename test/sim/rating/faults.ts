import { type AnyStateMachine, assign, createMachine } from 'xstate';
import { jobChart } from '../../../machines/index.ts';
import { jobMachine } from '../../../machines/job/job.ts';
import type { DurableChart } from '../../../src/kernel/chart.ts';
import type { RowChange } from '../../../src/kernel/rowChange.ts';
import type { CommittedRating } from '../../../src/contract/schema/policy/decision.ts';
import { goodAnswers } from '../../support/decisions/aQuestion.ts';
import type { RatingPort, RatingFault } from './simulateRating.ts';

type Parts = Parameters<ReturnType<typeof jobMachine>['provide']>[0];

const chartWith = (parts: Parts): DurableChart => ({
  ...jobChart,
  machine: jobMachine().provide(parts),
});

const { config } = jobMachine();
const parked = config.states?.parked;

/** Jobs that go there when a person has continued what was flagged. */
const dismissedTo = (target: string, parts: Parts = {}): DurableChart => {
  const states = { ...parked?.states, dismissed: { always: target } };
  const changed = { ...config, states: { ...config.states, parked: { ...parked, states } } };
  const machine: AnyStateMachine = createMachine(
    changed as never,
    jobMachine().implementations as never,
  );
  return { ...jobChart, machine: machine.provide(parts as never) };
};

const SETTLING = '#job.working.settling';

/** They hold all truths as well. */
export const SETTLING_AGAIN = dismissedTo(SETTLING);

/** What is kept of an answer is changed. */
const createRatingAnswer =
  (
    change: (rating: CommittedRating) => Partial<CommittedRating>,
  ): NonNullable<RatingFault['port']> =>
  (rate): RatingPort =>
  async (params, run) => {
    const result = await rate(params, run);
    const events = (result?.events ?? []).map((event) => {
      const rating: CommittedRating = Object(event).judgement;
      return { ...event, judgement: { ...rating, ...change(rating) } };
    });
    return { ...result, events };
  };

/** A rating in the place of whatever came. */
const invented = createRatingAnswer(() => ({
  outcome: { answers: goodAnswers, raw: null } as never,
}));

/** The record of a phase that was not rated. */
const isSkip = (change: RowChange): change is RowChange & { row: object } =>
  'row' in change && typeof Object(change.row).skipped === 'string';

/** A truth, one way in which the product breaks it, and how it does. */
export const BROKEN: readonly (readonly [sentence: string, what: string, fault: RatingFault])[] = [
  [
    'a visit has one record',
    'a skip leaves no record',
    {
      sabotage: (batch) => ({ ...batch, rows: batch.rows.filter((change) => !isSkip(change)) }),
    },
  ],
  [
    'a rating is taken once',
    'a phase that was rated is to be rated',
    {
      chart: chartWith({
        guards: { ratingDue: ({ context }) => context.stop?.judge !== undefined },
      }),
    },
  ],
  [
    'the provider is asked once, and once more after a restart',
    'each rating asks twice',
    {
      port: (rate) => async (params, run) => {
        void rate(params, run);
        return rate(params, run);
      },
    },
  ],
  ['a rating is what the provider has answered', 'a rating is invented', { port: invented }],
  [
    'a flag comes from a rating',
    'what was skipped is flagged',
    {
      sabotage: (batch) => ({
        ...batch,
        rows: batch.rows.map((change) => {
          return isSkip(change) ? { ...change, row: { ...change.row, flag: 'x' } } : change;
        }) as typeof batch.rows,
      }),
    },
  ],
  [
    'only a flag pauses',
    'every rating pauses',
    {
      chart: chartWith({
        guards: { flagPauses: ({ context: { judged, visit } }) => judged?.visit === visit },
      }),
    },
  ],
  [
    'only an interactive job is paused, and only in Manage',
    'every flag pauses',
    {
      chart: chartWith({
        guards: {
          flagPauses: ({ context: { judged, visit } }) =>
            judged?.visit === visit && judged.flag !== null,
        },
      }),
    },
  ],
  [
    'a visit is paused at most once',
    'a flag that a person has dismissed pauses again',
    { chart: dismissedTo(SETTLING, { actions: { dismissFlag: assign({}) } }) },
  ],
  [
    'every job is complete',
    'what a person continues has failed',
    { chart: dismissedTo('#job.ended.failed') },
  ],
];
