import { by, type JobChange } from './change.ts';
import { timeOf } from '../kit/eventTime.ts';
import type { JobContext } from './jobContext.ts';
import type { JobEvent } from './jobEvents.ts';
import { line } from './log.ts';
import { park } from './personChanges.ts';
import { decisionRow } from './decisionRows.ts';
import { flagOf, looksStuck, mayPause } from './rules/judgement.ts';
import { pausedBy } from './unattendedChanges.ts';

const TAG = 'overseer';

const termsOf = ({ stop }: JobContext) => {
  if (!stop?.judge) throw new Error('rated without terms');
  return stop.judge;
};

const whyOverdue = (event: JobEvent): string =>
  event.type === 'effect.givenUp'
    ? `It could not be asked: ${event.error}`
    : 'The provider did not answer in time.';

/** Changes by the decision layer's rating of a phase. */
export const judgementChanges = {
  storeJudgement: by(['phase.judged'], (context, event) => {
    const { visit, phase } = context;
    const { judgement } = event;
    const terms = termsOf(context);
    const flag = flagOf(judgement, terms.thresholds);
    const pauses = flag !== null && mayPause(context, terms);
    const { outcome } = judgement;
    const text =
      'skipped' in outcome
        ? `phase ${phase} was not rated: ${outcome.skipped}`
        : `phase ${phase} was rated: ${Math.round(outcome.answers.goal.probability * 100)} % likely to serve the objective${flag === null ? '' : `; flagged, ${flag}`}`;
    return {
      context: { judged: { visit, phase, flag, stuck: looksStuck(judgement), pauses } },
      effects: [
        {
          type: 'row.put',
          params: decisionRow(context, timeOf(context, event), { terms, judgement, flag, pauses }),
        },
        line(context, event, TAG, text),
      ],
    };
  }),
  /** No rating is invented. */
  skipJudgement: (context, event) => {
    const { visit, phase } = context;
    const skipped = whyOverdue(event);
    return {
      context: { judged: { visit, phase, flag: null, stuck: false, pauses: false } },
      effects: [
        {
          type: 'row.put',
          params: decisionRow(context, timeOf(context, event), {
            terms: termsOf(context),
            skipped,
          }),
        },
        line(context, event, TAG, `phase ${phase} was not rated: ${skipped}`),
      ],
    };
  },
  pauseJudging: (context, event) => ({
    context: { ...pausedBy(context, event), pausedFrom: 'judging', given: null },
  }),
  parkFlagged: (context, event) => ({
    context: {
      ...park(
        context,
        event,
        'flagged',
        `phase ${context.phase}: ${context.judged?.flag ?? 'it was flagged'}. Resume continues as it is, a message runs the phase again`,
      ),
      status: 'awaiting-developer-input',
      given: null,
    },
  }),
  /** For this visit alone; the phase may be flagged again when it runs again. */
  dismissFlag: ({ judged }) =>
    judged ? { context: { judged: { ...judged, pauses: false } } } : {},
} satisfies Record<string, JobChange>;
