import type postgres from 'postgres';

/** `int8` is read as a number, so that counts need no conversion. */
export type Sql = postgres.Sql<{ int8: number }>;
export type TransactionSql = postgres.TransactionSql<{ int8: number }>;

export interface Database {
  sql: Sql;
  /**
   * All or nothing. Repeated where PostgreSQL ended it for the sake of another transaction: `work`
   * must change nothing but the database.
   */
  transaction<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
