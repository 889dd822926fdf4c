import type { Statements } from '../thread/statements.ts';
import type { SqlValue } from '../toSqlValue.ts';

/** A batch as statements. */
export interface RecordedBatch {
  /** Each text once, in the order in which they are first used. */
  texts: readonly string[];
  /** Repeats: index of a text, count of values, the values. */
  calls: readonly SqlValue[];
}

/** Keeps the statements of one batch. */
export class RecordedStatements implements Statements, RecordedBatch {
  readonly texts: string[] = [];
  readonly calls: SqlValue[] = [];
  readonly #numbers = new Map<string, number>();

  run(sql: string, ...values: SqlValue[]): void {
    let number = this.#numbers.get(sql);
    if (number === undefined) {
      number = this.texts.length;
      this.#numbers.set(sql, number);
      this.texts.push(sql);
    }
    this.calls.push(number, values.length, ...values);
  }
}

/** Runs the statements of a batch in their order. */
export function runRecorded({ texts, calls }: RecordedBatch, to: Statements): void {
  for (let at = 0; at < calls.length; ) {
    const end = at + 2 + Number(calls[at + 1]);
    to.run(texts[Number(calls[at])] ?? '', ...calls.slice(at + 2, end));
    at = end;
  }
}
