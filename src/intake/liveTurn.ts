import type { ChatPart, ChatResult } from '../contract/chat.ts';
import { messageOf, SvcError } from '../lib/errors.ts';
import type { Usage } from '../schema/usage.ts';
import type { ChatExecutor } from './chatExecutor.ts';
import type { EvidenceItem } from './evidence/item.ts';

/** Most of what the model thinks that is kept of a turn, characters. */
const MAX_THINKING_CHARS = 200_000;

/** What a person says, as it is asked. */
export interface AskedTurn {
  n: number;
  message: string;
  executor: ChatExecutor;
  /** What the request says beside it, for the model. */
  note: string;
}

const sumOf = (one: Usage | null, more: Usage): Usage => ({
  inputTokens: (one?.inputTokens ?? 0) + more.inputTokens,
  outputTokens: (one?.outputTokens ?? 0) + more.outputTokens,
  cachedInputTokens: (one?.cachedInputTokens ?? 0) + more.cachedInputTokens,
  cacheWriteTokens: (one?.cacheWriteTokens ?? 0) + (more.cacheWriteTokens ?? 0),
});

/** A turn while it runs: what has come of it so far. */
export class LiveTurn {
  readonly n: number;
  readonly asked: AskedTurn;
  /** Random word of the turn. */
  readonly key: string;
  readonly abort = new AbortController();
  readonly items: EvidenceItem[] = [];
  answer = '';
  thinking = '';
  usage: Usage | null = null;
  result: ChatResult | null = null;
  isFallback = false;
  /** Why it could not be begun. */
  fault: { message: string; reason: string } | null = null;
  /** What the executor still says is dropped. */
  isOver = false;
  /** Where the round began: what comes after it may be void. */
  #round = { answer: 0, thinking: 0 };

  constructor(asked: AskedTurn, key: string) {
    this.asked = asked;
    this.n = asked.n;
    this.key = key;
  }

  take(part: ChatPart): void {
    if (part.type === 'token') this.answer += part.text;
    else if (part.type === 'thinking')
      this.thinking = (this.thinking + part.text).slice(0, MAX_THINKING_CHARS);
    else if (part.type === 'usage') this.usage = sumOf(this.usage, part.usage);
    else if (part.type === 'again') {
      this.answer = this.answer.slice(0, this.#round.answer);
      this.thinking = this.thinking.slice(0, this.#round.thinking);
    }
  }

  /** Notes why it could not be begun. */
  fail(error: unknown): void {
    const reason = error instanceof SvcError ? String(error.data.reason ?? error.code) : 'error';
    this.fault = { message: messageOf(error), reason };
  }

  /** Everything up to here is said. */
  roundIsOver(): void {
    this.#round = { answer: this.answer.length, thinking: this.thinking.length };
  }
}
