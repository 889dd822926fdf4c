import type { Refusal } from '../process/refusal/parseRefusal.ts';

/** What an endpoint has sent instead of an answer. */
export interface Unanswered {
  /**
   * `refusal`: an answer with a status that is no success. `stream`: an error within an answer that
   * had begun well. `other`: not an answer of a model, such as a page for a browser.
   */
  as: 'refusal' | 'stream' | 'other';
  /** HTTP status. */
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** JSON or text, as it came. */
  body: unknown;
  refusal: Refusal;
}

/** A request to a model that was not answered; its message is for people. */
export class AnswerError extends Error {
  readonly unanswered: Unanswered;

  constructor(message: string, unanswered: Unanswered) {
    super(message);
    this.unanswered = unanswered;
  }
}
