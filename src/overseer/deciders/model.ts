import type { DecidesQuestions } from '../../contract/decider.ts';
import { openModel } from '../../executors/builtin/languageModel.ts';
import { answersIn, userPrompt } from './modelPrompt.ts';
import { SITE_PROMPTS } from './sitePrompts.ts';

interface ModelSettings {
  /** Wire format of the endpoint. */
  api: 'anthropic' | 'openai';
  baseUrl: string;
  /** Empty = the endpoint takes requests without one. */
  apiKey: string;
}

/** The `model` provider: any model behind an Anthropic- or OpenAI-compatible endpoint. */
export const modelDecider = (settings: ModelSettings): DecidesQuestions => ({
  async decide(question, signal) {
    const [{ generateText }, { model }] = await Promise.all([
      import('ai'),
      openModel(settings, question.model, null),
    ]);
    const { system, maxTokens } = SITE_PROMPTS[question.site];
    const { text, response, usage } = await generateText({
      model,
      system,
      messages: [{ role: 'user', content: userPrompt(question) }],
      maxOutputTokens: maxTokens,
      temperature: 0,
      // The time is for all of it: no second try.
      maxRetries: 0,
      abortSignal: signal,
    });
    const { inputTokens, outputTokens } = usage;
    return {
      id: question.id,
      model: response.modelId,
      answers: answersIn(text, question.site),
      ...(inputTokens === undefined || outputTokens === undefined
        ? {}
        : { usage: { inputTokens, outputTokens } }),
    };
  },
});
