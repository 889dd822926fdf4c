import { JOB_CHART } from '../../../base/jobs/durableCharts.ts';
import { BROKEN_EVENT, createBrokenLine } from '../../../kernel/sqlite/broken/brokenLines.ts';
import type { ColumnSpec } from '../../../kernel/sqlite/broken/createColumnCheck.ts';
import { formatRowId, formatRowProblems } from '../../../kernel/sqlite/broken/rowGuard.ts';
import type { SqlValue } from '../../../kernel/sqlite/toSqlValue.ts';
import { DAY_TABLES } from '../migrations/costDayMigration.ts';
import { JOB_FRAMES } from '../jobFrames.ts';
import { STATE_SHAPES } from '../shapes/tableShapes.ts';
import type { SuspectRow } from './findSuspectRows.ts';

export type Repair =
  /** Columns get other values; the original row is kept in quarantine. */
  | { act: 'correct'; set: Readonly<Record<string, SqlValue>> }
  /** The row is moved to quarantine. */
  | { act: 'remove' }
  /** Its table is computed again from others. */
  | { act: 'recompute' }
  /** Nothing is changed, but a person has to know. */
  | { act: 'keep'; advice: string };

export interface PlannedRepair extends SuspectRow {
  id: string;
  reason: string;
  repair: Repair;
  /** What is done, in one line for people. */
  text: string;
}

/** Sums and counts that are computed again from the ledger and the list of jobs. */
const DERIVED: ReadonlySet<string> = new Set([
  'usage_sums',
  'usage_hours',
  'unpriced_sums',
  ...DAY_TABLES,
  'job_groups',
  'job_quarters',
]);

const CANNOT_CONTINUE =
  'it is kept but inactive. svc cannot recreate it: restore a backup that has it, or start a new job';

/** What a person can do about rows that are not changed, by table. */
const KEPT: Readonly<Record<string, string>> = {
  archives: 'the archived log is in the folder archive/; restore the row from a backup',
  meta: 'restore a backup',
  blobs: 'its journal event cannot be shown',
  quarantined_rows: 'it is only a record of an earlier repair',
};

/** Column values by table, where the rule of their kind would be wrong. */
const VALUES: Readonly<
  Record<string, (suspect: SuspectRow, now: number) => Record<string, SqlValue>>
> = {
  // The list of jobs says what kind it is, its snapshot what its state is.
  actors: ({ isJob, index }) => ({
    ...(isJob && { chart: JOB_CHART }),
    ...(index && {
      label: index.label,
      kind: index.kind,
      parent: index.parent,
      slot: Number(index.slot),
      waiting_since: index.waitingSince,
      activity: index.activity,
    }),
  }),
  journal: ({ row }) => ({
    event: JSON.stringify({
      type: BROKEN_EVENT,
      message: 'This row could not be read and was repaired.',
    }),
    path: '[]',
    effects: '[]',
    note: Number(row.note === 1),
  }),
  frames: ({ row }, now) => ({
    data: createBrokenLine(
      JOB_FRAMES,
      Number(row.n),
      now,
      'it was damaged, and svc doctor --fix has repaired its row',
    ),
  }),
  requests: () => ({ reply: '' }),
  tool_answers: () => ({
    ok: 0,
    result: JSON.stringify({ error: 'The answer that was stored cannot be read.' }),
  }),
  // A person has to look up whether it was carried out.
  forge_writes: () => ({ state: 'undecided' }),
  usage_calls: () => ({ source: 'estimated', micro_usd: null }),
  outbox: () => ({ attempt: 1 }),
  // Replaced by what its actor says, if that is readable.
  job_list: () => ({ state: 'waiting' }),
};

/** Columns for which only the lost value would be right, as `table.column`. */
const IRREPLACEABLE: ReadonlySet<string> = new Set([
  'actors.version',
  'actors.slot',
  'actors.waiting_since',
]);

/** The replacement for a column; undefined = none would be right. */
function pickReplacement(column: string, spec: ColumnSpec, now: number): SqlValue | undefined {
  if (IRREPLACEABLE.has(column)) return undefined;
  if (typeof spec === 'object') return spec.orNull ? null : undefined;
  if (spec.endsWith('?')) return null;
  if (spec === 'count' || spec === 'whole' || spec === 'flag') return 0;
  return spec === 'time' ? now : undefined;
}

function chooseRepair(suspect: SuspectRow, now: number): Repair {
  const { table, key, problems } = suspect;
  if (DERIVED.has(table)) return { act: 'recompute' };
  const keptColumn = KEPT[table];
  if (keptColumn !== undefined) return { act: 'keep', advice: keptColumn };
  const set: Record<string, SqlValue> = {};
  for (const { column } of problems) {
    if (key.includes(column)) return { act: 'remove' };
    const own = VALUES[table]?.(suspect, now) ?? {};
    const spec = STATE_SHAPES[table]?.[column];
    const value = Object.hasOwn(own, column)
      ? own[column]
      : spec && pickReplacement(`${table}.${column}`, spec, now);
    if (value !== undefined) {
      set[column] = value;
      continue;
    }
    if (table === 'actors') return { act: 'keep', advice: CANNOT_CONTINUE };
    if (table === 'outbox')
      return {
        act: 'keep',
        advice: 'at the next start the effect is given up, and its job waits for a person',
      };
    if (table === 'sub_runs')
      return {
        act: 'keep',
        advice: 'its campaign depends on it: cancel the campaign, or restore a backup',
      };
    return { act: 'remove' };
  }
  if (table === 'usage_calls') Object.assign(set, { source: 'estimated', micro_usd: null });
  // Only a row with replaced content becomes a note; one with a wrong time stays what it is.
  if (table === 'frames' && 'data' in set) set.kind = 'log';
  if (table === 'journal' && ('event' in set || 'path' in set || 'effects' in set)) set.note = 1;
  return { act: 'correct', set };
}

const describeRowRepair = (repair: Repair): string => {
  switch (repair.act) {
    case 'correct':
      return `set ${Object.entries(repair.set)
        .map(
          ([name, value]) =>
            `${name} = ${typeof value === 'string' && value.length > 40 ? 'a note' : String(value)}`,
        )
        .join(', ')}; the row as it was goes to quarantined_rows`;
    case 'remove':
      return 'move it to quarantined_rows';
    case 'recompute':
      return 'compute the table again';
    case 'keep':
      return `not repaired: ${repair.advice}`;
  }
};

/** `now`: epoch ms. */
export function planRepair(suspect: SuspectRow, now: number): PlannedRepair {
  const { table, key, row, problems } = suspect;
  const id = formatRowId({ ...row, ...suspect.exact }, key);
  const reason = formatRowProblems(problems);
  const repair = chooseRepair(suspect, now);
  return {
    ...suspect,
    id,
    reason,
    repair,
    text: `${table} ${id}: ${reason} -> ${describeRowRepair(repair)}`,
  };
}
