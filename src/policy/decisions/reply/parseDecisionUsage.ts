import type { DecisionQuestion } from '../../../contract/policy/decider.ts';
import { estimateMissing, parseTokenCounts } from '../../../base/spending/parseTokenCounts.ts';

export interface DecisionUsage {
  inputTokens: number;
  outputTokens: number;
  /**
   * At least one count is estimated: the decider's count was wrong or missing. Left out = neither
   * is.
   */
  isEstimated?: true;
}

/** The decider's reported usage for an answer; estimated from the characters if it reports none. */
export function parseDecisionUsage(
  question: DecisionQuestion,
  given: unknown,
  answer: unknown,
): DecisionUsage {
  const isObject = typeof given === 'object' && given !== null;
  const { inputTokens, outputTokens } = isObject
    ? { inputTokens: undefined, outputTokens: undefined, ...given }
    : { inputTokens: given, outputTokens: undefined };
  const { usage, isEstimated } = estimateMissing(
    parseTokenCounts({ inputTokens, outputTokens }).usage,
    { asked: JSON.stringify(question).length, answered: JSON.stringify(answer ?? '').length },
  );
  const counted = { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
  return isEstimated ? { ...counted, isEstimated } : counted;
}
