import type { SqlValue } from '../toSqlValue.ts';
import type { WriteMessage } from './message.ts';
import type { Statements } from './statements.ts';

/**
 * A batch's statements in a flat list for the thread: strings and numbers are copied in half the
 * time of objects. Each text is sent once.
 */
export class QueuedStatements implements Statements {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  /** Number of texts sent to the thread. */
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

  /** What has run since the last call. `isNew`: the thread has no texts yet. */
  take(isNew: boolean): Pick<WriteMessage, 'texts' | 'calls'> {
    const taken = { texts: this.#texts.slice(isNew ? 0 : this.#sent), calls: this.#calls };
    this.#sent = this.#texts.length;
    this.#calls = [];
    return taken;
  }

  /** Forgets what has run: its batch could not be made. */
  drop(): void {
    this.#calls = [];
  }
}
