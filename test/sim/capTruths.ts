import {
  BUDGET_METRICS,
  type BudgetMetric,
  type BudgetScope,
  type Caps,
  type CapSet,
  toCountedAmount,
} from '../../src/base/spending/budgetScopes.ts';
import type { Batch } from '../../src/kernel/writer.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import type { Chance } from './chance.ts';
import type { Invariant } from './invariants.ts';
import { callCost } from './usageTruths.ts';
import type { World } from './world.ts';

type Call = Tables['usage_calls'];

/** Two minutes before a day and a week end in UTC: both are renewed within a storm. */
export const SUNDAY_EVENING = Date.UTC(2026, 10, 22, 23, 58);

/** What a person raises a budget by: sometimes too little. */
export const createRaise = (metrics: readonly BudgetMetric[], isEnough: boolean): CapSet =>
  Object.fromEntries(metrics.map((metric) => [metric, RAISES[metric] * (isEnough ? 1 : 0.1)]));

const RAISES: Readonly<Record<BudgetMetric, number>> = {
  usd: 2,
  tokens: 100_000,
  sessions: 10,
  visits: 10,
  minutes: 60,
};

/** Caps that stop some jobs, and some so early that nothing fits in. */
export const randomCaps = (chance: Chance): Caps => ({
  ...(chance.is(0.3) ? { session: { tokens: chance.int(2_000, 9_000) } } : {}),
  ...(chance.is(0.3) ? { phase: { tokens: chance.int(3_000, 12_000), sessions: 2 } } : {}),
  ...(chance.is(0.6)
    ? { job: { usd: chance.pick([0.02, 0.3, 0.5]), visits: chance.int(3, 6) } }
    : { job: { tokens: chance.int(5_000, 30_000), sessions: chance.int(2, 6) } }),
  ...(chance.is(0.3) ? { repository: { tokens: chance.int(10_000, 60_000) } } : {}),
  ...(chance.is(0.5) ? { day: { tokens: chance.int(8_000, 30_000) } } : {}),
  ...(chance.is(0.3) ? { week: { usd: 0.4 } } : {}),
  ...(chance.is(0.3) ? { runner: { minutes: 2, tokens: 50_000 } } : {}),
});

/** A budget has stopped a job. */
export const isStop = ({ event }: Batch['journal'][number]): boolean =>
  event.type === 'budget.exceeded' || (event.type === 'session.ended' && 'budget' in event);

interface Place {
  scope: BudgetScope;
  key: string;
  window: string;
}

/** The accounts that a call is under. */
function listPlaces({ subject, visit, session, root, repository, at }: Call): Place[] {
  const day = new Date(at).toISOString().slice(0, 10);
  const monday = new Date(at - ((new Date(at).getUTCDay() + 6) % 7) * 86_400_000);
  const whole = (scope: BudgetScope, key: string, window = ''): Place => ({ scope, key, window });
  return [
    whole('session', `${subject}/${visit}.${session}`),
    whole('phase', `${subject}/${visit}`),
    whole('job', subject),
    whole('campaign', root),
    ...(repository === null ? [] : [whole('repository', repository)]),
    whole('day', '', day),
    whole('week', '', monday.toISOString().slice(0, 10)),
    whole('runner', ''),
  ];
}

/** The cap as it holds now, with what people have raised it by; null = none. */
function capNow({ store, caps }: World, place: Place, metric: BudgetMetric): number | null {
  const cap = caps[place.scope]?.[metric];
  if (cap === undefined) return null;
  const { scope, key, window } = place;
  const raised = store.rows
    .all('budget_caps', { scope, key, metric })
    .filter((row) => row.window === '' || row.window === window)
    .reduce((sum, row) => sum + row.raised, 0);
  return toCountedAmount(metric, cap) + raised;
}

/** What a call counts for caps: one whose price is not known as the configuration says. */
const readAmount = (call: Call, metric: 'usd' | 'tokens'): number =>
  metric === 'tokens'
    ? call.input_tokens + call.output_tokens
    : (call.micro_usd ?? callCost(call, { input: 15, output: 75 }));

const callsIn = ({ rows }: Batch): Call[] =>
  rows.flatMap((change) =>
    change.op === 'put' && change.table === 'usage_calls' ? [change.row as Call] : [],
  );

/** Sums of calls in the order of their commits, and calls beyond a cap, of each world. */
const BOOKS = new WeakMap<World, { sums: Map<string, number>; late: Map<string, number> }>();

/** Calls of a session that were made although a cap was spent: at most one. */
function overshoot(world: World, call: Call): string[] {
  const book = BOOKS.get(world) ?? { sums: new Map(), late: new Map() };
  BOOKS.set(world, book);
  return listPlaces(call).flatMap((place) =>
    (['usd', 'tokens'] as const).flatMap((metric) => {
      const account = `${metric} of ${place.scope} ${place.key}${place.window}`;
      const spent = book.sums.get(account) ?? 0;
      book.sums.set(account, spent + readAmount(call, metric));
      const cap = capNow(world, place, metric);
      if (cap === null || spent < cap) return [];
      const session = `${call.subject}/${call.visit}.${call.session} beyond ${cap} ${account}`;
      const times = (book.late.get(session) ?? 0) + 1;
      book.late.set(session, times);
      return times <= 1 ? [] : [`${session}: ${times} calls`];
    }),
  );
}

/** What is true of caps after each commit. */
export const CAPS: readonly Invariant<[Batch]>[] = [
  {
    sentence: 'no session makes more than one call once a cap is spent',
    broken: (world, batch) => callsIn(batch).flatMap((call) => overshoot(world, call)),
  },
  {
    sentence: 'only jobs that hold a slot hold a part of a budget',
    broken: ({ store }) =>
      store.rows
        .all('budget_holds')
        .filter(({ job_id }) => store.durable.actor(job_id)?.index.slot !== true)
        .map(({ job_id }) => `${job_id} holds some without a slot`),
  },
  {
    sentence: 'a job whose session may ask its model holds a part of each budget',
    broken: ({ store, caps }, { actors }) =>
      Object.keys(caps).length === 0
        ? []
        : actors
            .filter(({ snapshot }) => snapshot.includes('"inSession"'))
            .filter(({ id }) => !store.rows.one('budget_holds', { job_id: id }))
            .map(({ id }) => `${id} is in a session and holds nothing`),
  },
];

/** What is true of caps when every job has come to an end. */
export const CAPS_AT_THE_END: readonly Invariant[] = [
  {
    sentence: 'no account has more sessions than its cap',
    broken: (world) =>
      world.store.rows.all('usage_sums').flatMap((sum) => {
        const cap = capNow(world, sum, 'sessions');
        return cap === null || sum.sessions <= cap
          ? []
          : [`${sum.scope} ${sum.key}: ${sum.sessions} of ${cap}`];
      }),
  },
  {
    sentence: 'no model is asked in a visit beyond the cap on visits',
    broken: (world) =>
      world.store.rows.all('usage_calls').flatMap(({ subject: key, visit }) => {
        const cap = capNow(world, { scope: 'job', key, window: '' }, 'visits');
        return cap === null || visit <= cap ? [] : [`${key}: visit ${visit} of ${cap}`];
      }),
  },
  {
    sentence: 'a budget is raised once for each raise that was acknowledged',
    broken: (world) => {
      const sums = new Map<BudgetMetric, number>();
      const add = (metric: BudgetMetric, amount: number) =>
        sums.set(metric, (sums.get(metric) ?? 0) + amount);
      const { requested, raises } = world.ledger;
      const doneWishes = requested.filter(({ outcome }) => outcome === 'done');
      for (const raise of [...raises, ...doneWishes.map((wish) => wish.raise ?? {})])
        for (const metric of BUDGET_METRICS)
          add(metric, toCountedAmount(metric, raise[metric] ?? 0));
      for (const { metric, raised } of world.store.rows.all('budget_caps')) add(metric, -raised);
      return [...sums].flatMap(([metric, excess]) =>
        excess === 0 ? [] : [`${metric}: ${excess} more was acknowledged than raised`],
      );
    },
  },
];
