const HEAD = '0123456789abcdef0123456789abcdef01234567';
const JOB = { type: 'job', workflowPath: 'workflows/job.md', params: {} };

/** Bodies that the routes of a runner take, by operation; others take an empty one. */
export const ROUTE_BODIES: Readonly<Record<string, object>> = {
  snooze: { until: '2027-01-01T00:00:00.000Z' },
  estimateJob: JOB,
  lintWorkflow: { path: 'workflows/w.md', text: '' },
  simulateWorkflow: { path: 'workflows/w.md', text: '' },
  retryAccount: { pool: 'p' },
  allowGuardrail: { rule: 'large-diff' },
  labelDecision: { job: 'mine', key: 'overseer/1/1', verdict: 'good' },
  message: { message: 'Hello' },
  subRunWhatIf: { action: 'skip' },
  whatIf: { event: { type: 'resume' } },
  reviewPullRequest: { head: HEAD },
  approveInSvc: { head: HEAD },
  commentPullRequest: { body: 'Hello' },
};

/** Queries without which a route refuses. */
export const ROUTE_QUERIES: Readonly<Record<string, string>> = {
  jobPicture: `?path=a.png&commit=${HEAD}&side=after`,
  workflowRuns: '?workflow=job.md',
};
