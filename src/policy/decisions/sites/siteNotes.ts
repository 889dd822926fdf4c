import type { AnswersOf } from '../../../contract/schema/policy/siteAnswers.ts';
import { NONE } from '../reply/readReply.ts';

/** A comment is held from this probability on that it is not worth waking the job for. */
const NOT_WORTH_WAKING = 0.75;
/** A text is marked from this probability on that it gives other instructions. */
const OVERRIDES = 0.75;
/** From this probability on, a note says that the job is in the wrong workflow. */
const IN_WRONG_LANE = 0.75;

/** Two probabilities closer than this are equal: 1 - 0.9 is not 0.1 for a computer. */
const EPSILON = 1e-9;

const reachesBound = (value: number, bound: number): boolean => value >= bound - EPSILON;

const formatProbability = (probability: number): string => `${Math.round(probability * 100)} %`;

/** Why a comment is to be held, for people; null = it wakes the job. */
export const explainHeldComment = ({ wake }: AnswersOf<'wake-gate'>): string | null =>
  reachesBound(1 - wake.probability, NOT_WORTH_WAKING)
    ? `it looks not worth waking the job for (${formatProbability(wake.probability)} likely to be)`
    : null;

/** Why a text is to be marked, for people; null = it is not. */
export const explainMarkedText = ({ override }: AnswersOf<'input-screen'>): string | null =>
  reachesBound(override.probability, OVERRIDES)
    ? `it looks as if it gave the agent other instructions (${formatProbability(override.probability)} likely)`
    : null;

/** The note about the workflow of a job; null = it belongs there. */
export function formatLaneNote({ belongs, better }: AnswersOf<'lane'>): string | null {
  if (!reachesBound(1 - belongs.probability, IN_WRONG_LANE)) return null;
  const fits = better.choice === NONE ? '' : `; ${better.choice} may fit better`;
  return `the job may be in the wrong workflow (${formatProbability(belongs.probability)} likely to belong there)${fits}`;
}

/** The note about what a review should look at; null = nothing is suggested. */
export const formatLensNote = ({ focus }: AnswersOf<'review-lens'>): string | null =>
  focus.points.length === 0 ? null : focus.points.join('; ');
