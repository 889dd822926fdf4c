import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { World } from '../world.ts';
import type { Plan } from './plan.ts';
import type { WeekendRecord } from './record.ts';

/** The outcome of a job. */
export interface Row {
  name: string;
  does: string;
  status: string;
  usd: number;
  sessions: number;
  stops: string[];
  /** Why it does not continue; empty = it has come to its end. */
  reason: string;
}

const createRow = (
  world: World,
  { jobs: plans }: Plan,
  name: string,
  job: Job,
  { stops }: WeekendRecord,
): Row => {
  const sums = world.store.rows.one('usage_sums', { scope: 'job', key: job.id, window: '' });
  const own = stops.filter(({ jobId }) => jobId === job.id);
  return {
    name,
    does: plans.find((plan) => plan.name === name)?.does ?? 'steady',
    status: job.status,
    usd: (sums?.micro_usd ?? 0) / 1_000_000,
    sessions: sums?.sessions ?? 0,
    stops: own.map(({ kind, exceeded }) =>
      exceeded ? `${exceeded.scope}.${exceeded.metric}` : kind,
    ),
    reason: job.parked?.reason ?? job.reason ?? '',
  };
};

/** Sub-runs come last. */
const findJobIndex = ({ jobs }: Plan, row: Row): number => {
  const place = jobs.findIndex(({ name }) => name === row.name);
  return place < 0 ? jobs.length : place;
};

/** The outcome of each job and sub-run. */
export function listRows(
  world: World,
  plan: Plan,
  jobs: ReadonlyMap<string, string>,
  record: WeekendRecord,
): Row[] {
  const { runner } = world.life ?? {};
  if (!runner) return [];
  const names = new Map([...jobs].map(([name, id]) => [id, name]));
  const all = world.store.actors.list({ chart: 'job', limit: 1_000, offset: 0 }).rows;
  return all
    .map(({ id }) => {
      const job = runner.job(id);
      return createRow(world, plan, names.get(id) ?? `  ${job.description}`, job, record);
    })
    .sort((a, b) => findJobIndex(plan, a) - findJobIndex(plan, b));
}

/** Longest reason that is shown, characters. */
const MAX_REASON_CHARS = 110;

const reasonText = (reason: string): string =>
  reason.length > MAX_REASON_CHARS ? `${reason.slice(0, MAX_REASON_CHARS - 1)}…` : reason;

const formatRow = ({ name, does, status, usd, sessions, stops }: Row): string =>
  [
    name.padEnd(24),
    does.padEnd(17),
    status.padEnd(25),
    `$${usd.toFixed(2)}`.padStart(7),
    `${sessions}`.padStart(9),
    `   ${[...new Set(stops)].join(' ')}`,
  ]
    .join('')
    .trimEnd();

/** The table as text: job, what it did, how it ended, what it spent, what stopped it, and why it rests. */
export const tableText = (rows: readonly Row[]): string =>
  [
    `${'Job'.padEnd(24)}${'Its agents'.padEnd(17)}${'Is now'.padEnd(25)}${'Cost'.padStart(7)} Sessions   Was stopped by`,
    ...rows.flatMap((row) =>
      row.reason === '' ? formatRow(row) : [formatRow(row), `  └ ${reasonText(row.reason)}`],
    ),
  ].join('\n');
