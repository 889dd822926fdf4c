import type { ActorIndex } from '../../../kernel/chart.ts';
import type { StampedSnapshot } from '../../../kernel/restore.ts';
import { DURABLE_CHARTS, JOB_CHART } from '../../../base/jobs/durableCharts.ts';
import { createActorCheck } from '../../../kernel/sqlite/broken/createActorCheck.ts';
import type { Problem } from '../../../kernel/sqlite/broken/rowGuard.ts';
import { BEYOND, type ColumnSpec } from '../../../kernel/sqlite/broken/createColumnCheck.ts';
import { STATE_SHAPES } from '../shapes/tableShapes.ts';
import { JOB_ROW_GUARD } from '../jobRowGuard.ts';
import { LAST_TIME } from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import { readExactValues, isRounded } from './readExactValues.ts';
import type { StateReader } from '../../../kernel/sqlite/database.ts';

export interface SuspectRow {
  table: string;
  /** Column names of its primary key. */
  key: readonly string[];
  row: Readonly<Record<string, unknown>>;
  problems: readonly Problem[];
  /** Its values with all digits, if some are beyond 2^53. */
  exact?: Readonly<Record<string, string>>;
  /** Of `actors`: whether it is in the list of jobs. */
  isJob?: boolean;
  /** Of `actors`: the list columns, as its snapshot has them. */
  index?: ActorIndex;
}

const MOST = Number.MAX_SAFE_INTEGER;
const ROWS_AT_ONCE = 10_000;
const SNAPSHOTS_AT_ONCE = 200;

/** Reads the snapshot of an actor: the list columns, or what is wrong with it. */
export type InspectActor = (
  id: string,
  stamp: StampedSnapshot,
) => { index: ActorIndex } | { problem: string };

const checkActor = createActorCheck(DURABLE_CHARTS);
const { findRowProblems, frames } = JOB_ROW_GUARD;

const mayBeNull = (spec: ColumnSpec): boolean =>
  typeof spec === 'object' ? spec.orNull === true : spec.endsWith('?');

const quoteSqlWords = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ');

/**
 * SQL that holds for every unreadable value of a column, and few others. Compares types instead of
 * IS NULL, which SQLite takes to be false for NOT NULL columns.
 */
function buildSuspicion(column: string, spec: ColumnSpec): string {
  const isNot = (...types: string[]) =>
    `typeof(${column}) NOT IN (${quoteSqlWords(mayBeNull(spec) ? [...types, 'null'] : types)})`;
  const number = (least: number, most: number) =>
    `${isNot('integer')} OR ${column} NOT BETWEEN ${least} AND ${most}`;
  const json = (more: string) =>
    `${isNot('text')} OR NOT json_valid(${column}) OR CASE WHEN json_valid(${column}) THEN ${more} END`;
  if (spec === 'empty-or-json')
    return `${isNot('text')} OR (${column} <> '' AND NOT json_valid(${column}))`;
  if (typeof spec === 'object')
    return 'oneOf' in spec
      ? `${isNot('text')} OR ${column} NOT IN (${quoteSqlWords(Object.keys(spec.oneOf))})`
      : // What its members hold is checked row by row.
        `${isNot()} OR ${column} IS NOT NULL`;
  switch (spec.replace('?', '')) {
    case 'count':
      return number(0, MOST);
    case 'whole':
      return number(-MOST, MOST);
    case 'time':
      return number(0, LAST_TIME);
    case 'flag':
      return number(0, 1);
    case 'real':
      return `${isNot('real', 'integer')} OR abs(${column}) > ${Number.MAX_VALUE}`;
    // The content is checked row by row.
    case 'iso':
      return `${isNot()} OR ${column} IS NOT NULL`;
    case 'json':
      return json('0');
    case 'object':
      return json(`json_type(${column}) <> 'object'`);
    case 'list':
      return json(`json_type(${column}) <> 'array'`);
    case 'texts':
    case 'objects':
      return json(
        `json_type(${column}) <> 'array' OR EXISTS (SELECT 1 FROM json_each(${column}) e WHERE e.type <> '${spec.startsWith('texts') ? 'text' : 'object'}')`,
      );
    // Text.
    default:
      return isNot('text');
  }
}

/** Conditions that involve several columns. */
const FURTHER: Readonly<Record<string, string>> = {
  actors: `chart NOT IN (${quoteSqlWords(DURABLE_CHARTS)}) OR CASE WHEN json_valid(snapshot) THEN json_type(snapshot, '$.context') IS NOT 'object' OR coalesce(json_type(snapshot, '$.value'), '') NOT IN ('text', 'object') END`,
  frames: `CASE WHEN json_valid(data) THEN (kind = 'log' AND json_type(data, '$.line') IS NOT 'text') OR (kind = 'state' AND json_type(data, '$.state') IS NOT 'array') END`,
};

/** All tables of a state, with the columns of their primary key. */
const listStateTables = (
  db: StateReader,
): { table: string; key: string[]; columns: Set<string> }[] =>
  db
    .all(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .map(({ name }) => {
      const columns = db.all('SELECT name, pk FROM pragma_table_info(?)', String(name));
      return {
        table: String(name),
        key: columns
          .filter(({ pk }) => Number(pk) > 0)
          .sort((a, b) => Number(a.pk) - Number(b.pk))
          .map((column) => String(column.name)),
        columns: new Set(columns.map((column) => String(column.name))),
      };
    });

/**
 * Every unreadable row. Skips columns of a newer schema than that of the state. `inspectActor`
 * checks each snapshot; default: only its form is checked.
 */
export function* findSuspectRows(
  db: StateReader,
  inspectActor?: InspectActor,
): Generator<SuspectRow> {
  for (const { table, key, columns } of listStateTables(db)) {
    const shape = Object.entries(STATE_SHAPES[table] ?? {}).filter(([name]) => columns.has(name));
    // Qualified, since json_each has its own columns, such as path.
    const terms = shape.map(([name, spec]) => buildSuspicion(`${table}.${name}`, spec));
    if (FURTHER[table]) terms.push(FURTHER[table]);
    if (terms.length === 0) continue;
    const isActor = table === 'actors';
    const where = isActor && inspectActor ? '1' : terms.map((term) => `(${term})`).join(' OR ');
    const most = isActor ? SNAPSHOTS_AT_ONCE : ROWS_AT_ONCE;
    for (let offset = 0; ; offset += most) {
      const sql = `SELECT * FROM ${table} WHERE ${where} ORDER BY ${key.join(', ')} LIMIT ? OFFSET ?`;
      const rows = db.all(sql, most, offset);
      for (const row of rows) {
        const suspect = isActor
          ? examineActor(db, row, inspectActor)
          : { problems: [...findRowProblems(table, row), ...listFrameProblems(table, row)] };
        if (suspect.problems.length > 0) yield addAllDigits(db, { table, key, row, ...suspect });
      }
      if (rows.length < most) break;
    }
  }
}

/** Adds all digits of numbers beyond 2^53, which are read rounded. */
function addAllDigits(db: StateReader, suspect: SuspectRow): SuspectRow {
  const { table, key, row } = suspect;
  if (!Object.values(row).some(isRounded)) return suspect;
  const exact = readExactValues(db, table, key, row);
  const problems = suspect.problems.map(({ column, what }) => ({
    column,
    what: isRounded(row[column]) ? what.replace(BEYOND, exact[column] ?? BEYOND) : what,
  }));
  return { ...suspect, problems, exact };
}

function listFrameProblems(table: string, row: SuspectRow['row']): Problem[] {
  if (table !== 'frames') return [];
  const what = frames.explainFrameProblem(String(row.kind), String(row.data));
  return what === null || findRowProblems(table, { data: row.data }).length > 0
    ? []
    : [{ column: 'data', what: what.replace(/^data /, '') }];
}

/** A job with an unknown chart name is checked as a job. */
function examineActor(
  db: StateReader,
  row: SuspectRow['row'],
  inspectActor: InspectActor | undefined,
): Pick<SuspectRow, 'problems' | 'isJob' | 'index'> {
  const problems = checkActor(row);
  const isWrong = (...names: string[]) => problems.some(({ column }) => names.includes(column));
  const isJob = isWrong('chart') && isActorListed(db, row.id);
  if (isWrong('snapshot', 'version') || (isWrong('chart') && !isJob)) return { problems, isJob };
  const form = explainSnapshotForm(row);
  const stamp = {
    chart: isJob ? JOB_CHART : String(row.chart),
    version: Number(row.version),
    snapshot: String(row.snapshot),
  };
  const result = form === null ? inspectActor?.(String(row.id), stamp) : { problem: form };
  if (result === undefined) return { problems, isJob };
  return 'index' in result
    ? { problems, isJob, index: result.index }
    : { problems: [...problems, { column: 'snapshot', what: result.problem }], isJob };
}

const isActorListed = (db: StateReader, id: unknown): boolean =>
  db.get("SELECT 1 AS yes FROM sqlite_master WHERE name = 'job_list'") !== undefined &&
  db.get('SELECT 1 AS yes FROM job_list WHERE job_id = ?', String(id)) !== undefined;

function explainSnapshotForm(row: SuspectRow['row']): string | null {
  const { context, value } = JSON.parse(String(row.snapshot)) as Record<string, unknown>;
  const isState =
    typeof context === 'object' &&
    context !== null &&
    !Array.isArray(context) &&
    (typeof value === 'string' || (typeof value === 'object' && value !== null));
  return isState ? null : 'is not a state of a chart';
}
