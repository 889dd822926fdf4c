import { toColumnTextOrNull } from './toColumnTextOrNull.ts';
import type { CostPart } from '../../../base/spending/costParts.ts';
import {
  COST_COLUMNS,
  type COST_SUMS,
  buildCostColumns,
  HOUR_MS,
} from '../migrations/costMigration.ts';
import { MAX_STORED_SUM } from '../migrations/boundedSumsMigration.ts';
import type { BrokenRows } from '../../../kernel/sqlite/broken/brokenRows.ts';
import { createBrokenRows } from '../jobRowGuard.ts';
import { areCounts, reportLeftOutRows } from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';
import type { SqlValue } from '../../../kernel/sqlite/toSqlValue.ts';

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

const DAY_HOURS = 24;
const DAY_MS = DAY_HOURS * HOUR_MS;

const COLUMNS: Readonly<Record<CostPart, string>> = {
  job: 'subject',
  campaign: 'root',
  phase: 'phase',
  repository: 'repository',
  workflow: 'workflow',
  provider: 'provider',
  model: 'model',
  // The number of the day since 1970: formatting a date for each row would be slow.
  day: `hour / ${DAY_HOURS}`,
};

const SUM_COLUMNS: Readonly<Record<keyof StoredSum, (typeof COST_SUMS)[number]>> = {
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
const STORED_NAMES = Object.keys(SUM_COLUMNS) as readonly (keyof StoredSum)[];
const SUM_NAMES: readonly (keyof CallSums)[] = [...STORED_NAMES, 'unreported'];

const SUMMED = Object.values(SUM_COLUMNS);
/** The last hour that a Date can hold. */
const LAST_HOUR = 2_400_000_000;

/**
 * The sums, and the smallest and largest summed values, which reveal unreadable rows. `total` never
 * overflows.
 */
const SUMS = [
  ...STORED_NAMES.map((name) => `min(${MAX_STORED_SUM}, total(${SUM_COLUMNS[name]})) AS ${name}`),
  `min(${MAX_STORED_SUM}, total(unreported)) AS unreported`,
  `min(min(hour, ${SUMMED.join(', ')})) AS least`,
  `max(max(${SUMMED.join(', ')})) AS most`,
  'max(hour) AS last_hour',
].join(', ');

const SUMMED_CALLS = [
  'at',
  'ms',
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'micro_usd',
];

const isCostSumReadable = ({ least, most, last_hour: hour }: Record<string, unknown>): boolean =>
  least === null ||
  (Number(least) >= 0 && Number(most) <= Number.MAX_SAFE_INTEGER && Number(hour) <= LAST_HOUR);

/** Only readable rows; used where some are not. */
const READABLE = `${areCounts(SUMMED)} AND hour BETWEEN 0 AND ${LAST_HOUR}`;

const EQUAL = ['job', 'campaign', 'repository', 'workflow', 'phase', 'provider', 'model'] as const;

type Conditions = readonly (readonly [sql: string, value: SqlValue])[];

/**
 * The source of the sums: whole hours within the period, and the ledger itself for the hours in
 * which it begins and ends.
 */
function buildCostSource(
  filter: CostFilter,
  onlyReadable: boolean,
): { from: string; values: SqlValue[] } {
  const equal: Conditions = EQUAL.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [[`${COLUMNS[name]} = ?`, value] as const];
  });
  const values: SqlValue[] = [];
  const where = (conditions: Conditions): string => {
    const all = [...equal, ...conditions];
    values.push(...all.map(([, value]) => value));
    return all.length === 0 ? '' : `WHERE ${all.map(([sql]) => sql).join(' AND ')}`;
  };
  const parts = splitPeriod(filter).map(({ ofLedger, since, until }) => {
    const unit = ofLedger ? 1 : HOUR_MS;
    const column = ofLedger ? 'at' : 'hour';
    const period = where([
      ...(since === undefined ? [] : [[`${column} >= ?`, since / unit] as const]),
      ...(until === undefined ? [] : [[`${column} < ?`, until / unit] as const]),
    ]);
    return ofLedger
      ? `SELECT ${buildCostColumns('c')}, c.source = 'none' AS unreported FROM usage_calls c ${period}`
      : `SELECT ${COST_COLUMNS}, ${UNREPORTED_SESSIONS} AS unreported FROM usage_hours ${period}`;
  });
  const all = `(${parts.join(' UNION ALL ')})`;
  return { from: onlyReadable ? `(SELECT * FROM ${all} WHERE ${READABLE})` : all, values };
}

interface PartOfPeriod {
  ofLedger: boolean;
  since?: number | undefined;
  until?: number | undefined;
}

/** Splits a period into whole hours and the parts before and after them. */
function splitPeriod({ since, until }: Pick<CostFilter, 'since' | 'until'>): PartOfPeriod[] {
  const first = since === undefined ? undefined : Math.ceil(since / HOUR_MS) * HOUR_MS;
  const last = until === undefined ? undefined : Math.floor(until / HOUR_MS) * HOUR_MS;
  if (first !== undefined && last !== undefined && first >= last)
    return [{ ofLedger: true, since, until }];
  return [
    { ofLedger: false, since: first, until: last },
    ...(since === first ? [] : [{ ofLedger: true, since, until: first }]),
    ...(until === last ? [] : [{ ofLedger: true, since: last, until }]),
  ];
}

const toCalledSum = (row: Record<string, unknown>): CallSums =>
  Object.fromEntries(SUM_NAMES.map((name) => [name, Number(row[name])])) as Record<
    keyof CallSums,
    number
  >;

const formatCostDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Exact sums of the ledger for any period; read from its hourly sums. */
export class CostReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, broken = createBrokenRows()) {
    this.#db = db;
    this.#broken = broken;
  }

  sum(filter: CostFilter): CallSums {
    const [row] = this.#summed(filter, (from) => `SELECT ${SUMS} FROM ${from}`);
    return toCalledSum(row ?? {});
  }

  /**
   * Rows of sums. Unreadable rows of the ledger are reported, and the sums are computed again
   * without them.
   */
  #summed(
    filter: CostFilter,
    sql: (from: string) => string,
    more: readonly SqlValue[] = [],
  ): Record<string, unknown>[] {
    const { from, values } = buildCostSource(filter, false);
    const rows = this.#db.all(sql(from), ...values, ...more);
    if (rows.every(isCostSumReadable)) return rows;
    this.#nameLeftOut();
    const readable = buildCostSource(filter, true);
    return this.#db.all(sql(readable.from), ...readable.values, ...more);
  }

  #nameLeftOut(): void {
    const calls = SUMMED_CALLS.map((name) => `coalesce(${name}, 0)`);
    reportLeftOutRows(this.#db, this.#broken, { table: 'usage_hours', key: ['id'] }, READABLE);
    reportLeftOutRows(
      this.#db,
      this.#broken,
      { table: 'usage_calls', key: ['subject', 'visit', 'session', 'seq'] },
      areCounts(calls),
    );
  }

  /** How many rows {@link rows} has without a limit. */
  total(by: readonly CostPart[], filter: CostFilter): number {
    const { from, values } = buildCostSource(filter, false);
    const columns = by.map((part) => COLUMNS[part]).join(', ');
    const groups = `SELECT 1 FROM ${from} GROUP BY ${columns}`;
    return Number(this.#db.get(`SELECT count(*) AS n FROM (${groups})`, ...values)?.n);
  }

  /** Days in their order, others by cost, highest first. */
  rows(
    by: readonly CostPart[],
    filter: CostFilter,
    { limit, offset }: { limit: number; offset: number },
  ): (CallSums & { keys: (string | null)[] })[] {
    const keys = by.map((_, n) => `k${n}`);
    const columns = by.map((part, n) => `${COLUMNS[part]} AS k${n}`).join(', ');
    const order = [
      ...by.flatMap((part, n) => (part === 'day' ? [`k${n}`] : [])),
      'microUsd DESC',
      'inputTokens + outputTokens DESC',
      ...keys,
    ];
    const sql = (from: string) => {
      const grouped = `SELECT ${columns}, ${SUMS} FROM ${from} GROUP BY ${keys.join(', ')}`;
      return `SELECT * FROM (${grouped}) ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`;
    };
    return this.#summed(filter, sql, [limit, offset]).map((row) => ({
      keys: by.map((part, n) =>
        part === 'day' ? formatCostDay(Number(row[`k${n}`])) : toColumnTextOrNull(row[`k${n}`]),
      ),
      ...toCalledSum(row),
    }));
  }
}
