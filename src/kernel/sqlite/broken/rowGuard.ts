import type { BrokenRow } from '../../../contract/schema/job/brokenRow.ts';
import type { BrokenRows } from './brokenRows.ts';
import { type ColumnCheck, createColumnCheck } from './createColumnCheck.ts';
import { TABLE_SHAPES } from './tableShapes.ts';

/** Columns that name a row, in the order of the primary key. */
type Key = readonly string[];
type Row = Readonly<Record<string, unknown>>;

/** What is wrong with a row, column by column. */
export interface Problem {
  column: string;
  what: string;
}

const checks = new Map<string, readonly (readonly [column: string, check: ColumnCheck])[]>();

/** Compiled on first use. A table that has no shape is not checked. */
function compileColumnChecks(table: string): readonly (readonly [string, ColumnCheck])[] {
  let known = checks.get(table);
  if (!known) {
    const shape = Object.hasOwn(TABLE_SHAPES, table) ? TABLE_SHAPES[table] : {};
    known = Object.entries(shape ?? {}).map(([name, spec]) => [name, createColumnCheck(spec)]);
    checks.set(table, known);
  }
  return known;
}

/** What is wrong with the columns that a row has; empty = it can be read. */
export function findRowProblems(table: string, row: Row): Problem[] {
  const problems: Problem[] = [];
  for (const [column, check] of compileColumnChecks(table)) {
    const value = row[column];
    // Not read.
    if (value === undefined) continue;
    const what = check(value);
    if (what !== null) problems.push({ column, what });
  }
  return problems;
}

/** `column is …; other is …`. */
export const formatRowProblems = (problems: readonly Problem[]): string =>
  problems.map(({ column, what }) => `${column} ${what}`).join('; ');

/** The id by which a row is named. */
export const formatRowId = (row: Row, key: Key): string =>
  key.map((name) => String(row[name])).join('/');

/**
 * Lets through the rows of a table that can be read, and reports the others. `instead`: values for
 * columns that cannot be read; a row that is whole with them is let through, and reported.
 */
export function pickReadableRows<Of extends Row>(
  broken: BrokenRows,
  { table, key }: { table: string; key: Key },
  rows: readonly Of[],
  instead: Row = {},
): Of[] {
  const readable: Of[] = [];
  for (const row of rows) {
    const problems = findRowProblems(table, row);
    if (problems.length === 0) {
      readable.push(row);
      continue;
    }
    broken.add(toBrokenRow(table, formatRowId(row, key), problems));
    if (problems.every(({ column }) => Object.hasOwn(instead, column)))
      readable.push({
        ...row,
        ...Object.fromEntries(problems.map(({ column }) => [column, instead[column]])),
      });
  }
  return readable;
}

export const toBrokenRow = (
  table: string,
  id: string,
  problems: readonly Problem[],
): BrokenRow => ({
  table,
  id,
  reason: formatRowProblems(problems),
});
