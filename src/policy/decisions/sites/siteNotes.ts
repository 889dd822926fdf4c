import type { AnswersOf } from '../../../contract/schema/policy/siteAnswers.ts';
import { NONE } from '../reply/readReply.ts';

/** Probability from which a comment is held as not worth waking the job. */
const NOT_WORTH_WAKING = 0.75;
/** Probability from which a text is marked as injected instructions. */
const OVERRIDES = 0.75;
/** Probability from which a note says that the job is in the wrong workflow. */
const IN_WRONG_LANE = 0.75;

/** Closer probabilities are equal: 1 - 0.9 is not exactly 0.1. */
const EPSILON = 1e-9;

const reachesBound = (value: number, bound: number): boolean => value >= bound - EPSILON;

const formatProbability = (probability: number): string => `${Math.round(probability * 100)} %`;

/** Why a comment is held, for people; null = it wakes the job. */
export const explainHeldComment = ({ wake }: AnswersOf<'wake-gate'>): string | null =>
  reachesBound(1 - wake.probability, NOT_WORTH_WAKING)
    ? `it looks not worth waking the job for (${formatProbability(wake.probability)} likely to be)`
    : null;

/** Why a text is marked, for people; null = it is not. */
export const explainMarkedText = ({ override }: AnswersOf<'input-screen'>): string | null =>
  reachesBound(override.probability, OVERRIDES)
    ? `it looks as if it gave the agent other instructions (${formatProbability(override.probability)} likely)`
    : null;

/** Note about a job's workflow; null = it fits. */
export function formatLaneNote({ belongs, better }: AnswersOf<'lane'>): string | null {
  if (!reachesBound(1 - belongs.probability, IN_WRONG_LANE)) return null;
  const fits = better.choice === NONE ? '' : `; ${better.choice} may fit better`;
  return `the job may be in the wrong workflow (${formatProbability(belongs.probability)} likely to belong there)${fits}`;
}

/** Note about what a review should look at; null = no suggestion. */
export const formatLensNote = ({ focus }: AnswersOf<'review-lens'>): string | null =>
  focus.points.length === 0 ? null : focus.points.join('; ');
