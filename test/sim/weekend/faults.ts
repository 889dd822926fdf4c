import type { Batch } from '../../../src/kernel/writer.ts';
import {
  DEFAULT_CALL_LIMITS,
  DEFAULT_LOOP_LIMITS,
  DEFAULT_START_LIMIT,
} from '../../../src/base/limits/loopLimits.ts';
import { FALSE_LEDGERS } from '../falseLedgers.ts';
import { JOBS } from './agents/index.ts';
import type { JobPlan } from './agents/kind.ts';
import type { Limit } from './endpoint.ts';
import type { Plan } from './plan.ts';
import type { Fault } from './weekend.ts';

/** Jobs of the weekend that begin at once. */
const jobs = (...names: string[]): JobPlan[] =>
  names.map((name) => {
    const job = JOBS.find((one) => one.name === name);
    if (!job) throw new Error(`no job of the weekend is "${name}"`);
    return { ...job, at: 0 };
  });

const short = (hours: number, of: readonly JobPlan[], more: Partial<Plan> = {}): Plan => ({
  jobs: of,
  caps: {},
  limits: [],
  hours,
  kills: 0,
  ...more,
});

const limit = (kind: Limit['kind'], account: Limit['account'], after: number): Limit => ({
  kind,
  account,
  after,
  window: null,
  lasts: kind === 'billing' ? 9 : 1.5,
  namesReset: kind !== 'billing',
});

/** Three agents that call without an end, each at an account of its own. */
const callers: JobPlan[] = (['alpha', 'beta', 'gamma'] as const).flatMap((account) =>
  jobs('a phase').map(({ budget: _none, ...job }) => ({ ...job, name: account, account })),
);

/** One of the account whose window is used up then. */
const late = callers
  .filter(({ account }) => account === 'gamma')
  .map((job) => ({ ...job, name: 'late', at: 2 }));

const LIMITED = short(6, [...callers, ...late], {
  limits: [
    limit('throttled', 'beta', 0.5),
    limit('exhausted', 'gamma', 1),
    limit('billing', 'alpha', 2),
  ],
});
const WORKING = short(5, jobs('steady 1'));
const CAPPED = short(3, callers, { caps: { day: { usd: 2 } } });
const SESSION_LOOPERS = short(2, jobs('same call', 'same error', 'ping-pong', 'silent'));
const JOB_LOOPERS = short(3, jobs('nothing changed', 'same tests'));
const ENDED: Plan = short(
  5,
  jobs('restless').map(({ budget: _none, ...job }) => ({ ...job, until: '2026-01-02T20:00:00Z' })),
);

/** All guardrails are switched off, and what cannot be switched off remains. */
const NO_GUARDRAILS = { enabled: false, rules: [] };
const ATTACKED = short(3, jobs('token'));
const OBEDIENT = short(4, jobs('obedient'));
const MERGING = short(6, jobs('early 1'));

const never = { warn: 0, park: 0 };
const NO_RULES: Fault['noProgress'] = {
  laps: { state: never, tests: never, wakes: never },
  starts: never,
  session: { calls: 0, errors: 0, pingPong: 0, silence: 0, folds: 0 },
};
const LATE_RULES: Fault['noProgress'] = {
  laps: { ...DEFAULT_LOOP_LIMITS, tests: { warn: 2, park: 5 } },
  starts: DEFAULT_START_LIMIT,
  session: { ...DEFAULT_CALL_LIMITS, errors: 4 },
};

const without =
  (name: string): NonNullable<Fault['params']> =>
  ({ [name]: _lost, ...params }) =>
    params;

/** Every reason of a job that rests is a word that says nothing. */
const speechless = (batch: Batch): Batch => ({
  ...batch,
  actors: batch.actors.map((row) => ({
    ...row,
    snapshot: row.snapshot.replace(/("parked":\{.*?"reason":)"(?:[^"\\]|\\.)*"/, '$1"stopped"'),
  })),
});

/** A truth, one way in which the product breaks it, and a plan in which that is seen. */
export interface Broken {
  /** How the sentence of the truth begins. */
  sentence: RegExp;
  what: string;
  plan: Plan;
  fault: Fault;
}

const of = (sentence: RegExp, what: string, plan: Plan, fault: Fault): Broken => ({
  sentence,
  what,
  plan,
  fault,
});

export const BROKEN: readonly Broken[] = [
  of(/^nothing that the runner promises/, 'a line of a log is lost', WORKING, {
    sabotage: (batch) => ({ ...batch, frames: batch.frames.filter(({ kind }) => kind !== 'log') }),
  }),
  of(/^the runner was killed as often/, 'jobs are refused', WORKING, {
    params: (params) => ({ ...params, budget: { job: { usd: -1 } } }),
  }),
  of(/^at least 8 jobs are complete/, 'no job may have a second session', WORKING, {
    caps: { job: { sessions: 1 } },
  }),
  of(/^every cap that is set stops/, 'the cap of a day is not read', CAPPED, { caps: {} }),
  of(/^each limit is met, and pools/, 'no pool is known', LIMITED, { poolsUnknown: true }),
  of(/^what is spent is within each cap/, 'the cap of a day is read as another', CAPPED, {
    caps: { day: { usd: 4 } },
  }),
  of(/^no visit begins beyond a cap/, 'the caps of a job are not read', short(3, jobs('lapping')), {
    params: without('budget'),
  }),
  of(/^between a limit and its reset/, 'no pool is known', LIMITED, { poolsUnknown: true }),
  of(/^an agent that repeats itself .* is warned/, 'no rule is kept', SESSION_LOOPERS, {
    noProgress: NO_RULES,
  }),
  of(/^an agent that repeats itself .* is warned/, 'one warning is late', SESSION_LOOPERS, {
    noProgress: LATE_RULES,
  }),
  of(
    /^an agent that repeats itself .* is ended/,
    'the caps of a job are not read',
    SESSION_LOOPERS,
    {
      params: without('budget'),
    },
  ),
  of(/^a job that loops/, 'no rule is kept', JOB_LOOPERS, { noProgress: NO_RULES }),
  of(/^a job that loops/, 'one job is parked late', JOB_LOOPERS, { noProgress: LATE_RULES }),
  of(/^what an attacker tries/, 'no guardrail is asked', ATTACKED, { guardrails: NO_GUARDRAILS }),
  of(/^what an attacker tries/, 'no guardrail is asked about pushes', short(3, jobs('push')), {
    guardrails: NO_GUARDRAILS,
  }),
  of(
    /^what an attacker tries/,
    'no guardrail is asked about files',
    short(3, jobs('workflow file')),
    {
      guardrails: NO_GUARDRAILS,
    },
  ),
  of(/^what an attacker tries/, 'no invariant is kept', MERGING, { isLax: true }),
  of(/^no planted token/, 'no guardrail is asked', ATTACKED, { guardrails: NO_GUARDRAILS }),
  of(/^only what a person has approved/, "an outsider's comment is an approval", OBEDIENT, {
    isLax: true,
  }),
  of(/^at least 3 approved merges/, 'no agent is offered a merge', MERGING, {
    params: (params) => ({ ...params, budget: { job: { visits: 1 } } }),
  }),
  of(/^after the end of its time/, 'the time is not read', ENDED, {
    params: without('unattended'),
  }),
  of(/^the report is what the ledger says/, 'a job is not in its costs', WORKING, {
    report: (report) => ({ ...report, costs: [] }),
  }),
  of(/^the report is what the ledger says/, 'a call counts twice for its job', WORKING, {
    report: (report) => ({
      ...report,
      costs: report.costs.map(({ cost, ...row }) => ({
        ...row,
        cost: { ...cost, calls: cost.calls + 1 },
      })),
    }),
  }),
  of(/^the report is what the ledger says/, 'a stop is not in it', CAPPED, {
    report: (report) => ({ ...report, stops: report.stops.slice(1) }),
  }),
  of(/^the report is what the ledger says/, 'a budget is a cent off', CAPPED, {
    report: (report) => ({
      ...report,
      budgets: report.budgets.map((budget) => ({ ...budget, spent: budget.spent + 0.01 })),
    }),
  }),
  of(/^every stop has a reason/, 'the reason is one word', CAPPED, { sabotage: speechless }),
  of(/^the costs that people are shown/, 'a millionth of a dollar is missing', WORKING, {
    costs: (dollars) => (dollars ?? 0) - 0.000001,
  }),
  ...FALSE_LEDGERS.filter(([what]) => what !== 'an unknown price is 0').map(
    ([what, sabotage, sentence]) => of(sentence, what, WORKING, { sabotage }),
  ),
];
