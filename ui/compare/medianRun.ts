import { formatDollars } from '../../src/base/spending/formatCost.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import type { JobTimeline } from '../../src/contract/schema/job/timeline.ts';
import { formatDuration, formatShortCount } from '../jobs/jobText.ts';

/** What is counted of a run of a workflow. */
export interface CountedRun {
  job: Pick<JobSummary, 'cost'>;
  timeline: Pick<JobTimeline, 'visits' | 'sessions'>;
}

/** A line of the comparison with the others. */
export interface MedianFact {
  name: string;
  own: string;
  median: string;
  /** How many times as much as the median; null where that is 0 or not known. */
  ratio: number | null;
}

/** The middle of the values, or between the two middle ones; null = no value. */
export function computeMedian(values: readonly number[]): number | null {
  const sortedValues = [...values].sort((a, b) => a - b);
  const [low, high] = [
    sortedValues[Math.floor((sortedValues.length - 1) / 2)],
    sortedValues[Math.ceil((sortedValues.length - 1) / 2)],
  ];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

type Read = (run: CountedRun) => number | null;
type Measure = readonly [name: string, read: Read, format: (value: number) => string];

const sumMs =
  (member: 'workMs' | 'waitMs', phase?: string): Read =>
  ({ timeline: { visits } }) => {
    const own = visits.filter((visit) => phase === undefined || visit.phase === phase);
    return own.length === 0 ? null : own.reduce((sum, visit) => sum + visit[member], 0);
  };

const MEASURES: readonly Measure[] = [
  ['Work', sumMs('workMs'), formatDuration],
  ['Waits', sumMs('waitMs'), formatDuration],
  ['Visits of phases', ({ timeline }) => timeline.visits.length, String],
  ['Sessions', ({ timeline }) => timeline.sessions.length, String],
  ['Tokens', ({ job }) => job.cost?.tokens ?? null, formatShortCount],
  ['Cost', ({ job }) => job.cost?.usd ?? null, formatDollars],
];

/**
 * A run beside the median of others of its workflow: as a whole, then its work by phases. What is not
 * known of the run is left out; of others only those count of which it is known.
 */
export function compareWithMedian(own: CountedRun, others: readonly CountedRun[]): MedianFact[] {
  const phases = [...new Set(own.timeline.visits.map(({ phase }) => phase))];
  const measures = [
    ...MEASURES,
    ...phases.map((phase): Measure => [`Work in ${phase}`, sumMs('workMs', phase), formatDuration]),
  ];
  return measures.flatMap(([name, read, format]) => {
    const value = read(own);
    if (value === null) return [];
    const knownValues = others.map(read).filter((one) => one !== null);
    const median = computeMedian(knownValues);
    return [
      {
        name,
        own: format(value),
        median: median === null ? '' : format(median),
        ratio: median === null || median === 0 ? null : value / median,
      },
    ];
  });
}
