/**
 * The order of the list of insights of all jobs: it went through all of them for each page. An
 * insight is written now and then, so the index costs little.
 */
export const INSIGHT_MIGRATION = `
  CREATE INDEX insights_newest ON insights (at DESC, job_id, id);
  `;
