import type { SqlValue } from '../toSqlValue.ts';

/** Where statements go: a connection, or a batch for another thread. */
export interface Statements {
  run(sql: string, ...values: SqlValue[]): void;
}
