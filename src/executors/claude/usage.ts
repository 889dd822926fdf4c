import { count, fields, type Fields } from '../../lib/untrusted.ts';
import type { Usage } from '../../contract/session.ts';

const ZERO: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };

const sumOfModels = (modelUsage: unknown): Usage =>
  Object.values(fields(modelUsage))
    .map(fields)
    .reduce<Usage>((sum, model) => {
      const cached = count(model.cacheReadInputTokens);
      return {
        inputTokens:
          sum.inputTokens +
          count(model.inputTokens) +
          count(model.cacheCreationInputTokens) +
          cached,
        outputTokens: sum.outputTokens + count(model.outputTokens),
        cachedInputTokens: sum.cachedInputTokens + cached,
      };
    }, ZERO);

const ofTurn = (usage: unknown): Usage => {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
    fields(usage);
  const cached = count(cache_read_input_tokens);
  return {
    inputTokens: count(input_tokens) + count(cache_creation_input_tokens) + cached,
    outputTokens: count(output_tokens),
    cachedInputTokens: cached,
  };
};

/**
 * Tokens since the last result. The program counts from the beginning of the agent's session, what
 * a session before this one used included; so the first result of a continued one counts by its
 * turn alone.
 */
export class UsageMeter {
  #before: Usage | null;

  constructor(resumed: boolean) {
    this.#before = resumed ? null : ZERO;
  }

  since({ modelUsage, usage }: Fields): Usage | null {
    const now = sumOfModels(modelUsage);
    const before = this.#before;
    const isTold = now.inputTokens + now.outputTokens > 0;
    if (isTold) this.#before = now;
    const found = isTold && before !== null ? difference(now, before) : ofTurn(usage);
    return found.inputTokens + found.outputTokens > 0 ? found : null;
  }
}

const difference = (now: Usage, before: Usage): Usage => ({
  inputTokens: Math.max(0, now.inputTokens - before.inputTokens),
  outputTokens: Math.max(0, now.outputTokens - before.outputTokens),
  cachedInputTokens: Math.max(0, now.cachedInputTokens - before.cachedInputTokens),
});
