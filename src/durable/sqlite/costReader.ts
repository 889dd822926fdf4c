import type { CostPart } from '../../domain/costParts.ts';
import type { Database, SqlValue } from './database.ts';

/** Which calls; times are epoch ms. What is left out narrows nothing. */
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

/** Sums of calls. */
export interface CalledSum {
  /** Of calls whose price is known, millionths of a dollar. */
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
}

const DAY_MS = 86_400_000;

const COLUMNS: Readonly<Record<CostPart, string>> = {
  job: 'subject',
  campaign: 'root',
  phase: 'phase',
  repository: 'repository',
  workflow: 'workflow',
  provider: 'provider',
  model: 'model',
  // The number of the day since 1970: a date as text would be made of each row.
  day: `at / ${DAY_MS}`,
};

const SUMS = `coalesce(sum(micro_usd), 0) AS microUsd, coalesce(sum(micro_usd IS NULL), 0) AS unpriced,
  coalesce(sum(source <> 'none'), 0) AS calls, coalesce(sum(source = 'estimated'), 0) AS estimated,
  coalesce(sum(seq = 1), 0) AS sessions, coalesce(sum(ms), 0) AS ms,
  coalesce(sum(input_tokens), 0) AS inputTokens, coalesce(sum(output_tokens), 0) AS outputTokens,
  coalesce(sum(cached_input_tokens), 0) AS cachedInputTokens,
  coalesce(sum(cache_write_tokens), 0) AS cacheWriteTokens,
  coalesce(sum(reasoning_tokens), 0) AS reasoningTokens`;

const SUM_NAMES = [
  'microUsd',
  'unpriced',
  'calls',
  'estimated',
  'sessions',
  'ms',
  'inputTokens',
  'outputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const satisfies readonly (keyof CalledSum)[];

const EQUAL = ['job', 'campaign', 'repository', 'workflow', 'phase', 'provider', 'model'] as const;

function conditionOf(filter: CostFilter): { where: string; values: SqlValue[] } {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  for (const name of EQUAL) {
    const value = filter[name];
    if (value === undefined) continue;
    terms.push(`${COLUMNS[name]} = ?`);
    values.push(value);
  }
  if (filter.since !== undefined) {
    terms.push('at >= ?');
    values.push(filter.since);
  }
  if (filter.until !== undefined) {
    terms.push('at < ?');
    values.push(filter.until);
  }
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}

const sumOf = (row: Record<string, unknown>): CalledSum =>
  Object.fromEntries(SUM_NAMES.map((name) => [name, Number(row[name])])) as Record<
    (typeof SUM_NAMES)[number],
    number
  >;

const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));

/** Sums over the ledger. */
export class CostReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  sum(filter: CostFilter): CalledSum {
    const { where, values } = conditionOf(filter);
    return sumOf(this.#db.get(`SELECT ${SUMS} FROM usage_calls ${where}`, ...values) ?? {});
  }

  /** How many rows {@link rows} has without a limit. */
  total(by: readonly CostPart[], filter: CostFilter): number {
    const { where, values } = conditionOf(filter);
    const columns = by.map((part) => COLUMNS[part]).join(', ');
    const groups = `SELECT 1 FROM usage_calls ${where} GROUP BY ${columns}`;
    return Number(this.#db.get(`SELECT count(*) AS n FROM (${groups})`, ...values)?.n);
  }

  /** Days in their order, else the most expensive first. */
  rows(
    by: readonly CostPart[],
    filter: CostFilter,
    { limit, offset }: { limit: number; offset: number },
  ): (CalledSum & { keys: (string | null)[] })[] {
    const { where, values } = conditionOf(filter);
    const keys = by.map((_, n) => `k${n}`);
    const columns = by.map((part, n) => `${COLUMNS[part]} AS k${n}`).join(', ');
    const order = [
      ...by.flatMap((part, n) => (part === 'day' ? [`k${n}`] : [])),
      'microUsd DESC',
      'inputTokens + outputTokens DESC',
      ...keys,
    ];
    const grouped = `SELECT ${columns}, ${SUMS} FROM usage_calls ${where} GROUP BY ${keys.join(', ')}`;
    return this.#db
      .all(
        `SELECT * FROM (${grouped}) ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      .map((row) => ({
        keys: by.map((part, n) =>
          part === 'day' ? dayText(Number(row[`k${n}`])) : textOrNull(row[`k${n}`]),
        ),
        ...sumOf(row),
      }));
  }
}
