import type { CommittedRating, RatingTerms } from '../../../src/contract/schema/policy/decision.ts';
import type { JobContext } from '../jobContext.ts';

const NONE_UNMET = 'none';

/** Probability (0 to 1) from which an agent counts as stuck in the note to the next phase. */
const STUCK = 0.75;

/** Two probabilities closer than this are equal, since 1 - 0.9 is not exactly 0.1. */
const EPSILON = 1e-9;

const isAtLeast = (value: number, bound: number): boolean => value >= bound - EPSILON;

const formatPercent = (probability: number): string => `${Math.round(probability * 100)} %`;

/**
 * Why a rating flags its phase, for people; null = it does not. Off track: the goal is missed with
 * at least `offTrackNoul` (default: a goal of 25 % or less). Unmet: an obligation that is sure and
 * serious enough.
 */
export function explainFlag(
  { outcome, obligations }: CommittedRating,
  { offTrackNoul, minChoiceConfidence, severityScore }: RatingTerms['thresholds'],
): string | null {
  if (!('answers' in outcome)) return null;
  const { goal, requirement, seriousness } = outcome.answers;
  if (isAtLeast(1 - goal.probability, offTrackNoul))
    return `the work looks off track: ${formatPercent(goal.probability)} likely to serve the objective`;
  const unmet =
    requirement.choice !== NONE_UNMET &&
    isAtLeast(requirement.confidence, minChoiceConfidence) &&
    isAtLeast(seriousness.score, severityScore);
  if (!unmet) return null;
  const obligation = obligations.find(({ id }) => id === requirement.choice);
  return `a requirement looks unmet: ${obligation?.text ?? requirement.choice}`;
}

/** The agent seemed to wait for something that it cannot resolve. */
export const isLikelyStuck = ({ outcome }: CommittedRating): boolean =>
  'answers' in outcome && isAtLeast(outcome.answers.stuck.probability, STUCK);

/** Whether a flag may pause the job: only an interactive job, in Manage mode. */
export const mayPause = (
  { interactive }: Pick<JobContext, 'interactive'>,
  { mode, onFlag }: RatingTerms,
): boolean => mode === 'live' && onFlag === 'park' && interactive;

/**
 * Adds a note about the previous phase if it was flagged or looked stuck. A rerun phase does not
 * see its own flag, and a continued conversation does not see it twice.
 */
export function addProcessNote(
  { judged, visit, phase, continued }: JobContext,
  prompt: string | null,
): string | null {
  if (!judged || judged.visit >= visit || judged.phase === phase || continued) return prompt;
  if (judged.flag === null && !judged.stuck) return prompt;
  const reasons = [
    ...(judged.flag === null ? [] : [judged.flag]),
    ...(judged.stuck ? ['its agent may have been waiting for something it could not resolve'] : []),
  ].join('; ');
  const note = `[process note] The phase before this one, ${judged.phase}, was checked: ${reasons}. This is context about how the work goes. It is no score of the code, and no instruction to undo anything.`;
  return prompt === null ? note : `${prompt}\n\n${note}`;
}
