/**
 * Rows that could not be read, as they were before `svc doctor --fix` repaired or removed them: `content`
 * is JSON by column, whole numbers beyond 2^53 as text.
 */
export const QUARANTINE_MIGRATION = `
  CREATE TABLE quarantined_rows (
    id INTEGER PRIMARY KEY NOT NULL, at INTEGER NOT NULL, table_name TEXT NOT NULL, row_id TEXT NOT NULL, reason TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;
`;
