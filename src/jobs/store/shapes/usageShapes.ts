import type { BudgetMetric, BudgetScope } from '../../../base/spending/budgetScopes.ts';
import type { BudgetTables } from '../../../contract/records/budgetTables.ts';
import type { UsageTables } from '../../../contract/records/usageTables.ts';
import type { Caller } from '../../../contract/schema/runner/caller.ts';
import type { Shape } from './shape.ts';

const SCOPES = {
  session: true,
  phase: true,
  job: true,
  campaign: true,
  repository: true,
  day: true,
  week: true,
  runner: true,
} satisfies Record<BudgetScope, true>;

const METRICS = {
  usd: true,
  tokens: true,
  sessions: true,
  visits: true,
  minutes: true,
} satisfies Record<BudgetMetric, true>;

export const CALLERS = {
  token: true,
  login: true,
  open: true,
  member: true,
} satisfies Record<Caller, true>;

const COST_SUM_SHAPES = {
  micro_usd: 'count',
  unpriced: 'count',
  calls: 'count',
  estimated: 'count',
  sessions: 'count',
  ms: 'count',
  input_tokens: 'count',
  output_tokens: 'count',
  cached_input_tokens: 'count',
  cache_write_tokens: 'count',
  reasoning_tokens: 'count',
  entries: 'count',
} as const;

export const USAGE_SHAPES: {
  [Name in keyof (UsageTables & BudgetTables)]: Shape<(UsageTables & BudgetTables)[Name]>;
} = {
  usage_calls: {
    subject: 'text',
    visit: 'count',
    session: 'count',
    seq: 'count',
    root: 'text',
    phase: 'text',
    workflow: 'text?',
    repository: 'text?',
    provider: 'text?',
    model: 'text?',
    at: 'time',
    ms: 'count',
    input_tokens: 'count',
    output_tokens: 'count',
    cached_input_tokens: 'count',
    cache_write_tokens: 'count',
    cache_write_1h_tokens: 'count',
    reasoning_tokens: 'count',
    micro_usd: 'count?',
    metered: 'flag',
    source: { oneOf: { reported: true, estimated: true, none: true } },
  },
  usage_sums: {
    scope: { oneOf: SCOPES },
    key: 'text',
    window: 'text',
    micro_usd: 'count',
    tokens: 'count',
    calls: 'count',
    unpriced_calls: 'count',
    sessions: 'count',
    ms: 'count',
  },
  usage_hours: {
    id: 'count',
    subject: 'text',
    hour: 'count',
    phase: 'text',
    root: 'text',
    workflow: 'text?',
    repository: 'text?',
    provider: 'text?',
    model: 'text?',
    ...COST_SUM_SHAPES,
  },
  usage_subject_days: {
    id: 'count',
    day: 'count',
    subject: 'text',
    root: 'text',
    ...COST_SUM_SHAPES,
  },
  usage_place_days: {
    id: 'count',
    day: 'count',
    phase: 'text',
    workflow: 'text?',
    repository: 'text?',
    provider: 'text?',
    model: 'text?',
    ...COST_SUM_SHAPES,
  },
  budget_caps: {
    scope: { oneOf: SCOPES },
    key: 'text',
    metric: { oneOf: METRICS },
    window: 'text',
    cap: 'count?',
    raised: 'count',
    at: 'time',
    by: { oneOf: CALLERS },
  },
  budget_holds: {
    job_id: 'text',
    root: 'text',
    repository: 'text?',
    at: 'time',
    usd: 'count',
    tokens: 'count',
    sessions: 'count',
    minutes: 'count',
    base_usd: 'count',
    base_tokens: 'count',
    base_sessions: 'count',
    base_minutes: 'count',
  },
  budget_warnings: {
    scope: { oneOf: SCOPES },
    key: 'text',
    metric: { oneOf: METRICS },
    window: 'text',
    cap: 'count',
    job_id: 'text',
    at: 'time',
    text: 'text',
  },
  unpriced_sums: {
    scope: { oneOf: SCOPES },
    key: 'text',
    window: 'text',
    input_tokens: 'count',
    output_tokens: 'count',
  },
};
