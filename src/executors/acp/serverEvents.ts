import { request } from 'node:http';
import type { Clock } from '../../base/time/clock.ts';
import { parseTokenCounts, type TokenCounts } from '../../base/spending/parseTokenCounts.ts';
import {
  toRoundedCount,
  type Fields,
  toFields,
  toStringOrEmpty,
} from '../../base/json/untrusted.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import type { UsageReport } from '../../contract/session/usageReport.ts';
import {
  type CountedUsage,
  isUsed,
  NO_USAGE,
  subtractUsage,
} from '../../base/spending/usageSum.ts';
import type { Launch } from './presets/preset.ts';

/** Longest event that is read, characters: it contains the text of an answer. */
const MAX_EVENT_CHARS = 8 * 1024 * 1024;
/** How long after the answer to a prompt the events of its turn may come, ms. */
const LATE_MS = 1_000;

interface EventOptions {
  address: NonNullable<Launch['events']>;
  clock: Clock;
  /** A line for people about a request to the model that failed. */
  say(line: string): void;
  /** An answer failed: its parts are void, and it is asked for again. */
  onRetry(): void;
  /** The model's endpoint takes no requests until then (epoch ms), longer than svc waits. */
  onQuota(error: string, resetsAt: number): void;
  /** Called at the end of an answer or of its turn, with the usage not reported before. */
  onUsage(report: UsageReport): void;
}

/** Longest that the agent's own wait for its model may take, ms. */
const LONGEST_WAIT_MS = 120_000;

interface LastAnswer {
  /** Why the answer ended, such as `stop` or `length`; empty = it has not ended. */
  finish: string;
  /** HTTP status of a failed request; 0 = none failed, or it is unknown. */
  status: number;
}

/**
 * Tokens of one answer. opencode counts cached tokens beside the input and thoughts beside the
 * output.
 */
const parseAnswerTokens = (tokens: Fields): TokenCounts => {
  const { read, write } = toFields(tokens.cache);
  return parseTokenCounts(
    {
      inputTokens: tokens.input,
      outputTokens: tokens.output,
      cachedInputTokens: read,
      cacheWriteTokens: write,
      reasoningTokens: tokens.reasoning,
    },
    { isCacheBeside: true, areThoughtsBeside: true },
  );
};

/** What one answer has used so far, and how much of that was reported. */
interface Answer {
  usage: CountedUsage;
  reported: CountedUsage;
  model: string | null;
}

/**
 * What only opencode's own server reports: the tokens of each answer (the protocol has those of the
 * last one), and failed tries. Without a connection nothing is known.
 */
export class ServerEvents {
  readonly #options: EventOptions;
  readonly #answers = new Map<string, Answer>();
  #last: LastAnswer = { finish: '', status: 0 };
  /** Whether anything of this turn was reported. */
  #hasReported = false;
  /** Which counts of this turn were ignored. */
  #problem: string | null = null;
  #stop = () => {};
  #isBusy = false;
  #notifyIdle = () => {};

  constructor(options: EventOptions) {
    this.#options = options;
  }

  open(): void {
    const { address, clock } = this.#options;
    const req = request(address.url, { headers: { authorization: address.authorization } });
    req.on('error', () => {});
    req.once('response', (res) => {
      res.on('error', () => {});
      if (res.statusCode !== 200) return void res.resume();
      res.setEncoding('utf8');
      let heldText = '';
      res.on('data', (piece: string) => {
        const lines = (heldText + piece).split('\n');
        heldText = (lines.pop() ?? '').slice(0, MAX_EVENT_CHARS);
        for (const line of lines) if (line.startsWith('data:')) this.#take(line.slice(5), clock);
      });
    });
    req.end();
    this.#stop = () => req.destroy();
  }

  close(): void {
    this.#stop();
  }

  get last(): LastAnswer {
    return this.#last;
  }

  /**
   * Reports what the turn has used, once its events are in; `isKnown` false = nothing is known of
   * it. `problem`: which counts were ignored, for people; null = none.
   */
  async ofTurn(): Promise<{ isKnown: boolean; problem: string | null }> {
    if (this.#isBusy) {
      const idle = new Promise<void>((resolve) => {
        this.#notifyIdle = resolve;
      });
      await raceDeadline(this.#options.clock, LATE_MS, idle, () => {});
    }
    this.rest();
    const turn = { isKnown: this.#hasReported, problem: this.#problem };
    this.#hasReported = false;
    this.#problem = null;
    return turn;
  }

  /** Reports what was not reported before. */
  rest(): void {
    for (const answer of this.#answers.values()) this.#report(answer);
  }

  #report(answer: Answer): void {
    const usage = subtractUsage(answer.usage, answer.reported);
    answer.reported = answer.usage;
    if (!isUsed(usage)) return;
    this.#hasReported = true;
    this.#options.onUsage({ type: 'usage', usage, model: answer.model });
  }

  #take(data: string, clock: Clock): void {
    let event: Fields;
    try {
      event = toFields(JSON.parse(data));
    } catch {
      return;
    }
    const properties = toFields(event.properties);
    const info = toFields(properties.info);
    if (event.type === 'message.updated' && info.role === 'assistant') {
      const id = toStringOrEmpty(info.id);
      const { usage, problem } = parseAnswerTokens(toFields(info.tokens));
      this.#problem ??= problem;
      const answer: Answer = {
        usage,
        reported: this.#answers.get(id)?.reported ?? NO_USAGE,
        model: toStringOrEmpty(info.modelID) || null,
      };
      this.#answers.set(id, answer);
      // An answer's counts come with its end; some come again later, a little larger.
      if (toStringOrEmpty(info.finish) !== '' || toRoundedCount(toFields(info.time).completed) > 0)
        this.#report(answer);
      const status = toRoundedCount(toFields(toFields(info.error).data).statusCode);
      this.#last = { finish: toStringOrEmpty(info.finish), status };
    }
    const status = toFields(properties.status);
    if (event.type !== 'session.status') return;
    this.#isBusy = status.type !== 'idle';
    if (!this.#isBusy) this.#notifyIdle();
    if (status.type !== 'retry') return;
    const { say, onQuota, onRetry } = this.#options;
    onRetry();
    const next = toRoundedCount(status.next);
    const waitMs = Math.max(0, next - clock.now());
    const error = `The model's endpoint could not answer (${toStringOrEmpty(status.message)})`;
    if (waitMs > LONGEST_WAIT_MS) onQuota(`${error}.`, next);
    else
      say(
        `${error}; try ${toRoundedCount(status.attempt) + 1} in ${Math.round(waitMs / 1_000)} s.`,
      );
  }
}
