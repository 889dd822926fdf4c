/** Where the dashboard shows a job: a path at the address of the runner. */
export const jobPage = (jobId: string): string => `/dashboard/#/jobs/${encodeURIComponent(jobId)}`;
