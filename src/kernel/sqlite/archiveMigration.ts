/** Archives of ended actors, and what retention has done. */
export const ARCHIVE_MIGRATION = `
  -- segments of journals and streams that are in files now; the numbers are of rows of one actor, both ends included, to = from - 1: none;
  -- cleared 0: rows that the file has may still be in the tables; removed_at: since then the file is gone for good
  CREATE TABLE archives (
    actor TEXT NOT NULL, n INTEGER NOT NULL, file TEXT NOT NULL, from_frame INTEGER NOT NULL, to_frame INTEGER NOT NULL,
    from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL,
    at INTEGER NOT NULL, cleared INTEGER NOT NULL, removed_at INTEGER, parts TEXT NOT NULL, PRIMARY KEY (actor, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX archives_uncleared ON archives (actor) WHERE cleared = 0;
  -- which events are kept in blobs
  CREATE INDEX journal_blobs ON journal (event) WHERE substr(event, 1, 10) = '{"$blob":"';
  -- what runs of retention answered, the last 50
  CREATE TABLE retention_runs (at INTEGER NOT NULL PRIMARY KEY, reply TEXT NOT NULL) STRICT;
  CREATE TRIGGER retention_runs_kept AFTER INSERT ON retention_runs BEGIN
    DELETE FROM retention_runs WHERE at NOT IN (SELECT at FROM retention_runs ORDER BY at DESC LIMIT 50);
  END;
  `;
