import Type from 'typebox';
import Value from 'typebox/value';
import { describe, IsoTime, closed } from '../kit/schemaKit.ts';
import {
  BUDGET_METRICS,
  BUDGET_SCOPES,
  type BudgetMetric,
  type BudgetScope,
  METRICS_OF,
  OWN_SCOPES,
} from '../../../base/spending/budgetScopes.ts';

/** Largest cap that can be written. */
const MAX_CAP = 1e12;

const METRIC_TEXTS: Readonly<Record<BudgetMetric, string>> = {
  usd: 'Dollars of metered calls of models',
  tokens: 'Tokens, input and output',
  sessions: 'Sessions of agents',
  visits: 'Visits of phases',
  minutes: 'Minutes of sessions',
};

const SCOPE_TEXTS: Readonly<Record<BudgetScope, string>> = {
  session: 'one session',
  phase: 'one visit of a phase; its visits: those of the phase in its job',
  job: 'one job',
  campaign: 'a job with all of its sub-runs',
  repository: 'all jobs of one repository',
  day: 'all jobs on one day (UTC)',
  week: 'all jobs in one week (UTC, from Monday)',
  runner: 'all jobs of this runner, ever',
};

const buildCapSchema = (metric: BudgetMetric) =>
  metric === 'usd' || metric === 'minutes'
    ? Type.Number({
        exclusiveMinimum: 0,
        maximum: MAX_CAP,
        description: `${METRIC_TEXTS[metric]}.`,
      })
    : Type.Integer({ minimum: 1, maximum: MAX_CAP, description: `${METRIC_TEXTS[metric]}.` });

/** Caps of one scope; a metric that is left out has none. */
export const buildCapSetSchema = (scope: BudgetScope, more: object = {}) =>
  Type.Object(
    Object.fromEntries(
      METRICS_OF[scope].map((metric) => [metric, Type.Optional(buildCapSchema(metric))]),
    ),
    { ...closed, description: `Caps of ${SCOPE_TEXTS[scope]}. Default: none.`, ...more },
  );

/** Caps that a workflow or the params of a job may set: those of what is the job's own. */
export const OwnCaps = Type.Object(
  Object.fromEntries(OWN_SCOPES.map((scope) => [scope, Type.Optional(buildCapSetSchema(scope))])),
  closed,
);

/** A cap with a mistake; `path` leads to it from the map of scopes. */
export interface CapProblem {
  path: string[];
  message: string;
}

/** What is wrong with the caps of a workflow or of a job's params; empty = nothing. */
export function findOwnCapProblems(value: unknown): CapProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path: [], message: 'must be a map such as { "job": { "usd": 5 } }' }];
  return Object.entries(value).flatMap(([scope, set]): CapProblem[] => {
    const own = OWN_SCOPES.find((candidate) => candidate === scope);
    if (own === undefined)
      return [
        { path: [scope], message: `has no cap here; it may be one of ${OWN_SCOPES.join(', ')}` },
      ];
    if (typeof set !== 'object' || set === null || Array.isArray(set))
      return [{ path: [scope], message: 'must be a map such as { "usd": 5 }' }];
    return Object.entries(set).flatMap(([name, cap]): CapProblem[] => {
      const metric = METRICS_OF[own].find((candidate) => candidate === name);
      const path = [scope, name];
      if (metric === undefined)
        return [{ path, message: `is not counted; known: ${METRICS_OF[own].join(', ')}` }];
      if (Value.Check(buildCapSchema(metric), cap)) return [];
      const whole =
        metric === 'usd' || metric === 'minutes' ? 'a number above 0' : 'a whole number from 1';
      return [{ path, message: `must be ${whole}, at most ${MAX_CAP}` }];
    });
  });
}

const MetricCaps = Type.Object(
  Object.fromEntries(
    BUDGET_METRICS.map((metric) => [metric, Type.Optional(buildCapSchema(metric))]),
  ) as {
    [Metric in BudgetMetric]: Type.TOptional<Type.TNumber>;
  },
  closed,
);

/** Amounts by which caps are raised. */
export const BudgetRaise = MetricCaps;

export const SetBudgetBody = Type.Object(
  {
    key: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'The job or repository of the budget. Omitted for day, week and runner.',
      }),
    ),
    caps: Type.Optional(
      Type.Object(
        Object.fromEntries(
          BUDGET_METRICS.map((metric) => [
            metric,
            Type.Optional(Type.Union([buildCapSchema(metric), Type.Null()])),
          ]),
        ) as {
          [Metric in BudgetMetric]: Type.TOptional<Type.TUnion<[Type.TNumber, Type.TNull]>>;
        },
        {
          ...closed,
          description:
            'In place of what configuration, workflow and params say; null = that again.',
        },
      ),
    ),
    raise: Type.Optional(MetricCaps),
  },
  closed,
);
export type SetBudgetBody = Type.Static<typeof SetBudgetBody>;

export const BudgetsQuery = Type.Object(
  { job: Type.Optional(Type.String({ description: 'A job: the budgets that apply to it.' })) },
  closed,
);
export type BudgetsQuery = Type.Static<typeof BudgetsQuery>;

export const BudgetView = Type.Object({
  scope: Type.Enum([...BUDGET_SCOPES], { description: 'What the budget is of.' }),
  key: Type.String({
    description: 'Whose: an id or a repository; empty for day, week and runner.',
  }),
  window: Type.String({ description: 'The day, or the Monday of the week, in UTC; else empty.' }),
  metric: Type.Enum([...BUDGET_METRICS], {
    description: 'usd, tokens, sessions, visits or minutes.',
  }),
  cap: Type.Number({ description: 'The cap, raises included.' }),
  spent: Type.Number({ description: 'What was spent of it.' }),
  held: Type.Number({ description: 'What running sessions hold of the rest.' }),
  by: Type.Enum(['config', 'workflow', 'params', 'person'], {
    description: 'Who has set or raised it.',
  }),
  until: Type.Union([Type.String(), Type.Null()], {
    description: 'When the next window begins; null where it has only one.',
  }),
});
export type BudgetView = Type.Static<typeof BudgetView>;

/** That a budget was nearly spent, once for each cap. */
export const BudgetWarning = Type.Object({
  scope: Type.Enum([...BUDGET_SCOPES], { description: 'What the budget is of.' }),
  key: Type.String({
    description: 'Whose: an id or a repository; empty for day, week and runner.',
  }),
  window: Type.String({ description: 'The day, or the Monday of the week, in UTC; else empty.' }),
  metric: Type.Enum([...BUDGET_METRICS], {
    description: 'usd, tokens, sessions, visits or minutes.',
  }),
  at: describe(IsoTime, 'When 80 % of the cap were reached.'),
  job: Type.String({ description: 'The job whose call has reached them.' }),
  text: Type.String({ description: 'What is spent of which budget, in words.' }),
});
export type BudgetWarning = Type.Static<typeof BudgetWarning>;

export const BudgetList = Type.Object({
  budgets: Type.Array(BudgetView, { description: 'The budgets.' }),
  warnings: Type.Optional(
    Type.Array(BudgetWarning, {
      description:
        'The 50 newest warnings about budgets that were nearly spent, newest first; only where no job is asked for.',
    }),
  ),
});
export type BudgetList = Type.Static<typeof BudgetList>;
