import { onJobEvent, type JobChange } from './change.ts';
import { toEventTime } from '../kit/eventTime.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { createLogEffect } from './log.ts';
import { createParkRecord } from './personChanges.ts';
import { toDecisionRow } from './toDecisionRow.ts';
import { explainFlag, isLikelyStuck, mayPause } from './rules/explainFlag.ts';
import { recordPauseCause } from './unattendedChanges.ts';

const TAG = 'overseer';

const requireRatingTerms = ({ stop }: JobContext) => {
  if (!stop?.judge) throw new Error('rated without terms');
  return stop.judge;
};

const explainMissingRating = (event: JobEvent): string =>
  event.type === 'effect.givenUp'
    ? `It could not be asked: ${event.error}`
    : 'The provider did not answer in time.';

export const ratingChanges = {
  storeRating: onJobEvent(['phase.judged'], (context, event) => {
    const { visit, phase } = context;
    const { judgement: rating } = event;
    const terms = requireRatingTerms(context);
    const flag = explainFlag(rating, terms.thresholds);
    const pauses = flag !== null && mayPause(context, terms);
    const { outcome } = rating;
    const text =
      'skipped' in outcome
        ? `phase ${phase} was not rated: ${outcome.skipped}`
        : `phase ${phase} was rated: ${Math.round(outcome.answers.goal.probability * 100)} % likely to serve the objective${flag === null ? '' : `; flagged, ${flag}`}`;
    return {
      context: { judged: { visit, phase, flag, stuck: isLikelyStuck(rating), pauses } },
      effects: [
        {
          type: 'row.put',
          params: toDecisionRow(context, toEventTime(context, event), {
            terms,
            rating,
            flag,
            pauses,
          }),
        },
        createLogEffect(context, event, TAG, text),
      ],
    };
  }),
  /** A skipped rating is recorded as such; none is invented. */
  skipRating: (context, event) => {
    const { visit, phase } = context;
    const skipped = explainMissingRating(event);
    return {
      context: { judged: { visit, phase, flag: null, stuck: false, pauses: false } },
      effects: [
        {
          type: 'row.put',
          params: toDecisionRow(context, toEventTime(context, event), {
            terms: requireRatingTerms(context),
            skipped,
          }),
        },
        createLogEffect(context, event, TAG, `phase ${phase} was not rated: ${skipped}`),
      ],
    };
  },
  pauseRating: (context, event) => ({
    context: { ...recordPauseCause(context, event), pausedFrom: 'judging', given: null },
  }),
  parkFlagged: (context, event) => ({
    context: {
      ...createParkRecord(
        context,
        event,
        'flagged',
        `phase ${context.phase}: ${context.judged?.flag ?? 'it was flagged'}. Resume continues as it is, a message runs the phase again`,
      ),
      status: 'awaiting-developer-input',
      given: null,
    },
  }),
  /** Only for this visit: the phase may be flagged again when it reruns. */
  dismissFlag: ({ judged }) =>
    judged ? { context: { judged: { ...judged, pauses: false } } } : {},
} satisfies Record<string, JobChange>;
