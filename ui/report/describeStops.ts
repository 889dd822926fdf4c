import type { Report } from '../../src/contract/schema/api/report.ts';
import type { Tone } from '../jobs/jobText.ts';

type Stop = Report['stops'][number];

const WHY: Readonly<Record<string, string>> = {
  budget: 'Budget spent',
  quota: 'Model at its limit',
  outage: 'A service does not answer',
  developer: 'Needs an answer',
  external: 'Waits for a report from outside',
  halted: 'Campaign halted',
  paused: 'Paused',
  until: 'Time limit reached',
  'stop-all': 'Stopped with all jobs',
  failed: 'Failed',
  escalated: 'Escalated',
  flagged: 'Flagged',
};

export const describeStopCause = ({ why }: Pick<Stop, 'why'>): string => WHY[why] ?? why;

/** Whether the job has ended: only running it again helps. */
export const isFailedStop = ({ why }: Pick<Stop, 'why'>): boolean =>
  why === 'failed' || why === 'escalated';

/** A stop that ends by itself waits; any other one needs a person. */
export const pickStopTone = (stop: Pick<Stop, 'why' | 'until'>): Tone =>
  isFailedStop(stop) ? 'bad' : stop.until === null ? 'needs-you' : 'waiting';
