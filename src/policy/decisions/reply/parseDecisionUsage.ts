import type { DecisionQuestion } from '../../../contract/policy/decider.ts';
import { estimateMissing, parseTokenCounts } from '../../../shared/spending/parseTokenCounts.ts';

/** Tokens of one question to a decider. */
export interface DecisionUsage {
  inputTokens: number;
  outputTokens: number;
  /** One of them is an estimate: the decider counted wrongly, or not. Left out = neither is. */
  isEstimated?: true;
}

/** What a decider says that it has used for an answer; estimated from the characters if it reports nothing. */
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
