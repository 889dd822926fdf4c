import { count, fields, type Fields, text } from '../../lib/untrusted.ts';
import type { Usage } from '../../contract/session.ts';
import { anthropicUsage, withDelta } from '../process/anthropicUsage.ts';
import { addUsage, isUsed, NO_USAGE, usageSince } from '../process/usageSum.ts';

const sumOfModels = (modelUsage: unknown): Required<Usage> =>
  Object.values(fields(modelUsage))
    .map(fields)
    .reduce<Required<Usage>>((sum, model) => {
      const cachedInputTokens = count(model.cacheReadInputTokens);
      const cacheWriteTokens = count(model.cacheCreationInputTokens);
      return addUsage(sum, {
        inputTokens: count(model.inputTokens) + cacheWriteTokens + cachedInputTokens,
        outputTokens: count(model.outputTokens),
        cachedInputTokens,
        cacheWriteTokens,
      });
    }, NO_USAGE);

/** The larger count of each kind. */
const larger = (one: Required<Usage>, other: Required<Usage>): Required<Usage> => ({
  inputTokens: Math.max(one.inputTokens, other.inputTokens),
  outputTokens: Math.max(one.outputTokens, other.outputTokens),
  cachedInputTokens: Math.max(one.cachedInputTokens, other.cachedInputTokens),
  cacheWriteTokens: Math.max(one.cacheWriteTokens, other.cacheWriteTokens),
});

/**
 * Tokens of a session. The program counts from the beginning of the agent's session, what a session
 * before this one used included; so the first result of a continued one counts by its turn alone.
 * It leaves out answers that broke off, which are known from the stream; the stream leaves out what
 * subagents ask. So the larger of both counts, and the stream alone for a turn without a result.
 */
export class UsageMeter {
  #before: Required<Usage> | null;
  /** Of the answers since the last result, by the id of the answer. */
  readonly #answers = new Map<string, Required<Usage>>();
  #answer = '';

  constructor(resumed: boolean) {
    this.#before = resumed ? null : NO_USAGE;
  }

  /** A piece of an answer, or a whole one. */
  take({ type, event, message }: Fields): void {
    if (type === 'stream_event') this.#streamed(fields(event));
    const { id, usage } = fields(message);
    if (type === 'assistant' && !this.#answers.has(text(id)))
      this.#answers.set(text(id), anthropicUsage(usage));
  }

  /** Tokens since the last result; null = none. */
  since({ modelUsage, usage }: Fields): Required<Usage> | null {
    const now = sumOfModels(modelUsage);
    const before = this.#before;
    const isReported = isUsed(now);
    if (isReported) this.#before = now;
    const counts = isReported && before !== null ? usageSince(now, before) : anthropicUsage(usage);
    const found = larger(counts, this.rest() ?? NO_USAGE);
    return isUsed(found) ? found : null;
  }

  /** Tokens of answers that no result covers; null = none. */
  rest(): Required<Usage> | null {
    const found = [...this.#answers.values()].reduce(
      (sum, answer) => addUsage(sum, answer),
      NO_USAGE,
    );
    this.#answers.clear();
    return isUsed(found) ? found : null;
  }

  #streamed({ type, message, usage }: Fields): void {
    if (type === 'message_start') {
      this.#answer = text(fields(message).id);
      this.#answers.set(this.#answer, anthropicUsage(fields(message).usage));
    }
    const begun = this.#answers.get(this.#answer);
    if (type === 'message_delta' && begun) this.#answers.set(this.#answer, withDelta(begun, usage));
  }
}
