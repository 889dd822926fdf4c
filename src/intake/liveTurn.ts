import type { ChatPart, ChatResult } from '../contract/planning/chat.ts';
import { addUsage } from '../shared/spending/usageSum.ts';
import { toErrorMessage, SvcError } from '../shared/errors/errors.ts';
import type { Usage } from '../contract/schema/session/usage.ts';
import type { ChatExecutor } from './chatExecutor.ts';
import type { EvidenceItem } from './evidence/evidenceItem.ts';

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

/** Where a look-up was made: its round, and what had come of the turn before it, characters. */
export interface LookupPlace {
  round: number;
  answerAt: number;
  thinkingAt: number;
}

/** What ends the text before a look-up: a block after it is at the start of a line. */
const LINE_END = '\n\n';

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
  /** The round of look-ups that runs or was last; 0 = none has begun. */
  round = 0;
  /** Why it could not be begun. */
  fault: { message: string; reason: string } | null = null;
  /** The runner stops: no person has stopped it. */
  isCutOff = false;
  /** What the executor still says is dropped. */
  isOver = false;
  /** What has come up to here is not asked for again. */
  #settled = { answer: 0, thinking: 0 };
  /** Where look-ups were made, by the number of their evidence. */
  readonly #places = new Map<number, LookupPlace>();

  constructor(asked: AskedTurn, key: string) {
    this.asked = asked;
    this.n = asked.n;
    this.key = key;
  }

  take(part: ChatPart): void {
    if (part.type === 'token') this.answer += part.text;
    else if (part.type === 'thinking')
      this.thinking = (this.thinking + part.text).slice(0, MAX_THINKING_CHARS);
    else if (part.type === 'usage') this.usage = addUsage(this.usage, part.usage);
    else if (part.type === 'again') {
      this.answer = this.answer.slice(0, this.#settled.answer);
      this.thinking = this.thinking.slice(0, this.#settled.thinking);
    } else if (part.type === 'round') this.round = part.n;
  }

  /** Notes why it could not be begun. */
  fail(error: unknown): void {
    const reason = error instanceof SvcError ? String(error.data.reason ?? error.code) : 'error';
    this.fault = { message: toErrorMessage(error), reason };
  }

  /**
   * What follows begins a line. Answers what that takes, which belongs to the answer; empty =
   * nothing.
   */
  endLine(): string {
    const end = this.answer === '' || this.answer.endsWith('\n') ? '' : LINE_END;
    this.answer += end;
    return end;
  }

  /** Marks the place of a look-up in the answer: the text before it is complete. */
  lookupBegins(n: number): void {
    const { round, answer, thinking } = this;
    this.#settled = { answer: answer.length, thinking: thinking.length };
    this.#places.set(n, { round, answerAt: answer.length, thinkingAt: thinking.length });
  }

  placeOf(n: number): LookupPlace {
    return this.#places.get(n) ?? { round: this.round, answerAt: 0, thinkingAt: 0 };
  }
}
