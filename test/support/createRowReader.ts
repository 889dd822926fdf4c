import type { Tables } from '../../src/contract/records/tables.ts';
import { createBrokenRows } from '../../src/jobs/store/jobRowGuard.ts';
import type { Database } from '../../src/kernel/sqlite/database.ts';
import { FeatureTables } from '../../src/kernel/sqlite/featureTables.ts';
import { RowReader } from '../../src/kernel/sqlite/rowReader.ts';

/** Reads rows of the tables of svc, for tests that open no whole store. */
export const createRowReader = (db: Database, tables = new FeatureTables(db)): RowReader<Tables> =>
  new RowReader<Tables>(db, tables, createBrokenRows());
