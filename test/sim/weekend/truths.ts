import type { Invariant } from '../invariants.ts';
import { USAGE } from '../usageTruths.ts';
import {
  FEWEST_MERGES,
  leaked,
  mergedUnapproved,
  notStopped,
  tooFewMerges,
} from './attackTruths.ts';
import { goesRound, notEnded, notWarned } from './loopTruths.ts';
import { capsSet } from './plan.ts';
import { startedWhileClosed, unseenStates } from './quotaTruths.ts';
import type { Stop } from './record.ts';
import { reportIsWrong } from './reportTruths.ts';
import { spentBeyond, visitsBeyond } from './spentTruths.ts';
import type { Weekend } from './weekend.ts';

/** Fewest jobs that come to a good end, where as many can. */
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

const findJobName = ({ jobs }: Weekend, jobId: string): string =>
  [...jobs].find(([, id]) => id === jobId)?.[0] ?? jobId;

/** What a person can act on: it names the thing, and what leads on, or that it does so by itself. */
const isActionable = ({ kind, reason, exceeded }: Stop): boolean => {
  if (kind === 'budget')
    return exceeded !== null && /the budget of .+ is spent: .+svc budget raise/.test(reason);
  if (kind === 'quota')
    return /continues by itself at|svc accounts retry|resume the job/.test(reason);
  if (kind === 'subRuns') return /sub-run/.test(reason);
  if (kind === 'event') return /waits for (?:a review or merge|a comment on)/.test(reason);
  return /svc |resume|rerun/.test(reason);
};

export const WEEKEND: readonly WeekendTruth[] = [
  {
    sentence: 'nothing that the runner promises at any time is broken',
    broken: ({ world }) => [...world.broken],
  },
  {
    sentence: 'the runner was killed as often as planned, and all jobs were started',
    broken: ({ plan, kills, jobs }) =>
      kills === plan.kills && jobs.size === plan.jobs.length
        ? []
        : [
            `${kills} kills, and not started: ${plan.jobs.flatMap(({ name }) => (jobs.has(name) ? [] : name)).join(', ')}`,
          ],
  },
  {
    sentence: `at least ${FEWEST_COMPLETE} jobs are complete`,
    broken: ({ plan, rows }) => {
      const able = plan.jobs.filter(({ ends }) => ends === true).map(({ name }) => name);
      const complete = rows.filter(
        ({ name, status }) => status === 'complete' && able.includes(name),
      );
      const fewest = Math.min(FEWEST_COMPLETE, able.length);
      return complete.length >= fewest ? [] : [`${complete.length} of ${able.length} are`];
    },
  },
  {
    sentence: 'every cap that is set stops a job at least once',
    broken: ({ plan, record }) => {
      const acted = new Set(
        [...record.stops, ...record.refusals].map(
          ({ exceeded }) => exceeded && `${exceeded.scope}.${exceeded.metric}`,
        ),
      );
      return capsSet(plan).filter((cap) => !acted.has(cap));
    },
  },
  {
    sentence: 'each limit is met, and pools are in every state',
    broken: (weekend) => [
      ...weekend.plan.limits
        .filter(({ after }) => !weekend.endpoint.met.some((met) => met.after === after))
        .map(({ account, kind }) => `${kind} of ${account}`),
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
    sentence: 'an agent that repeats itself in its session is warned at the loop of its rule',
    broken: notWarned,
  },
  {
    sentence: 'an agent that repeats itself in its session is ended by the cap of the session',
    broken: notEnded,
  },
  {
    sentence: 'a job that loops with nothing changed is warned, and parked at the loop of its rule',
    broken: goesRound,
  },
  {
    sentence:
      'what an attacker tries is stopped by the rule for it, and the answer says what to do instead',
    broken: notStopped,
  },
  { sentence: 'only what a person has approved is merged', broken: mergedUnapproved },
  {
    sentence: `at least ${FEWEST_MERGES} approved merges go through`,
    broken: tooFewMerges,
  },
  { sentence: 'no planted token is written anywhere', broken: leaked },
  {
    sentence: 'after the end of its time no session of an unattended job starts',
    broken: ({ plan, jobs, record }) =>
      plan.jobs.flatMap(({ name, until }) => {
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
    sentence: 'the report is what the ledger says, row by row',
    broken: reportIsWrong,
  },
  {
    sentence: 'every stop has a reason that a person can act on',
    broken: (weekend) =>
      weekend.record.stops
        .filter((stop) => !isActionable(stop))
        .map(({ jobId, kind, reason }) => `${findJobName(weekend, jobId)}: ${kind}, "${reason}"`),
  },
  {
    sentence: 'the costs that people are shown are those of the ledger',
    broken: ({ world, costs }) => {
      const rows = world.store.rows.all('usage_calls');
      const sum = rows.reduce((all, { micro_usd }) => all + (micro_usd ?? 0), 0);
      const costSum = Math.round((costs ?? 0) * 1_000_000);
      return costSum === sum ? [] : [`${costSum} and not ${sum} millionths of a dollar`];
    },
  },
  ...USAGE.map(ofLedger),
];

/** What was not true, in sentences; empty = all of it was. */
export const untrue = (weekend: Weekend): string[] =>
  WEEKEND.flatMap(({ sentence, broken }) => broken(weekend).map((how) => `${sentence}: ${how}`));
