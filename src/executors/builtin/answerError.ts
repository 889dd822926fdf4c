import type { Refusal } from '../process/refusal/parseRefusal.ts';

export interface AnswerFailure {
  /**
   * `refusal`: an answer with a status that is not a success. `stream`: an error within an answer that
   * had begun well. `other`: not an answer of a model, such as a page for a browser.
   */
  as: 'refusal' | 'stream' | 'other';
  /** HTTP status. */
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
  refusal: Refusal;
}

export class AnswerError extends Error {
  readonly unanswered: AnswerFailure;

  constructor(message: string, cause: AnswerFailure) {
    super(message);
    this.unanswered = cause;
  }
}
