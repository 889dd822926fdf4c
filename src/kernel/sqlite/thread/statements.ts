import type { SqlValue } from '../toSqlValue.ts';

/** Where statements go: to a connection, or into a batch for another thread. */
export interface Statements {
  run(sql: string, ...values: SqlValue[]): void;
}
