import type { SqlValue } from '../toSqlValue.ts';
import type { WriteMessage } from './message.ts';
import type { Statements } from './statements.ts';

/**
 * Statements of one batch in the flat form in which they reach the thread: one list of strings and
 * numbers is copied in half the time of an object for each statement. A text is sent once.
 */
export class QueuedStatements implements Statements {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  /** How many texts the thread has been sent. */
  #sent = 0;
  #calls: SqlValue[] = [];

  run(sql: string, ...values: SqlValue[]): void {
    let number = this.#numbers.get(sql);
    if (number === undefined) {
      number = this.#texts.length;
      this.#numbers.set(sql, number);
      this.#texts.push(sql);
    }
    this.#calls.push(number, values.length, ...values);
  }

  /** What has been run since the last time. `isNew`: the thread has no text yet. */
  take(isNew: boolean): Pick<WriteMessage, 'texts' | 'calls'> {
    const taken = { texts: this.#texts.slice(isNew ? 0 : this.#sent), calls: this.#calls };
    this.#sent = this.#texts.length;
    this.#calls = [];
    return taken;
  }

  /** Forgets what was run: that batch could not be made. */
  drop(): void {
    this.#calls = [];
  }
}
