/** Where the dashboard shows a job: a path at the address of the runner. */
export const toJobPagePath = (jobId: string): string =>
  `/dashboard/#/jobs/${encodeURIComponent(jobId)}`;
