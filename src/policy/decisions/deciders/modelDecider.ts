import type { DecidesQuestions, DecisionQuestion } from '../../../contract/policy/decider.ts';
import { NO_USAGE } from '../../../base/spending/usageSum.ts';
import { openModel } from '../../../executors/builtin/languageModel.ts';
import { mergeStreamedUsage } from '../../../executors/builtin/mergeStreamedUsage.ts';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import type { DecisionReply } from '../../../contract/schema/policy/decision.ts';
import { parseDecisionUsage } from '../reply/parseDecisionUsage.ts';
import { UnusableReply } from '../reply/readReply.ts';
import { readModelAnswers, buildUserPrompt } from './modelPrompt.ts';
import { SITE_PROMPTS } from './sitePrompts.ts';

interface ModelSettings {
  api: 'anthropic' | 'openai';
  baseUrl: string;
  /** Empty = the endpoint needs no key. */
  apiKey: string;
}

/** Reads the answers from a text. A text without answers still has a cost. */
function readPaidAnswers(
  text: string,
  question: DecisionQuestion,
  usage: NonNullable<DecisionReply['usage']>,
) {
  try {
    return readModelAnswers(text, question.site);
  } catch (error) {
    throw new UnusableReply(toErrorMessage(error), parseDecisionUsage(question, usage, text));
  }
}

export const createModelDecider = (settings: ModelSettings): DecidesQuestions => ({
  async decide(question, signal) {
    const [{ generateText }, open] = await Promise.all([
      import('ai'),
      openModel(settings, question.model, null),
    ]);
    const { system, maxTokens } = SITE_PROMPTS[question.site];
    const { text, response } = await generateText({
      model: open.model({ isStreamed: false }),
      system,
      messages: [{ role: 'user', content: buildUserPrompt(question) }],
      maxOutputTokens: maxTokens,
      temperature: 0,
      // No second try: the time limit covers everything.
      maxRetries: 0,
      abortSignal: signal,
    });
    // The reader of the reply estimates a 0.
    const counts = mergeStreamedUsage(null, response.body)?.usage ?? NO_USAGE;
    const used = { inputTokens: counts.inputTokens, outputTokens: counts.outputTokens };
    return {
      id: question.id,
      model: response.modelId,
      answers: readPaidAnswers(text, question, used),
      usage: used,
    };
  },
});
