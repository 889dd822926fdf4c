import {
  MAX_SESSION_TOKENS,
  parseTokenCounts,
  type TokenCounts,
} from '../../base/spending/parseTokenCounts.ts';
import { toFields, type Fields, toStringOrEmpty } from '../../base/json/untrusted.ts';
import type { UsageReport } from '../../contract/session/usageReport.ts';
import { readAnthropicUsage, applyUsageDelta } from '../process/readAnthropicUsage.ts';
import {
  addUsage,
  type CountedUsage,
  isUsed,
  pickLargerUsage,
  NO_USAGE,
  subtractUsage,
} from '../../base/spending/usageSum.ts';

type ByModel = ReadonlyMap<string, CountedUsage>;

interface Answer {
  counts: TokenCounts;
  model: string | null;
  wasReported: boolean;
}

/** The program's counts, by model. */
const parseModelCounts = (modelUsage: unknown): [name: string, counts: TokenCounts][] =>
  Object.entries(toFields(modelUsage)).map(([name, fields]) => {
    const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } =
      toFields(fields);
    const counts = parseTokenCounts(
      {
        inputTokens,
        outputTokens,
        cachedInputTokens: cacheReadInputTokens,
        cacheWriteTokens: cacheCreationInputTokens,
      },
      { most: MAX_SESSION_TOKENS, isCacheBeside: true },
    );
    return [name, counts];
  });

const sumCountedUsage = (usages: Iterable<CountedUsage>): CountedUsage =>
  [...usages].reduce((sum, one) => addUsage(sum, one), NO_USAGE);

const countUsageTokens = ({ inputTokens, outputTokens }: CountedUsage): number =>
  inputTokens + outputTokens;

/**
 * Tokens of a session, call by call as the stream reports them. The program counts from the
 * beginning of the agent's session, earlier runs included, so the first result of a continued
 * session counts only by its turn. It leaves out answers that broke off, which the stream has; the
 * stream leaves out what subagents ask. So a turn gets the larger of both counts, and the
 * difference is reported with the result; a turn without a result has the stream alone.
 */
export class UsageMeter {
  /** The program's counts before this session; null = unknown. */
  #before: ByModel | null;
  /** Answers since the last result, by id. */
  readonly #answers = new Map<string, Answer>();
  #answer = '';
  /** Which counts of the turn were ignored, and whether any were reported. */
  #problem: string | null = null;
  #isCounted = false;

  constructor(resumed: boolean) {
    this.#before = resumed ? null : new Map();
  }

  /** Takes a piece of an answer or a whole one; returns the calls that are over now. */
  take({ type, event, message }: Fields): UsageReport[] {
    if (type === 'stream_event') return this.#readStreamEvent(toFields(event));
    const { id, usage, model } = toFields(message);
    if (type === 'assistant' && !this.#answers.has(toStringOrEmpty(id)))
      this.#beginAnswer(toStringOrEmpty(id), readAnthropicUsage(usage), model);
    return [];
  }

  /** Usage that a result reports and no call before it. */
  readResultReports({ modelUsage, usage }: Fields): UsageReport[] {
    const models = parseModelCounts(modelUsage);
    const ofTurn = readAnthropicUsage(usage, MAX_SESSION_TOKENS);
    for (const { problem } of [...models.map(([, counts]) => counts), ofTurn])
      this.#problem ??= problem;
    const now: ByModel = new Map(models.map(([name, counts]) => [name, counts.usage]));
    const whole = sumCountedUsage(now.values());
    const before = this.#before;
    const isReported = isUsed(whole);
    if (isReported) this.#before = now;
    const counts =
      isReported && before !== null
        ? subtractUsage(whole, sumCountedUsage(before.values()))
        : ofTurn.usage;
    const streamedUsage = sumCountedUsage(
      [...this.#answers.values()].map(({ counts }) => counts.usage),
    );
    const missing = subtractUsage(pickLargerUsage(counts, streamedUsage), streamedUsage);
    const model = before === null ? null : this.#findMostMissing(now, before);
    const reports = this.rest();
    if (!isUsed(missing)) return reports;
    this.#isCounted = true;
    return [...reports, { type: 'usage', usage: missing, model }];
  }

  /**
   * Ends the turn: whether any of its tokens were counted, and which counts were ignored, for
   * people; null = none.
   */
  endTurn(): { isCounted: boolean; problem: string | null } {
    const turn = { isCounted: this.#isCounted, problem: this.#problem };
    this.#isCounted = false;
    this.#problem = null;
    return turn;
  }

  /** Reports the remaining answers; the next turn begins. */
  rest(): UsageReport[] {
    const reports = this.#reportUnreported();
    this.#answers.clear();
    return reports;
  }

  #readStreamEvent({ type, message, usage }: Fields): UsageReport[] {
    if (type === 'message_start') {
      const fields = toFields(message);
      // An answer that broke off ends when the next one begins.
      const reports = this.#reportUnreported();
      this.#answer = toStringOrEmpty(fields.id);
      this.#beginAnswer(this.#answer, readAnthropicUsage(fields.usage), fields.model);
      return reports;
    }
    const answer = this.#answers.get(this.#answer);
    if (type === 'message_delta' && answer) {
      answer.counts = applyUsageDelta(answer.counts, usage);
      this.#problem ??= answer.counts.problem;
    }
    return type === 'message_stop' ? this.#reportUnreported() : [];
  }

  #beginAnswer(id: string, counts: TokenCounts, model: unknown): void {
    this.#problem ??= counts.problem;
    this.#answers.set(id, { counts, model: toStringOrEmpty(model) || null, wasReported: false });
  }

  #reportUnreported(): UsageReport[] {
    const over = [...this.#answers.values()].filter(({ wasReported }) => !wasReported);
    for (const answer of over) answer.wasReported = true;
    const reports = over
      .filter(({ counts }) => isUsed(counts.usage))
      .map(({ counts: { usage }, model }): UsageReport => ({ type: 'usage', usage, model }));
    if (reports.length > 0) this.#isCounted = true;
    return reports;
  }

  /** The model with the largest unreported part: that of the subagents. */
  #findMostMissing(now: ByModel, before: ByModel): string | null {
    let most: { model: string | null; tokens: number } = { model: null, tokens: 0 };
    for (const [model, usage] of now) {
      const answers = [...this.#answers.values()].filter((answer) => answer.model === model);
      const turn = subtractUsage(usage, before.get(model) ?? NO_USAGE);
      const tokens = countUsageTokens(
        subtractUsage(turn, sumCountedUsage(answers.map(({ counts }) => counts.usage))),
      );
      if (tokens > most.tokens) most = { model, tokens };
    }
    return most.model;
  }
}
