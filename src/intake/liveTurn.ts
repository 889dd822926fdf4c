import type { ChatPart, ChatResult } from '../contract/planning/chat.ts';
import { addUsage } from '../base/spending/usageSum.ts';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import type { Usage } from '../contract/schema/session/usage.ts';
import type { ChatExecutor } from './chatExecutor.ts';
import type { EvidenceItem } from './evidence/evidenceItem.ts';

/** Most kept thinking of a turn, characters. */
const MAX_THINKING_CHARS = 200_000;

export interface AskedTurn {
  n: number;
  message: string;
  executor: ChatExecutor;
  /** What the request says besides the message, for the model. */
  note: string;
}

/** Place of a look-up: its round, and the length of the turn's texts before it, characters. */
export interface LookupPlace {
  round: number;
  answerAt: number;
  thinkingAt: number;
}

/** Ends the text before a look-up, so that a block after it starts a line. */
const LINE_END = '\n\n';

export class LiveTurn {
  readonly n: number;
  readonly asked: AskedTurn;
  readonly key: string;
  readonly abort = new AbortController();
  readonly items: EvidenceItem[] = [];
  answer = '';
  thinking = '';
  usage: Usage | null = null;
  result: ChatResult | null = null;
  isFallback = false;
  /** The current or last round of look-ups; 0 = none. */
  round = 0;
  fault: { message: string; reason: string } | null = null;
  /** The runner is stopping; no person stopped the turn. */
  isCutOff = false;
  /** Later output of the executor is dropped. */
  isOver = false;
  /** Output up to here is not requested again. */
  #settled = { answer: 0, thinking: 0 };
  /** Places of look-ups, by the number of their evidence. */
  readonly #places = new Map<number, LookupPlace>();

  constructor(turn: AskedTurn, key: string) {
    this.asked = turn;
    this.n = turn.n;
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

  fail(error: unknown): void {
    const reason = error instanceof SvcError ? String(error.data.reason ?? error.code) : 'error';
    this.fault = { message: toErrorMessage(error), reason };
  }

  /**
   * Makes the following text begin a line. Returns the added characters, which belong to the
   * answer.
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

  findPlace(n: number): LookupPlace {
    return this.#places.get(n) ?? { round: this.round, answerAt: 0, thinkingAt: 0 };
  }
}
