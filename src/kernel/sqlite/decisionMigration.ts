/** What the decision layer has been asked and has answered. */
export const DECISION_MIGRATION = `
  CREATE TABLE decisions (
    job_id TEXT NOT NULL, key TEXT NOT NULL, site TEXT NOT NULL, at INTEGER NOT NULL,
    phase TEXT NOT NULL, visit INTEGER NOT NULL, mode TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL,
    digest_version INTEGER, digest_sha TEXT, ms INTEGER,
    unmet TEXT, unmet_confidence REAL, goal REAL, seriousness REAL, stuck REAL, raw TEXT,
    skipped TEXT, flag TEXT, seen TEXT, pauses INTEGER NOT NULL,
    PRIMARY KEY (job_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX decisions_at ON decisions (at);
`;

/** What people think of ratings, and the newest rating of a job, for lists. */
export const DECISION_LABEL_MIGRATION = `
  CREATE TABLE decision_labels (
    job_id TEXT NOT NULL, key TEXT NOT NULL, verdict TEXT NOT NULL, note TEXT, at INTEGER NOT NULL, by TEXT NOT NULL,
    PRIMARY KEY (job_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX decisions_rated ON decisions (job_id, at) WHERE goal IS NOT NULL;
`;
