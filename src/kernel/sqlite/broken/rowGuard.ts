import { type ColumnCheck, type ColumnSpec, createColumnCheck } from './createColumnCheck.ts';
import { type FrameForm, PLAIN_FRAMES } from './frameForm.ts';
import { KERNEL_SHAPES } from './kernelShapes.ts';

/** Columns that name a row, in the order of the primary key. */
type Key = readonly string[];
type Row = Readonly<Record<string, unknown>>;

/** A stored row that cannot be read, and that was left out. */
export interface BrokenRow {
  table: string;
  /** Its primary key; several columns are joined with `/`. */
  id: string;
  /** Which column holds what. Texts that it holds are not named. */
  reason: string;
}

/** What is wrong with a row, column by column. */
export interface Problem {
  column: string;
  what: string;
}

/** What the columns of tables may hold. */
export type TableShapes = Readonly<Record<string, Readonly<Record<string, ColumnSpec>>>>;

/** Checks stored rows: those that cannot be read are shown as broken. */
export interface RowGuard {
  /** What is wrong with the columns that a row has; empty = it can be read. */
  findRowProblems(table: string, row: Row): Problem[];
  frames: FrameForm;
}

/**
 * The guard of the kernel's rows and of those whose shapes are given. Shapes are compiled on first
 * use. A table that has no shape is not checked.
 */
export function createRowGuard(shapes: TableShapes, frames: FrameForm): RowGuard {
  const all: TableShapes = { ...KERNEL_SHAPES, ...shapes };
  const compiled = new Map<string, readonly (readonly [column: string, check: ColumnCheck])[]>();
  const compileColumnChecks = (table: string) => {
    let known = compiled.get(table);
    if (!known) {
      const shape = Object.hasOwn(all, table) ? all[table] : {};
      known = Object.entries(shape ?? {}).map(([name, spec]) => [name, createColumnCheck(spec)]);
      compiled.set(table, known);
    }
    return known;
  };
  return {
    frames,
    findRowProblems(table, row) {
      const problems: Problem[] = [];
      for (const [column, check] of compileColumnChecks(table)) {
        const value = row[column];
        // Not read.
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

/** Knows which rows cannot be read, and takes them. */
interface BrokenRowSink {
  guard: RowGuard;
  add(row: BrokenRow): void;
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
  broken: BrokenRowSink,
  { table, key }: { table: string; key: Key },
  rows: readonly Of[],
  instead: Row = {},
): Of[] {
  const readable: Of[] = [];
  for (const row of rows) {
    const problems = broken.guard.findRowProblems(table, row);
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
