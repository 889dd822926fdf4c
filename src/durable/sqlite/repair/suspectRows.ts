import type { ColumnSpec } from '../broken/columnCheck.ts';
import { problemsOf, type Problem } from '../broken/rowGuard.ts';
import { frameProblem } from '../broken/brokenLines.ts';
import { TABLE_SHAPES } from '../broken/tableShapes.ts';
import { LAST_TIME } from '../broken/wholeNumbers.ts';
import type { StateReader } from '../database.ts';

/** A stored row that cannot be read, and where it is. */
export interface SuspectRow {
  table: string;
  /** Names of its primary key. */
  key: readonly string[];
  row: Readonly<Record<string, unknown>>;
  problems: readonly Problem[];
}

const MOST = Number.MAX_SAFE_INTEGER;
/** Rows of a table that are read at once. */
const ROWS_AT_ONCE = 10_000;

/** SQL that holds for every value of a column that cannot be read, and for few others. */
function suspicion(column: string, spec: ColumnSpec): string | null {
  const json = (more: string) =>
    `NOT json_valid(${column}) OR CASE WHEN json_valid(${column}) THEN ${more} END`;
  if (spec === 'empty-or-json') return `${column} <> '' AND NOT json_valid(${column})`;
  if (typeof spec === 'object')
    return 'oneOf' in spec
      ? `${column} NOT IN (${Object.keys(spec.oneOf)
          .map((name) => `'${name}'`)
          .join(', ')})`
      : // What its members hold is checked row by row.
        `${column} IS NOT NULL`;
  switch (spec.replace('?', '')) {
    case 'count':
      return `${column} NOT BETWEEN 0 AND ${MOST}`;
    case 'whole':
      return `${column} NOT BETWEEN -${MOST} AND ${MOST}`;
    case 'time':
      return `${column} NOT BETWEEN 0 AND ${LAST_TIME}`;
    case 'flag':
      return `${column} NOT IN (0, 1)`;
    case 'iso':
      return `${column} IS NOT NULL`;
    case 'json':
      return `NOT json_valid(${column})`;
    case 'object':
      return json(`json_type(${column}) <> 'object'`);
    case 'list':
      return json(`json_type(${column}) <> 'array'`);
    case 'texts':
    case 'objects':
      return json(
        `json_type(${column}) <> 'array' OR EXISTS (SELECT 1 FROM json_each(${column}) e WHERE e.type <> '${spec.startsWith('texts') ? 'text' : 'object'}')`,
      );
    default:
      return null;
  }
}

/** Conditions that no single column shows. */
const FURTHER: Readonly<Record<string, string>> = {
  actors: `CASE WHEN json_valid(snapshot) THEN json_type(snapshot, '$.context') IS NOT 'object' OR coalesce(json_type(snapshot, '$.value'), '') NOT IN ('text', 'object') END`,
  frames: `CASE WHEN json_valid(data) THEN (kind = 'log' AND json_type(data, '$.line') IS NOT 'text') OR (kind = 'state' AND json_type(data, '$.state') IS NOT 'array') END`,
};

/** All tables of a state, with the names of their primary key. */
const tablesOf = (db: StateReader): { table: string; key: string[]; columns: Set<string> }[] =>
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

/** Every row that cannot be read. A column of a newer schema than that of the state is not asked about. */
export function* suspectRows(db: StateReader): Generator<SuspectRow> {
  for (const { table, key, columns } of tablesOf(db)) {
    const shape = Object.entries(TABLE_SHAPES[table] ?? {}).filter(([name]) => columns.has(name));
    const terms = shape.flatMap(([name, spec]) => suspicion(name, spec) ?? []);
    if (FURTHER[table]) terms.push(FURTHER[table]);
    if (terms.length === 0) continue;
    const where = terms.map((term) => `(${term})`).join(' OR ');
    for (let offset = 0; ; offset += ROWS_AT_ONCE) {
      const sql = `SELECT * FROM ${table} WHERE ${where} ORDER BY ${key.join(', ')} LIMIT ? OFFSET ?`;
      const rows = db.all(sql, ROWS_AT_ONCE, offset);
      for (const row of rows) {
        const problems = [...problemsOf(table, row), ...furtherProblems(table, row)];
        if (problems.length > 0) yield { table, key, row, problems };
      }
      if (rows.length < ROWS_AT_ONCE) break;
    }
  }
}

function furtherProblems(table: string, row: Readonly<Record<string, unknown>>): Problem[] {
  if (table === 'frames') {
    const what = frameProblem(String(row.kind), String(row.data));
    return what === null || problemsOf(table, { data: row.data }).length > 0
      ? []
      : [{ column: 'data', what: what.replace(/^data /, '') }];
  }
  if (table !== 'actors' || problemsOf(table, { snapshot: row.snapshot }).length > 0) return [];
  const { context, value } = JSON.parse(String(row.snapshot)) as Record<string, unknown>;
  const isState =
    typeof context === 'object' &&
    context !== null &&
    !Array.isArray(context) &&
    (typeof value === 'string' || (typeof value === 'object' && value !== null));
  return isState ? [] : [{ column: 'snapshot', what: 'is not a state of a chart' }];
}
