import type { Invariant } from '../invariants.ts';
import { USAGE } from '../usageTruths.ts';
import { LIMITS } from './endpoint.ts';
import { CONFIGURED, JOBS } from './plan.ts';
import { startedWhileClosed, unseenStates } from './quotaTruths.ts';
import type { Stop } from './record.ts';
import { spentBeyond, visitsBeyond } from './spentTruths.ts';
import { KILLS, type Weekend } from './weekend.ts';

/** Fewest jobs that come to a good end. */
const FEWEST_COMPLETE = 8;

/** What must be true of a weekend; the function says what makes it false. */
export interface WeekendTruth {
  sentence: string;
  broken(weekend: Weekend): string[];
}

const ofLedger = ({ sentence, broken }: Invariant): WeekendTruth => ({
  sentence,
  broken: ({ world }) => broken(world),
});

const nameOf = ({ jobs }: Weekend, jobId: string): string =>
  [...jobs].find(([, id]) => id === jobId)?.[0] ?? jobId;

/** What a person can act on: it names the thing, and what leads on, or that it does so by itself. */
const isActionable = ({ kind, reason, exceeded }: Stop): boolean => {
  if (kind === 'budget')
    return exceeded !== null && /the budget of .+ is spent: .+svc budget raise/.test(reason);
  if (kind === 'quota') return /continues by itself at|svc pools open|resume the job/.test(reason);
  if (kind === 'subRuns') return /sub-run/.test(reason);
  return /svc |resume|rerun/.test(reason);
};

const stoppedBy = ({ jobs, record }: Weekend, name: string, scope: string): boolean =>
  record.stops.some(({ jobId, exceeded }) => jobId === jobs.get(name) && exceeded?.scope === scope);

export const WEEKEND: readonly WeekendTruth[] = [
  {
    sentence: 'nothing that the runner promises at any time is broken',
    broken: ({ world }) => [...world.broken],
  },
  {
    sentence: `the runner was killed ${KILLS} times, and all ${JOBS.length} jobs were started`,
    broken: ({ kills, jobs }) =>
      kills === KILLS && jobs.size === JOBS.length ? [] : [`${kills} kills, ${jobs.size} jobs`],
  },
  {
    sentence: `at least ${FEWEST_COMPLETE} jobs are complete`,
    broken: ({ rows }) => {
      const complete = rows.filter(({ name, status }) => status === 'complete' && !isPart(name));
      return complete.length >= FEWEST_COMPLETE ? [] : [`${complete.length} are`];
    },
  },
  {
    sentence: 'every cap that is set stops a job at least once',
    broken: ({ record }) => {
      const acted = new Set(
        record.stops.map(({ exceeded }) => exceeded && `${exceeded.scope}.${exceeded.metric}`),
      );
      return CONFIGURED.filter((cap) => !acted.has(cap));
    },
  },
  {
    sentence: `each of the ${LIMITS.length} limits is met, and pools are in every state`,
    broken: (weekend) => [
      ...LIMITS.filter(({ after }) => !weekend.endpoint.met.some((met) => met.after === after)).map(
        ({ account, kind }) => `${kind} of ${account}`,
      ),
      ...unseenStates(weekend),
    ],
  },
  {
    sentence: 'what is spent is within each cap, plus one call of each session',
    broken: spentBeyond,
  },
  { sentence: 'no visit begins beyond a cap on visits', broken: visitsBeyond },
  {
    sentence: 'between a limit and its reset no session starts but the probe',
    broken: startedWhileClosed,
  },
  {
    sentence: 'an agent that repeats itself in its session is warned',
    broken: ({ jobs, record }) =>
      JOBS.filter(({ does }) => does === 'sessionLooper')
        .filter(({ name }) => !record.warned.has(jobs.get(name) ?? ''))
        .map(({ name }) => name),
  },
  {
    sentence: 'a job that goes round with nothing changed is parked at its third lap',
    broken: ({ world, jobs, record }) =>
      JOBS.filter(({ does }) => does === 'jobLooper').flatMap(({ name }) => {
        const id = jobs.get(name) ?? '';
        const visits = world.store.rows.all('phase_visits', { job_id: id });
        const laps = visits.filter(({ phase }) => phase === 'building').length;
        const parked = record.stops.some(
          ({ jobId, kind, reason }) =>
            jobId === id && kind === 'developer' && reason.startsWith('no progress'),
        );
        return parked && laps === 3 ? [] : [`${name}: ${laps} laps`];
      }),
  },
  {
    sentence: 'after the end of its time no session of an unattended job starts',
    broken: ({ jobs, record }) =>
      JOBS.flatMap(({ name, until }) => {
        if (until === undefined) return [];
        const id = jobs.get(name) ?? '';
        const own = record.starts.filter(({ jobId }) => jobId === id);
        const late = own
          .filter(({ at }) => at > Date.parse(until))
          .map(({ at }) => `${name}: ${at}`);
        return own.length > 0 ? late : [`${name} has never worked`];
      }),
  },
  {
    sentence: 'the report is what the ledger says',
    broken: ({ world, report }) => {
      const rows = world.store.rows.all('usage_calls');
      const sum = rows.reduce((all, { micro_usd }) => all + (micro_usd ?? 0), 0);
      const shown = Math.round((report?.cost.usd ?? 0) * 1_000_000);
      return shown === sum ? [] : [`${shown} and not ${sum} millionths of a dollar`];
    },
  },
  {
    sentence: 'an agent that repeats itself in its session is ended by the cap of the session',
    broken: (weekend) =>
      JOBS.filter(({ does }) => does === 'sessionLooper')
        .filter(({ name }) => !stoppedBy(weekend, name, 'session'))
        .map(({ name }) => name),
  },
  {
    sentence: 'every stop has a reason that a person can act on',
    broken: (weekend) =>
      weekend.record.stops
        .filter((stop) => !isActionable(stop))
        .map(({ jobId, kind, reason }) => `${nameOf(weekend, jobId)}: ${kind}, "${reason}"`),
  },
  {
    sentence: 'the costs that people are shown are those of the ledger',
    broken: ({ world, costs }) => {
      const rows = world.store.rows.all('usage_calls');
      const sum = rows.reduce((all, { micro_usd }) => all + (micro_usd ?? 0), 0);
      const shown = Math.round((costs ?? 0) * 1_000_000);
      return shown === sum ? [] : [`${shown} and not ${sum} millionths of a dollar`];
    },
  },
  ...USAGE.map(ofLedger),
];

/** A sub-run: it has no plan of its own. */
const isPart = (name: string): boolean => !JOBS.some((plan) => plan.name === name);

/** What was not true, in sentences; empty = all of it was. */
export const untrue = (weekend: Weekend): string[] =>
  WEEKEND.flatMap(({ sentence, broken }) => broken(weekend).map((how) => `${sentence}: ${how}`));
