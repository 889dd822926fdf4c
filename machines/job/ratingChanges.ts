import { onJobEvent, type JobChange } from './change.ts';
import { toEventTime } from '../kit/eventTime.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { createLogEffect } from './log.ts';
import { createParkRecord } from './personChanges.ts';
import { explainFlag, isLikelyStuck, mayPause } from './rules/explainFlag.ts';
import { recordPauseCause } from './unattendedChanges.ts';
import type { IntrinsicParams } from '../../src/contract/records/changes.ts';
import type { CommittedRating, RatingTerms } from '../../src/contract/schema/policy/decision.ts';

type Put = IntrinsicParams['row.put'];

/** The rating, or why none exists. */
type RatingOutcome =
  | { terms: RatingTerms; rating: CommittedRating; flag: string | null; pauses: boolean }
  | { terms: RatingTerms; skipped: string };

/** A record of the decision layer. Its id is the session's, so a repeat is the same record. */
function toDecisionRow(
  { id, visit, session, phase }: JobContext,
  at: number,
  ratingOutcome: RatingOutcome,
): Put {
  const { mode, provider, model, recordedModel = model } = ratingOutcome.terms;
  const rating = 'rating' in ratingOutcome ? ratingOutcome.rating : null;
  const outcome = rating?.outcome ?? {
    skipped: 'skipped' in ratingOutcome ? ratingOutcome.skipped : '',
  };
  const answers = 'answers' in outcome ? outcome.answers : null;
  const unmet = rating?.obligations.find(({ id: one }) => one === answers?.requirement.choice);
  return {
    table: 'decisions',
    row: {
      job_id: id,
      key: `overseer/${visit}/${session}`,
      site: 'overseer',
      at,
      phase,
      visit,
      mode,
      provider,
      model: recordedModel,
      digest_version: rating?.digestVersion ?? null,
      digest_sha: rating?.digestSha ?? null,
      ms: rating?.ms ?? null,
      unmet: unmet?.text ?? null,
      unmet_confidence: answers && unmet ? answers.requirement.confidence : null,
      goal: answers?.goal.probability ?? null,
      seriousness: answers?.seriousness.score ?? null,
      stuck: answers?.stuck.probability ?? null,
      raw: answers === null ? null : JSON.stringify(answers),
      skipped: 'skipped' in outcome ? outcome.skipped : null,
      seen: rating === null ? null : JSON.stringify(rating.seen),
      flag: 'flag' in ratingOutcome ? ratingOutcome.flag : null,
      pauses: 'pauses' in ratingOutcome && ratingOutcome.pauses ? 1 : 0,
    },
  };
}

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
    const reason = explainMissingRating(event);
    return {
      context: { judged: { visit, phase, flag: null, stuck: false, pauses: false } },
      effects: [
        {
          type: 'row.put',
          params: toDecisionRow(context, toEventTime(context, event), {
            terms: requireRatingTerms(context),
            skipped: reason,
          }),
        },
        createLogEffect(context, event, TAG, `phase ${phase} was not rated: ${reason}`),
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
