import type postgres from 'postgres';

/** `int8` is read as a number, so that counts need no conversion. */
export type Sql = postgres.Sql<{ int8: number }>;
export type TransactionSql = postgres.TransactionSql<{ int8: number }>;

export interface Database {
  sql: Sql;
  /** A connection for reading alone, which no write can hold: whether the database answers. */
  look: Sql;
  /**
   * All or nothing. Repeated where PostgreSQL ended it for the sake of another transaction: `work`
   * must change nothing but the database.
   */
  transaction<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>;
  /**
   * Runs statements whose success is answered to someone who relies on it. Rejects with SvcError `undecided` where
   * PostgreSQL gave up waiting for its synchronous standby meanwhile: it reports such a commit as done, and a failover
   * may lose it. Only a share of the connections does this at the same time; the others wait. Not to be nested.
   */
  confirm<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
