import type { CostPart } from '../../../base/spending/costParts.ts';
import {
  COST_COLUMNS,
  type COST_SUMS,
  buildCostColumns,
  HOUR_MS,
} from '../migrations/costMigration.ts';

/** Which calls; times are epoch ms. A missing member does not filter. */
export interface CostFilter {
  since?: number;
  until?: number;
  job?: string;
  campaign?: string;
  repository?: string;
  workflow?: string;
  phase?: string;
  provider?: string;
  model?: string;
}

export interface CallSums {
  /** Of calls with a known price, millionths of a dollar. */
  microUsd: number;
  unpriced: number;
  calls: number;
  estimated: number;
  sessions: number;
  ms: number;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  /** Sessions that ended without a token report. */
  unreported: number;
}

type StoredSum = Omit<CallSums, 'unreported'>;

/**
 * SQL: sessions without a report in a row of `usage_hours`; they count as entries, not as calls.
 */
export const UNREPORTED_SESSIONS = 'max(0, entries - calls)';

export const DAY_HOURS = 24;
export const DAY_MS = DAY_HOURS * HOUR_MS;

export const SUM_COLUMNS: Readonly<Record<keyof StoredSum, (typeof COST_SUMS)[number]>> = {
  microUsd: 'micro_usd',
  unpriced: 'unpriced',
  calls: 'calls',
  estimated: 'estimated',
  sessions: 'sessions',
  ms: 'ms',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cachedInputTokens: 'cached_input_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  reasoningTokens: 'reasoning_tokens',
};
export const STORED_NAMES = Object.keys(SUM_COLUMNS) as readonly (keyof StoredSum)[];
export const SUM_NAMES: readonly (keyof CallSums)[] = [...STORED_NAMES, 'unreported'];

export const SUMMED = Object.values(SUM_COLUMNS);
export const EQUAL = [
  'job',
  'campaign',
  'repository',
  'workflow',
  'phase',
  'provider',
  'model',
] as const;

/** A table of sums, or the ledger, with the length of what a row of it sums up, ms. */
export interface CostTable {
  name: string;
  unit: number;
  /** The number of a row's period. */
  period: string;
  /** What its rows are split by, beside the day. */
  parts: readonly CostPart[];
  /** SQL of its rows, as far as they are summed. */
  rows: string;
  /** Index of its periods, by which it is read in slices. */
  index?: string;
}

/** A person is found by the topmost job. */
const SUBJECTS = ['job', 'campaign', 'person'] as const;
const PLACES = ['phase', 'repository', 'workflow', 'provider', 'model'] as const;
const UNREPORTED_AS = `${UNREPORTED_SESSIONS} AS unreported`;
/** The columns that a table of days has not are never asked of it. */
const DAY_COLUMNS = `day * ${DAY_HOURS} AS hour, ${SUMMED.join(', ')}, ${UNREPORTED_AS}`;

const LEDGER: CostTable = {
  name: 'usage_calls',
  unit: 1,
  period: 'at',
  parts: [...SUBJECTS, ...PLACES],
  rows: `SELECT ${buildCostColumns('c')}, c.source = 'none' AS unreported FROM usage_calls c`,
};
const HOURS: CostTable = {
  name: 'usage_hours',
  unit: HOUR_MS,
  period: 'hour',
  parts: [...SUBJECTS, ...PLACES],
  rows: `SELECT ${COST_COLUMNS}, ${UNREPORTED_AS} FROM usage_hours`,
  index: 'usage_hours_hour',
};
/** Each has a fraction of the rows of the hours. */
const DAYS: readonly CostTable[] = [
  {
    name: 'usage_subject_days',
    unit: DAY_MS,
    period: 'day',
    parts: SUBJECTS,
    rows: `SELECT subject, root, ${DAY_COLUMNS} FROM usage_subject_days`,
    index: 'usage_subject_days_key',
  },
  {
    name: 'usage_place_days',
    unit: DAY_MS,
    period: 'day',
    parts: PLACES,
    rows: `SELECT ${PLACES.join(', ')}, ${DAY_COLUMNS} FROM usage_place_days`,
    index: 'usage_place_days_key',
  },
];

/** A job has few rows, and the hours have an index of jobs. */
export const isOfOneJob = ({ job, campaign }: CostFilter): boolean =>
  job !== undefined || campaign !== undefined;

/** The tables that have what is asked for, the coarsest first. */
export function pickCostTables(by: readonly CostPart[], filter: CostFilter): CostTable[] {
  const dimensions = [...by, ...EQUAL.filter((name) => filter[name] !== undefined)];
  const days = DAYS.find(({ parts }) =>
    dimensions.every((part) => part === 'day' || parts.includes(part)),
  );
  return days && !isOfOneJob(filter) ? [days, HOURS, LEDGER] : [HOURS, LEDGER];
}

interface PartOfPeriod {
  table: CostTable;
  /** Numbers of the table's periods; the end is not part of it. */
  from?: number | undefined;
  until?: number | undefined;
}

/** Splits a time into whole periods of the coarsest table, and what is before and after them. */
export function splitPeriod(
  { since, until }: { since?: number | undefined; until?: number | undefined },
  [table = LEDGER, ...finer]: readonly CostTable[],
): PartOfPeriod[] {
  const { unit } = table;
  const first = since === undefined ? undefined : Math.ceil(since / unit);
  const last = until === undefined ? undefined : Math.floor(until / unit);
  const hasNone = first !== undefined && last !== undefined && first >= last;
  if (hasNone && finer.length > 0) return splitPeriod({ since, until }, finer);
  const parts: PartOfPeriod[] = hasNone ? [] : [{ table, from: first, until: last }];
  const rest = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined || from >= to
      ? []
      : splitPeriod({ since: from, until: to }, finer);
  return [
    ...parts,
    ...rest(since, first === undefined ? undefined : first * unit),
    ...rest(last === undefined ? undefined : last * unit, until),
  ];
}
