import { waitForNextTurn } from '../../../base/concurrency/waitForNextTurn.ts';
import { toColumnTextOrNull } from './toColumnTextOrNull.ts';
import type { CostPart } from '../../../base/spending/costParts.ts';
import { addSums, addToGroup, createGroupOrder, type Group, toCallSums } from './costGroups.ts';
import {
  type CallSums,
  type CostFilter,
  type CostTable,
  DAY_HOURS,
  DAY_MS,
  EQUAL,
  isOfOneJob,
  pickCostTables,
  splitPeriod,
  STORED_NAMES,
  SUM_COLUMNS,
  SUM_NAMES,
  SUMMED,
} from './costTables.ts';
import { MAX_STORED_SUM } from '../migrations/boundedSumsMigration.ts';
import type { BrokenRows } from '../../../kernel/sqlite/broken/brokenRows.ts';
import { createBrokenRows } from '../jobRowGuard.ts';
import { areCounts, reportLeftOutRows } from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';
import type { SqlValue } from '../../../kernel/sqlite/toSqlValue.ts';

const COLUMNS: Readonly<Record<CostPart, string>> = {
  job: 'subject',
  campaign: 'root',
  phase: 'phase',
  repository: 'repository',
  workflow: 'workflow',
  provider: 'provider',
  model: 'model',
  // Of a campaign with its sub-runs, who asked for the campaign.
  person: '(SELECT p.person FROM job_creators p WHERE p.job_id = root)',
  // The number of the day since 1970: formatting a date for each row would be slow.
  day: `hour / ${DAY_HOURS}`,
};

/** The last hour that a Date can hold. */
const LAST_HOUR = 2_400_000_000;

/** `total` never overflows. */
const SUMMED_SQL = [
  ...STORED_NAMES.map(
    (name) => `CAST(min(${MAX_STORED_SUM}, total(${SUM_COLUMNS[name]})) AS INTEGER) AS ${name}`,
  ),
  `CAST(min(${MAX_STORED_SUM}, total(unreported)) AS INTEGER) AS unreported`,
].join(', ');
/** The smallest and largest summed values, which reveal unreadable rows. */
const CHECKED = `min(min(hour, ${SUMMED.join(', ')})) AS least, max(max(${SUMMED.join(', ')})) AS most, max(hour) AS last_hour`;

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

/** A row of sums: its keys, the sums in the order of their names, and what reveals unreadable rows. */
type SumRow = [keys: unknown[], sums: number[], least: number | null, most: number, hour: number];

const isCostSumReadable = ([, , least, most, hour]: SumRow): boolean =>
  least === null || (least >= 0 && most <= Number.MAX_SAFE_INTEGER && hour <= LAST_HOUR);

/** Only readable rows; used where some are not. */
const READABLE = `${areCounts(SUMMED)} AND hour BETWEEN 0 AND ${LAST_HOUR}`;

const READABLE_DAY = `${areCounts(SUMMED)} AND day BETWEEN 0 AND ${LAST_HOUR / DAY_HOURS}`;

const formatCostDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Rows of a table that are added up at once, with pauses for other work. */
const ROWS_AT_ONCE = 60;
/** Groups that are put in order at once, with pauses for other work. */
const GROUPS_AT_ONCE = 150;

export interface CostRows {
  /** Days in their order, others by cost, highest first. */
  rows: (CallSums & { keys: (string | null)[] })[];
  /** How many there are without a limit. */
  total: number;
  /** All of them together. */
  sum: CallSums;
}

/** Exact sums of the ledger for any period, read in slices. A call that comes meanwhile may be missing. */
export class CostReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, brokenRows = createBrokenRows()) {
    this.#db = db;
    this.#broken = brokenRows;
  }

  async read(
    by: readonly CostPart[],
    filter: CostFilter,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<CostRows> {
    const groups = [...(await this.#groups(by, filter)).values()];
    const order = createGroupOrder(by);
    const all = SUM_NAMES.map(() => 0);
    let first: Group[] = [];
    for (let at = 0; at < groups.length; at += GROUPS_AT_ONCE) {
      const some = groups.slice(at, at + GROUPS_AT_ONCE);
      for (const { sums } of some) addSums(all, sums);
      first = [...first, ...some].sort(order).slice(0, offset + limit);
      await waitForNextTurn();
    }
    return {
      rows: first.slice(offset).map(({ keys, sums }) => ({
        keys: by.map((part, n) =>
          part === 'day' ? formatCostDay(Number(keys[n])) : toColumnTextOrNull(keys[n]),
        ),
        ...toCallSums(sums),
      })),
      total: groups.length,
      sum: toCallSums(all),
    };
  }

  async sum(filter: CostFilter): Promise<CallSums> {
    return (await this.read([], filter, { limit: 0, offset: 0 })).sum;
  }

  /** Unreadable rows of the ledger are reported, and the sums are computed again without them. */
  async #groups(by: readonly CostPart[], filter: CostFilter): Promise<Map<string, Group>> {
    const groups = await this.#readable(by, filter, false);
    if (groups !== null) return groups;
    this.#nameLeftOut();
    return (await this.#readable(by, filter, true)) ?? new Map();
  }

  /** Null for a row that cannot be read; `onlyReadable`: such rows are left out. */
  async #readable(
    by: readonly CostPart[],
    filter: CostFilter,
    onlyReadable: boolean,
  ): Promise<Map<string, Group> | null> {
    const groups = new Map<string, Group>();
    // Bytes in a column of names are damage, and JSON cannot hold them.
    const keys = by.map((part, n) => {
      const column = COLUMNS[part];
      return `${onlyReadable ? `iif(typeof(${column}) = 'blob', NULL, ${column})` : column} AS k${n}`;
    });
    const names = by.map((_, n) => `k${n}`).join(', ');
    const equal = EQUAL.filter((name) => filter[name] !== undefined);
    const values = equal.map((name): SqlValue => filter[name] ?? null);
    const where = equal.map((name) => `${COLUMNS[name]} = ?`);
    const isOfJob = isOfOneJob(filter);
    for (const { table, from, until } of splitPeriod(filter, pickCostTables(by, filter))) {
      for (const slice of this.#slices(table, from, until, isOfJob)) {
        const conditions = [...where, ...slice.where];
        const source = `${table.rows}${slice.by ? ` ${slice.by}` : ''}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`;
        const groupSql = `SELECT ${[...keys, SUMMED_SQL, CHECKED].join(', ')} FROM (${source})${onlyReadable ? ` WHERE ${READABLE}` : ''}${by.length === 0 ? '' : ` GROUP BY ${names}`}`;
        // As one text: thousands of values take a fraction of the time.
        const row = this.#getUnlessDamaged(
          onlyReadable,
          `SELECT json_group_array(json_array(json_array(${names}), json_array(${SUM_NAMES.join(', ')}), least, most, last_hour)) AS rows FROM (${groupSql})`,
          [...values, ...slice.values],
        );
        if (row === null) return null;
        const rows = JSON.parse(String(row?.rows)) as SumRow[];
        if (!rows.every(isCostSumReadable)) return null;
        // Without a split there is a row even where nothing is summed.
        for (const [own, sums, least] of rows) if (least !== null) addToGroup(groups, own, sums);
        await waitForNextTurn();
      }
    }
    return groups;
  }

  /** Null where the values of a damaged row cannot be summed; the second reading leaves it out, and fails for good. */
  #getUnlessDamaged(onlyReadable: boolean, sql: string, values: readonly SqlValue[]) {
    try {
      return this.#db.get(sql, ...values);
    } catch (error) {
      if (onlyReadable) throw error;
      return null;
    }
  }

  /** Conditions of a table's rows within some periods, for about as many rows as are read at once. */
  *#slices(
    { name, period, index }: CostTable,
    from: number | undefined,
    until: number | undefined,
    isOfJob: boolean,
  ): Generator<{ where: string[]; values: SqlValue[]; by?: string }> {
    const where = [
      ...(from === undefined ? [] : [`${period} >= ?`]),
      ...(until === undefined ? [] : [`${period} < ?`]),
    ];
    const values = [from, until].filter((bound) => bound !== undefined);
    // The ledger is read for parts of an hour alone, and a job has few rows.
    if (index === undefined || isOfJob) {
      yield { where, values };
      return;
    }
    // By their IDs where all are read: an index would be a second look-up for each row.
    const [key, by] = where.length === 0 ? ['id', 'NOT INDEXED'] : [period, `INDEXED BY ${index}`];
    // From row to row, not from number to number: one damaged ID may be any number.
    for (let after = Number.MIN_SAFE_INTEGER; ; ) {
      const begin = { where: [...where, `${key} > ?`], values: [...values, after] };
      const last = this.#db.get(
        `SELECT ${key} AS last FROM ${name} ${by} WHERE ${begin.where.join(' AND ')} ORDER BY ${key} LIMIT 1 OFFSET ?`,
        ...begin.values,
        ROWS_AT_ONCE - 1,
      )?.last;
      if (typeof last !== 'number') {
        yield { ...begin, by };
        return;
      }
      yield { where: [...begin.where, `${key} <= ?`], values: [...begin.values, last], by };
      after = last;
    }
  }

  #nameLeftOut(): void {
    const calls = SUMMED_CALLS.map((name) => `coalesce(${name}, 0)`);
    reportLeftOutRows(this.#db, this.#broken, { table: 'usage_hours', key: ['id'] }, READABLE);
    for (const table of ['usage_subject_days', 'usage_place_days'])
      reportLeftOutRows(this.#db, this.#broken, { table, key: ['id'] }, READABLE_DAY);
    reportLeftOutRows(
      this.#db,
      this.#broken,
      { table: 'usage_calls', key: ['subject', 'visit', 'session', 'seq'] },
      areCounts(calls),
    );
  }
}
