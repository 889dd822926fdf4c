/** Entries of the audit log that are kept; each new one removes what is older. */
export const MOST_AUDIT_ROWS = 50_000;

export const AUDIT_MIGRATION = `
  -- what people did: each entry is written before what it says is done
  CREATE TABLE audit_entries (
    n INTEGER PRIMARY KEY NOT NULL, at INTEGER NOT NULL, via TEXT NOT NULL, person TEXT, address TEXT,
    action TEXT NOT NULL, target TEXT NOT NULL, job_id TEXT, failed TEXT
  ) STRICT;
  CREATE INDEX audit_entries_job ON audit_entries (job_id, n) WHERE job_id IS NOT NULL;
  CREATE TRIGGER audit_entries_kept AFTER INSERT ON audit_entries BEGIN
    DELETE FROM audit_entries WHERE n <= NEW.n - ${MOST_AUDIT_ROWS};
  END;
`;
