import type { Tables } from '../../contract/records/tables.ts';
import type { BrokenRows } from '../../kernel/sqlite/broken/brokenRows.ts';
import type { Database } from '../../kernel/sqlite/database.ts';
import { FeatureTables } from '../../kernel/sqlite/featureTables.ts';
import { createBrokenRows } from './jobRowGuard.ts';
import { RowReader as StoredRows } from '../../kernel/sqlite/rowReader.ts';

/** Reads rows of the tables of svc. */
export type RowReader = StoredRows<Tables>;

/** Tables that are read whole in every commit. */
export const KEPT_WHOLE: ReadonlySet<keyof Tables> = new Set(['budget_caps']);

export const createRowReader = (
  db: Database,
  tables = new FeatureTables(db),
  broken: BrokenRows = createBrokenRows(),
): RowReader => new StoredRows<Tables>(db, tables, broken, KEPT_WHOLE);
