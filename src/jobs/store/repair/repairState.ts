import type { Database, StateReader } from '../../../kernel/sqlite/database.ts';
import { REBUILD_JOB_GROUPS } from '../migrations/jobGroupMigration.ts';
import { DAY_TABLES, REBUILD_COST_DAYS } from '../migrations/costDayMigration.ts';
import { buildCostColumns, COST_COLUMNS, COST_SUMS } from '../migrations/costMigration.ts';
import { REBUILD_JOB_QUARTERS } from '../migrations/jobQuarterMigration.ts';
import { MAX_STORED_SUM } from '../migrations/boundedSumsMigration.ts';
import { LAST_TIME } from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import type { SqlValue } from '../../../kernel/sqlite/toSqlValue.ts';
import { markOutsideWrite } from '../../../kernel/sqlite/log/outsideWrites.ts';
import { readExactValues, isRounded } from './readExactValues.ts';
import { planRepair, type PlannedRepair, type Repair } from './planRepair.ts';
import { findSuspectRows, type InspectActor } from './findSuspectRows.ts';
import { MAX_CALL_TOKENS, MAX_SESSION_TOKENS } from '../../../base/spending/parseTokenCounts.ts';
import {
  formatRowId,
  formatRowProblems,
  type Problem,
} from '../../../kernel/sqlite/broken/rowGuard.ts';

const CALL_KEY = ['subject', 'visit', 'session', 'seq'];

const TOKEN_COLUMNS = [
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'reasoning_tokens',
] as const;

/**
 * Most tokens of a row: these providers write one row per call, others may write one per session.
 */
const MOST_TOKENS = `CASE WHEN provider = 'builtin' OR provider LIKE 'decision:%' THEN ${MAX_CALL_TOKENS} ELSE ${MAX_SESSION_TOKENS} END`;
const TOKENS = `max(input_tokens + output_tokens, ${TOKEN_COLUMNS.join(', ')})`;

/** Ledger rows with more tokens than their report can have, each with its repair. */
const planCallRepairs = (db: StateReader): PlannedRepair[] =>
  db
    .all(`SELECT *, ${MOST_TOKENS} AS most FROM usage_calls WHERE ${TOKENS} > ${MOST_TOKENS}`)
    .map(({ most, ...row }) => planCallRepair(row, Number(most)));

/** Replaces its counts by 0 and marks it. */
function planCallRepair(row: PlannedRepair['row'], most: number): PlannedRepair {
  const what = most === MAX_CALL_TOKENS ? 'one call' : 'one session';
  const tooMany = (value: unknown) => `is ${String(value)}, more than ${most} tokens of ${what}`;
  const columns: Problem[] = TOKEN_COLUMNS.filter((name) => Number(row[name]) > most).map(
    (column) => ({ column, what: tooMany(row[column]) }),
  );
  const sum = Number(row.input_tokens) + Number(row.output_tokens);
  const problems =
    columns.length > 0
      ? columns
      : [{ column: 'input_tokens with output_tokens', what: tooMany(sum) }];
  const set: Record<string, SqlValue> = Object.fromEntries(TOKEN_COLUMNS.map((name) => [name, 0]));
  const repair: Repair = { act: 'correct', set: { ...set, source: 'estimated', micro_usd: null } };
  const id = formatRowId(row, CALL_KEY);
  const reason = formatRowProblems(problems);
  const text = `usage_calls ${id}: ${reason} -> set its counts = 0, source = estimated; the row as it was goes to quarantined_rows`;
  return { table: 'usage_calls', key: CALL_KEY, row, problems, id, reason, repair, text };
}

const SUMS = ['micro_usd', 'tokens', 'calls', 'unpriced_calls', 'sessions', 'ms'] as const;

/** Tables that are computed from the ledger, together. */
const LEDGER_SUMS = ['usage_sums', 'usage_hours', 'unpriced_sums', ...DAY_TABLES];

/** Tables whose rows are counted by quarter of an hour. */
const COUNTED_IN_QUARTERS: ReadonlySet<string> = new Set([
  'job_list',
  'phase_visits',
  'token_usage',
  'usage_calls',
]);

/** NULL if the activity of its actor is unreadable: then the job counts as not ended. */
const STATE_OF_JOB = `SELECT CASE activity WHEN 'parked' THEN 'waiting' WHEN 'live' THEN 'working'
    WHEN 'ended' THEN CASE WHEN label IN ('failed', 'escalated') THEN 'failed' WHEN label = 'cancelled' THEN 'cancelled' ELSE 'complete' END END`;
/** What a job waits for is also in its snapshot, if that is readable. */
const PARKED_AGAIN = `UPDATE job_summaries SET parked = (
    SELECT CASE WHEN json_valid(snapshot) THEN json_extract(snapshot, '$.context.parked') END FROM actors WHERE id = job_summaries.job_id
  ) WHERE job_id = ?1 AND parked IS NULL`;
/** Takes state and times of a job from its actor. */
const LISTED_AGAIN = `UPDATE job_list SET
    state = coalesce((${STATE_OF_JOB} FROM actors WHERE id = ?1), state),
    since = coalesce((SELECT since FROM actors WHERE id = ?1 AND since BETWEEN 0 AND ${LAST_TIME}), since),
    created_at = coalesce((SELECT created_at FROM actors WHERE id = ?1 AND created_at BETWEEN 0 AND ${LAST_TIME}), created_at)
  WHERE job_id = ?1`;

/** An actor whose numbers were lost continues after the last rows that have them. */
const buildLastNumber = (
  column: string,
  table: string,
  name: string,
  archivedMax: string,
): string =>
  `max(coalesce((SELECT max(${name}) FROM ${table} WHERE actor = ?1 AND ${name} <= ${Number.MAX_SAFE_INTEGER}), 0),
    coalesce((SELECT max(${archivedMax}) FROM archives WHERE actor = ?1 AND ${archivedMax} <= ${Number.MAX_SAFE_INTEGER}), 0), ${column})`;
const RENUMBER_ACTOR = `UPDATE actors SET seq = ${buildLastNumber('seq', 'journal', 'seq', 'to_seq')},
    frame_seq = ${buildLastNumber('frame_seq', 'frames', 'n', 'to_frame')} WHERE id = ?1`;

const hasStateTable = (db: StateReader, name: string): boolean =>
  db.get("SELECT 1 AS yes FROM sqlite_master WHERE name = ? AND type = 'table'", name) !==
  undefined;

/**
 * Everything in a state that is unreadable or counts more than any call can have used, with its
 * repair. Changes nothing. `now`: epoch ms. `inspectActor` checks the snapshots of actors; default:
 * only their form is checked.
 */
export function planRepairs(
  db: StateReader,
  now: number,
  inspectActor?: InspectActor,
): PlannedRepair[] {
  const repairs = [...findSuspectRows(db, inspectActor)].map((suspect) => planRepair(suspect, now));
  if (!hasStateTable(db, 'usage_calls')) return repairs;
  const repairedIds = new Set(
    repairs.filter(({ table }) => table === 'usage_calls').map(({ id }) => id),
  );
  const calls = planCallRepairs(db).filter(({ id }) => !repairedIds.has(id));
  return [...repairs, ...calls, ...findSaturatedSums(db)];
}

/** Sums at their bound without a row that explains it; an earlier release has added them up. */
function findSaturatedSums(db: StateReader): PlannedRepair[] {
  if (!hasStateTable(db, 'usage_sums')) return [];
  return db
    .all(
      `SELECT * FROM usage_sums WHERE ${SUMS.map((name) => `${name} = ${MAX_STORED_SUM}`).join(' OR ')}`,
    )
    .map((row) => {
      const id = `${row.scope}/${row.key}/${row.window}`;
      const reason = 'a sum has reached its bound';
      return {
        table: 'usage_sums',
        key: ['scope', 'key', 'window'],
        row,
        problems: [],
        id,
        reason,
        repair: { act: 'recompute' as const },
        text: `usage_sums ${id}: ${reason} -> compute the table again`,
      };
    });
}

export interface RepairedState {
  corrected: number;
  removed: number;
  recomputed: string[];
  /** Rows not repaired, with what a person can do. */
  kept: PlannedRepair[];
}

/** Carries a plan out in one transaction. `now`: epoch ms. */
export function repairState(
  db: Database,
  repairs: readonly PlannedRepair[],
  now: number,
): RepairedState {
  const repairedState: RepairedState = { corrected: 0, removed: 0, recomputed: [], kept: [] };
  const derivedTables = new Set<string>();
  db.transaction(() => {
    markOutsideWrite(db, 'repair');
    for (const one of repairs) {
      const { table, key, row, repair } = one;
      if (repair.act === 'keep') {
        repairedState.kept.push(one);
        continue;
      }
      if (repair.act === 'recompute') {
        derivedTables.add(table);
        continue;
      }
      quarantine(db, one, now);
      const where = key.map((name) => `${name} IS ?`).join(' AND ');
      const values = readExactKey(db, one);
      if (repair.act === 'remove') {
        db.run(`DELETE FROM ${table} WHERE ${where}`, ...values);
        repairedState.removed += 1;
      } else {
        const set = Object.keys(repair.set).map((name) => `${name} = ?`);
        db.run(
          `UPDATE ${table} SET ${set.join(', ')} WHERE ${where}`,
          ...Object.values(repair.set),
          ...values,
        );
        repairedState.corrected += 1;
      }
      if (table === 'usage_calls') {
        for (const name of LEDGER_SUMS) derivedTables.add(name);
        if (repair.act === 'correct') sumSession(db, row);
      }
      if (COUNTED_IN_QUARTERS.has(table)) derivedTables.add('job_quarters');
      if (table === 'actors') db.run(RENUMBER_ACTOR, String(row.id));
      if (table === 'job_summaries') db.run(PARKED_AGAIN, String(row.job_id));
      if (table === 'job_list') {
        db.run(LISTED_AGAIN, String(row.job_id));
        derivedTables.add('job_groups');
      }
    }
    if (derivedTables.has('job_groups')) db.exec(REBUILD_JOB_GROUPS);
    if (derivedTables.has('job_quarters')) db.exec(REBUILD_JOB_QUARTERS);
    if (LEDGER_SUMS.some((name) => derivedTables.has(name))) {
      for (const name of LEDGER_SUMS) derivedTables.add(name);
      db.exec(REBUILD_SUMS);
    }
  });
  repairedState.recomputed = [...derivedTables].sort();
  return repairedState;
}

/** Numbers beyond 2^53 are read with their exact text. */
function readExactKey(db: Database, { table, key, row }: PlannedRepair): SqlValue[] {
  if (!key.some((name) => isRounded(row[name]))) return key.map((name) => row[name] as SqlValue);
  const exact = readExactValues(db, table, key, row);
  return key.map((name) =>
    isRounded(row[name]) ? BigInt(exact[name] ?? 0) : (row[name] as SqlValue),
  );
}

function quarantine(db: Database, one: PlannedRepair, now: number): void {
  const { table, key, row, id, reason } = one;
  const isExact = Object.values(row).every(
    (value) => typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value),
  );
  const exact = isExact ? {} : readExactValues(db, table, key, row);
  const content = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' && !Number.isSafeInteger(value) ? (exact[name] ?? value) : value,
    ]),
  );
  db.run(
    'INSERT INTO quarantined_rows (at, table_name, row_id, reason, content) VALUES (?, ?, ?, ?, ?)',
    now,
    table,
    id,
    reason,
    JSON.stringify(content),
  );
}

/** The tokens of a session are the sum of its calls. */
function sumSession(db: Database, { subject, visit, session }: PlannedRepair['row']): void {
  const names = ['input_tokens', 'output_tokens', 'cached_input_tokens'] as const;
  const set = names.map(
    (name) =>
      `${name} = (SELECT CAST(total(${name}) AS INTEGER) FROM usage_calls c WHERE c.subject = ?1 AND c.visit = ?2 AND c.session = ?3)`,
  );
  db.run(
    `UPDATE token_usage SET ${set.join(', ')} WHERE job_id = ?1 AND visit = ?2 AND session = ?3`,
    subject as SqlValue,
    visit as SqlValue,
    session as SqlValue,
  );
}

const buildBoundedTotal = (sum: string): string =>
  `CAST(min(${MAX_STORED_SUM}, total(${sum})) AS INTEGER)`;

const REBUILD_SUMS = `DELETE FROM usage_sums; DELETE FROM usage_hours; DELETE FROM unpriced_sums;
  INSERT INTO usage_sums (scope, key, window, ${SUMS.join(', ')})
    SELECT scope, key, window, ${SUMS.map(buildBoundedTotal).join(', ')} FROM usage_parts GROUP BY scope, key, window;
  INSERT INTO unpriced_sums (scope, key, window, input_tokens, output_tokens)
    SELECT p.scope, p.key, p.window, ${buildBoundedTotal('c.input_tokens')}, ${buildBoundedTotal('c.output_tokens')}
    FROM usage_parts p JOIN usage_calls c ON c.subject = p.subject AND c.visit = p.visit AND c.session = p.session AND c.seq = p.seq
    WHERE c.micro_usd IS NULL AND c.metered = 1 GROUP BY p.scope, p.key, p.window;
  INSERT INTO usage_hours (${COST_COLUMNS}, entries)
    SELECT subject, hour, phase, root, workflow, repository, provider, model, ${COST_SUMS.map(buildBoundedTotal).join(', ')}, count(*)
    FROM (SELECT ${buildCostColumns('c')} FROM usage_calls c)
    GROUP BY subject, hour, phase, root, workflow, repository, provider, model;
  ${REBUILD_COST_DAYS}`;
