import { formatCost } from '../../src/base/spending/formatCost.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { JobTimeline, VisitTimes } from '../../src/contract/schema/job/timeline.ts';
import { formatDuration, formatShortCount } from '../jobs/jobText.ts';
import type { DiffFile } from '../jobs/changes/diff/diffFile.ts';
import { formatChangeSize } from '../jobs/page/pickNextStep.ts';
import { countChangedLines } from '../jobs/page/readChangeSize.ts';
import { describeJobState } from '../jobs/plainText.ts';

/** What is read of each of the two jobs. */
export interface ComparedJob {
  job: Job;
  timeline: JobTimeline;
  /** Text of its newest plan; null = it has none. */
  plan: string | null;
  /** Of its newest pull request; null = it has none, or it cannot be read, or is very large. */
  files: readonly DiffFile[] | null;
}

/** A line of the comparison: what it is, and how it is in each job. */
export interface ComparedFact {
  name: string;
  values: readonly [string, string];
}

const sumVisits = (
  { visits }: JobTimeline,
  member: keyof Pick<VisitTimes, 'workMs' | 'waitMs' | 'queuedMs'>,
): number => visits.reduce((sum, visit) => sum + visit[member], 0);

/** Sessions may report none: then how many were used is not known. */
const formatTokens = ({ cost, unreported }: Job): string => {
  if (cost?.tokens) return formatShortCount(cost.tokens);
  return unreported > 0 ? 'unknown' : cost ? '0' : '';
};

/** Empty for no time at all. */
const formatTime = (ms: number): string => (ms === 0 ? '' : formatDuration(ms));

const FACTS: readonly (readonly [name: string, read: (one: ComparedJob) => string])[] = [
  ['State', ({ job }) => describeJobState(job)],
  ['Workflow', ({ job }) => job.workflowPath],
  ['Repository', ({ job }) => job.repoSlug ?? ''],
  ['Work', ({ timeline }) => formatTime(sumVisits(timeline, 'workMs'))],
  ['Waits', ({ timeline }) => formatTime(sumVisits(timeline, 'waitMs'))],
  ['Queued', ({ timeline }) => formatTime(sumVisits(timeline, 'queuedMs'))],
  ['Sessions', ({ timeline }) => String(timeline.sessions.length)],
  ['Tokens', ({ job }) => formatTokens(job)],
  ['Cost', ({ job }) => (job.cost ? formatCost(job.cost) : '')],
  [
    'Rating',
    ({ job }) =>
      job.rating
        ? `${Math.round(job.rating.goal * 100)} %${job.rating.flagged ? ', flagged' : ''}`
        : '',
  ],
  ['Changes', ({ files }) => (files === null ? '' : formatChangeSize(countChangedLines(files)))],
];

/** What both have in common or not; a line that neither has is left out. */
export const listComparedFacts = (a: ComparedJob, b: ComparedJob): ComparedFact[] =>
  FACTS.map(([name, read]): ComparedFact => ({ name, values: [read(a), read(b)] })).filter(
    ({ values }) => values.some((value) => value !== ''),
  );

/** A phase in both jobs: how often it was visited, and what it took, ms. */
export interface ComparedPhase {
  phase: string;
  times: readonly [PhaseTime, PhaseTime];
}

export interface PhaseTime {
  visits: number;
  workMs: number;
  waitMs: number;
}

const sumPhase = ({ visits }: JobTimeline, phase: string): PhaseTime => {
  const own = visits.filter((visit) => visit.phase === phase);
  return {
    visits: own.length,
    workMs: own.reduce((sum, { workMs }) => sum + workMs, 0),
    waitMs: own.reduce((sum, { waitMs }) => sum + waitMs, 0),
  };
};

/** The phases that either has visited, in the order of the first job's workflow, then as visited. */
export function comparePhases(a: JobTimeline, b: JobTimeline): ComparedPhase[] {
  const visitedPhases = [...a.visits, ...b.visits].map(({ phase }) => phase);
  const names = [
    ...new Set([...a.phases.filter((name) => visitedPhases.includes(name)), ...visitedPhases]),
  ];
  return names.map((phase) => ({ phase, times: [sumPhase(a, phase), sumPhase(b, phase)] }));
}
