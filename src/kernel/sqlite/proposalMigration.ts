/** Changes of workflows, agents, skills and memory that were proposed. */
export const PROPOSAL_MIGRATION = `
  CREATE TABLE proposals (
    id TEXT PRIMARY KEY, job_id TEXT, phase TEXT, kind TEXT NOT NULL, layer TEXT NOT NULL, repo TEXT, provider TEXT,
    description TEXT NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, since INTEGER NOT NULL,
    warnings INTEGER NOT NULL, problem TEXT, approval TEXT, allowed TEXT NOT NULL, rejection TEXT, link TEXT,
    superseded_by TEXT, checks TEXT, plan TEXT, content TEXT NOT NULL
  ) STRICT;
  CREATE INDEX proposals_at ON proposals (at, id);
  CREATE INDEX proposals_state ON proposals (state, at);
  CREATE INDEX proposals_job ON proposals (job_id, at) WHERE job_id IS NOT NULL;
`;
