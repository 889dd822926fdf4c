import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type BoundedJob,
  computeBound,
  type EstimatedAmounts,
  sumBounds,
} from '../../../src/policy/budgets/computeBound.ts';
import { resolveCaps } from '../../../src/policy/budgets/resolveCaps.ts';
import { type Estimation, renderEstimate } from '../../../src/policy/budgets/renderEstimate.ts';
import type { Caps } from '../../../src/base/spending/budgetScopes.ts';

const test = suite('the worst case of a job');

const job = (
  config: Caps,
  metered: boolean[] = [true, true],
  reportsUsage: BoundedJob['phases'][number]['reportsUsage'] = 'each-call',
): BoundedJob => ({
  caps: resolveCaps({ config, headlessFactor: 1, interactive: true }),
  phases: metered.map((one) => ({ metered: one, reportsUsage })),
  sessionsPerVisit: 10,
});

const ROWS: [string, BoundedJob, Partial<EstimatedAmounts>][] = [
  ['without a cap there is no bound of dollars', job({}), { usd: null }],
  ['sessions are always bounded: phases x visits x sessions', job({}), { sessions: 160 }],
  [
    'phases x 8 visits x 10 sessions x the cap of a session',
    job({ session: { usd: 0.5 } }),
    { usd: 80_000_000 },
  ],
  [
    'the cap of a visit, where it is less',
    job({ session: { usd: 0.5 }, phase: { usd: 2 } }),
    { usd: 32_000_000 },
  ],
  [
    'the cap of a session, where that is less',
    job({ session: { usd: 0.1 }, phase: { usd: 2 } }),
    { usd: 16_000_000 },
  ],
  [
    'fewer visits of a phase',
    job({ session: { usd: 1 }, phase: { visits: 2 } }),
    { usd: 40_000_000 },
  ],
  [
    'more than 8 visits are not gone by',
    job({ session: { usd: 1 }, phase: { visits: 20 } }),
    { usd: 160_000_000 },
  ],
  [
    'fewer sessions of a visit',
    job({ session: { usd: 1 }, phase: { sessions: 3 } }),
    { usd: 48_000_000 },
  ],
  [
    'fewer visits of the job',
    job({ session: { usd: 1 }, job: { visits: 3 } }),
    { usd: 30_000_000 },
  ],
  [
    'fewer sessions of the job',
    job({ session: { usd: 1 }, job: { sessions: 4 } }),
    { usd: 4_000_000, sessions: 4 },
  ],
  [
    'a cap of the job on dollars is no bound: it stops the job',
    job({ job: { usd: 10 } }),
    { usd: null },
  ],
  [
    'a phase that is not metered costs nothing',
    job({ session: { usd: 1 } }, [true, false]),
    { usd: 80_000_000 },
  ],
  ['without a metered phase nothing is spent, cap or not', job({}, [false]), { usd: 0 }],
  [
    'tokens count whether or not calls are metered',
    job({ session: { tokens: 1_000 } }, [false]),
    { tokens: 80_000 },
  ],
  [
    'minutes by the cap of a visit',
    job({ phase: { minutes: 30 } }, [true]),
    { minutes: 8 * 30 * 60_000 },
  ],
  [
    'what is not reported has no bound of dollars and tokens, and one of minutes',
    job({ session: { usd: 1, tokens: 1_000, minutes: 1 } }, [true], 'never'),
    { usd: null, tokens: null, minutes: 80 * 60_000 },
  ],
  [
    'what is not reported and costs nothing is no dollars',
    job({ session: { usd: 1 } }, [false], 'never'),
    { usd: 0 },
  ],
  [
    'a job without an agent uses nothing',
    job({}, []),
    { usd: 0, tokens: 0, sessions: 0, minutes: 0 },
  ],
];

for (const [name, input, expected] of ROWS)
  test(`${name} (JOB-16)`, () => {
    const bound = computeBound(input);
    const entries = Object.keys(expected).map((metric) => [
      metric,
      bound[metric as keyof EstimatedAmounts],
    ]);
    assert.equal(Object.fromEntries(entries), expected);
  });

const SOME: EstimatedAmounts = { usd: 1, tokens: 2, sessions: 3, minutes: 4 };

test('the bound of a campaign is the sum of its jobs', () => {
  assert.equal(sumBounds([SOME, SOME]), { usd: 2, tokens: 4, sessions: 6, minutes: 8 });
});

test('a sum has no bound where one of its jobs has none', () => {
  assert.equal(sumBounds([SOME, { ...SOME, usd: null }, SOME]).usd, null);
});

const FOUND: Estimation = {
  bound: { usd: 80_000_000, tokens: null, sessions: 160, minutes: null },
  assumed: { visits: 8, sessions: 10 },
  subRuns: 0,
  history: null,
  stops: [],
  overshoots: [],
};

test('an estimate says plainly what has no bound, no history and no cap', () => {
  assert.equal(renderEstimate(FOUND), [
    'At worst $80.00 and 160 sessions: 8 visits of each phase for a work item, 10 sessions a visit.',
    'No bound for tokens and minutes: no session and no visit has a cap on them, or a phase does not report them.',
    'No history: fewer than 5 runs of this workflow have completed.',
    'No limit stops the job as a whole.',
  ]);
});

const likely = (usd: number | null): EstimatedAmounts => ({
  usd,
  tokens: 900,
  sessions: 4,
  minutes: 60_000,
});

test('an estimate says what past runs have used, and of which they were', () => {
  const history = {
    of: 'repository',
    runs: 12,
    p50: likely(1_200_000),
    p90: likely(3_400_000),
  } as const;
  assert.is(
    renderEstimate({ ...FOUND, history })[2],
    'Half of the last 12 completed runs of this workflow in this repository used at most $1.20, 900 tokens, 4 sessions and 1 minute; nine of ten at most $3.40, 900 tokens, 4 sessions and 1 minute.',
  );
});

test('an estimate says that a cost is not known: it is not 0', () => {
  const history = { of: 'workflow', runs: 5, p50: likely(null), p90: likely(null) } as const;
  assert.is(
    renderEstimate({ ...FOUND, history })[2],
    'Half of the last 5 completed runs of this workflow used at most 900 tokens, 4 sessions and 1 minute; nine of ten at most 900 tokens, 4 sessions and 1 minute. What they have cost is not known.',
  );
});

test('an estimate names the caps that will stop the job, with what is left', () => {
  const whole = {
    scope: 'job',
    key: '',
    window: '',
    metric: 'usd',
    cap: 10_000_000,
    by: 'config',
    spent: 0,
    held: 0,
  } as const;
  const day = {
    ...whole,
    scope: 'day',
    window: '2026-11-22',
    metric: 'tokens',
    cap: 5_000,
    spent: 3_000,
    held: 500,
  } as const;
  assert.is(
    renderEstimate({ ...FOUND, stops: [whole, day] })[3],
    'It is stopped at $10.00 (the budget of the job) and 1,500 tokens (what is left of 5,000 tokens, the budget of the day 2026-11-22 (UTC)).',
  );
});

test('an estimate says how much more than a cap can be used, and where', () => {
  const overshoots = [{ by: 'at most one call', phases: ['planning', 'coding'] }];
  assert.is(
    renderEstimate({ ...FOUND, overshoots }).at(-1),
    'A session of planning and coding can exceed its caps by at most one call.',
  );
});

test('sub-runs that are named are included, those that agents make are not', () => {
  assert.ok(renderEstimate({ ...FOUND, subRuns: 3 })[0]?.includes('3 sub-runs included'));
  assert.ok(
    renderEstimate({ ...FOUND, subRuns: null }).includes(
      'Sub-runs that its agents make are not included.',
    ),
  );
});

test.run();
