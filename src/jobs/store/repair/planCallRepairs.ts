import { MAX_CALL_TOKENS, MAX_SESSION_TOKENS } from '../../../base/spending/parseTokenCounts.ts';
import {
  formatRowId,
  type Problem,
  formatRowProblems,
} from '../../../kernel/sqlite/broken/rowGuard.ts';
import type { StateReader } from '../../../kernel/sqlite/database.ts';
import type { SqlValue } from '../../../kernel/sqlite/toSqlValue.ts';
import type { PlannedRepair, Repair } from './planRepair.ts';

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
export const planCallRepairs = (db: StateReader): PlannedRepair[] =>
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
