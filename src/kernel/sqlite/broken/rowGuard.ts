import { type ColumnCheck, type ColumnSpec, createColumnCheck } from './createColumnCheck.ts';
import { type FrameForm, PLAIN_FRAMES } from './frameForm.ts';
import { KERNEL_SHAPES } from './kernelShapes.ts';

/** Columns of the primary key, in order. */
type Key = readonly string[];
type Row = Readonly<Record<string, unknown>>;

/** A stored row that is unreadable and was left out. */
export interface BrokenRow {
  table: string;
  /** The primary key; several columns are joined with `/`. */
  id: string;
  /** Which column holds what, without stored texts. */
  reason: string;
}

export interface Problem {
  column: string;
  what: string;
}

export type TableShapes = Readonly<Record<string, Readonly<Record<string, ColumnSpec>>>>;

/** Checks stored rows; unreadable ones are shown as broken. */
export interface RowGuard {
  /** The problems of a row's columns; empty = readable. */
  findRowProblems(table: string, row: Row): Problem[];
  frames: FrameForm;
}

/**
 * A guard of the kernel's rows and the given shapes, compiled on first use. Tables without a shape
 * are not checked.
 */
export function createRowGuard(shapes: TableShapes, frames: FrameForm): RowGuard {
  const all: TableShapes = { ...KERNEL_SHAPES, ...shapes };
  const compiled = new Map<string, readonly (readonly [column: string, check: ColumnCheck])[]>();
  const compileColumnChecks = (table: string) => {
    let checks = compiled.get(table);
    if (!checks) {
      const shape = Object.hasOwn(all, table) ? all[table] : {};
      checks = Object.entries(shape ?? {}).map(([name, spec]) => [name, createColumnCheck(spec)]);
      compiled.set(table, checks);
    }
    return checks;
  };
  return {
    frames,
    findRowProblems(table, row) {
      const problems: Problem[] = [];
      for (const [column, check] of compileColumnChecks(table)) {
        const value = row[column];
        // The column was not read.
        if (value === undefined) continue;
        const what = check(value);
        if (what !== null) problems.push({ column, what });
      }
      return problems;
    },
  };
}

/** Knows the kernel's own rows alone. */
export const KERNEL_GUARD = createRowGuard({}, PLAIN_FRAMES);

interface BrokenRowSink {
  guard: RowGuard;
  add(row: BrokenRow): void;
}

/** `column is …; other is …`. */
export const formatRowProblems = (problems: readonly Problem[]): string =>
  problems.map(({ column, what }) => `${column} ${what}`).join('; ');

export const formatRowId = (row: Row, key: Key): string =>
  key.map((name) => String(row[name])).join('/');

/**
 * Passes readable rows on and reports others. `instead`: values for unreadable columns; a row that
 * is readable with them is passed on and reported.
 */
export function pickReadableRows<Of extends Row>(
  brokenRows: BrokenRowSink,
  { table, key }: { table: string; key: Key },
  rows: readonly Of[],
  instead: Row = {},
): Of[] {
  const readable: Of[] = [];
  for (const row of rows) {
    const problems = brokenRows.guard.findRowProblems(table, row);
    if (problems.length === 0) {
      readable.push(row);
      continue;
    }
    brokenRows.add(toBrokenRow(table, formatRowId(row, key), problems));
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
