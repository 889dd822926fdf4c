import type { Sql, TransactionSql } from '../database/database.ts';

/** A value of type text[]: connections do not ask for the types of arrays, so they are passed as JSON. */
export const toTextArray = (sql: Sql | TransactionSql, texts: readonly string[]) =>
  sql`(select coalesce(array_agg(value), '{}') from jsonb_array_elements_text(${sql.json([...texts])}) as given (value))`;
