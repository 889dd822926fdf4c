import { capitalizeFirst } from '../text/capitalizeFirst.ts';
import { SvcError } from '../errors/errors.ts';

/** One long task at a time: each refuses to begin while another is under way. */
export class TaskLock {
  #current: string | null = null;

  /** What is under way, as a sentence names it: `a cleanup`; null = nothing. */
  get current(): string | null {
    return this.#current;
  }

  /** Throws SvcError `not-possible-now` while another task is under way. */
  async take<Result>(what: string, task: () => Promise<Result>): Promise<Result> {
    if (this.#current !== null)
      throw new SvcError(
        'not-possible-now',
        `${capitalizeFirst(this.#current)} is already running; wait until it has finished.`,
      );
    this.#current = what;
    try {
      return await task();
    } finally {
      this.#current = null;
    }
  }
}
