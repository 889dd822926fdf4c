import { type BrokenRow, createRowGuard } from '../../kernel/sqlite/broken/rowGuard.ts';
import { BrokenRows } from '../../kernel/sqlite/broken/brokenRows.ts';
import { TABLE_SHAPES } from './shapes/tableShapes.ts';
import { JOB_FRAMES } from './jobFrames.ts';

export const JOB_ROW_GUARD = createRowGuard(TABLE_SHAPES, JOB_FRAMES);

/** Collects rows that cannot be read. `report` as for {@link BrokenRows}. */
export const createBrokenRows = (report?: (row: BrokenRow) => void): BrokenRows =>
  new BrokenRows(JOB_ROW_GUARD, report);
