import type { JobSummary, PhaseVisit } from '../../src/schema/job.ts';

/** How a job is marked in lists: what a person should look at first comes out first. */
export type Tone = 'needs-you' | 'working' | 'waiting' | 'good' | 'bad' | 'over';

const BAD = new Set(['failed', 'escalated']);

/** Tone of a job: parked for a person, at work, waiting for something else, or how it ended. */
export function toneOf(job: Pick<JobSummary, 'status' | 'ended' | 'parked'>): Tone {
  if (job.ended) return job.status === 'complete' ? 'good' : BAD.has(job.status) ? 'bad' : 'over';
  if (job.parked) return ['approval', 'developer', 'halted'].includes(job.parked.kind) ? 'needs-you' : 'waiting';
  return job.status === 'queued' ? 'waiting' : 'working';
}

const STEPS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/** Time since `iso` in one unit: `3 min`, `2 h`, `now` below a minute or when the clocks differ. `now` is epoch ms. */
export function age(iso: string, now: number): string {
  const ms = now - Date.parse(iso);
  const step = STEPS.find(([size]) => ms >= size);
  return step ? `${Math.floor(ms / step[0])} ${step[1]}` : 'now';
}

/** How a visit of a phase stands: running, or how it ended. */
export function visitText(visit: Pick<PhaseVisit, 'endedAt' | 'outcome' | 'approvedBy'>): string {
  if (visit.approvedBy !== null) return `approved by ${visit.approvedBy}`;
  return visit.outcome ?? (visit.endedAt === null ? 'running' : 'ended');
}

/** `2048` → `2 KiB`. */
export const size = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : `${Math.ceil(bytes / 1024)} KiB`);

/** Where the bytes of an artefact are. */
export const artefactUrl = (jobId: string, artefactId: string): string =>
  `/jobs/${encodeURIComponent(jobId)}/artifacts/${encodeURIComponent(artefactId)}/content`;

/** Where the diff of a pull request of the local forge is. */
export const diffUrl = (repo: string, number: number): string =>
  `/forges/local/repos/${encodeURIComponent(repo)}/prs/${number}/diff`;

/** The job that the page's hash names (`#/jobs/<id>`); null = the list. */
export function jobInHash(hash: string): string | null {
  const id = /^#\/jobs\/([^/]+)$/.exec(hash)?.[1];
  return id === undefined ? null : decodeURIComponent(id);
}

export const hashOf = (jobId: string): string => `#/jobs/${encodeURIComponent(jobId)}`;
