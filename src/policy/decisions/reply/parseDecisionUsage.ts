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
  reportedUsage: unknown,
  answer: unknown,
): DecisionUsage {
  const isObject = typeof reportedUsage === 'object' && reportedUsage !== null;
  const { inputTokens, outputTokens } = isObject
    ? { inputTokens: undefined, outputTokens: undefined, ...reportedUsage }
    : { inputTokens: reportedUsage, outputTokens: undefined };
  const { usage, isEstimated } = estimateMissing(
    parseTokenCounts({ inputTokens, outputTokens }).usage,
    { asked: JSON.stringify(question).length, answered: JSON.stringify(answer ?? '').length },
  );
  const tokenCounts = { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
  return isEstimated ? { ...tokenCounts, isEstimated } : tokenCounts;
}
