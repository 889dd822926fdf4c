/** What rules have decided, and how often each has passed. */
export const GUARDRAIL_MIGRATION = `
  CREATE TABLE guardrail_decisions (
    job_id TEXT NOT NULL, rule TEXT NOT NULL, moment TEXT NOT NULL, subject TEXT NOT NULL, result TEXT NOT NULL,
    tool TEXT NOT NULL, message TEXT NOT NULL, phase TEXT NOT NULL, visit INTEGER NOT NULL, session INTEGER NOT NULL,
    at INTEGER NOT NULL, times INTEGER NOT NULL, ms INTEGER NOT NULL, script TEXT, allowed_at INTEGER, allowed_by TEXT,
    PRIMARY KEY (job_id, rule, moment, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX guardrail_decisions_at ON guardrail_decisions (at);
  CREATE TABLE guardrail_passes (
    rule TEXT NOT NULL, moment TEXT NOT NULL, passes INTEGER NOT NULL, PRIMARY KEY (rule, moment)
  ) STRICT, WITHOUT ROWID;
  `;
