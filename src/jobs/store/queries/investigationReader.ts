import type { Tables } from '../../../contract/records/tables.ts';
import type { BrokenRows } from '../../../kernel/sqlite/broken/brokenRows.ts';
import { createBrokenRows } from '../jobRowGuard.ts';
import { pickReadableRows } from '../../../kernel/sqlite/broken/rowGuard.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';

type Row = Tables['investigations'];

const LISTED = [
  'id',
  'title',
  'created_at',
  'updated_at',
  'repo',
  'readiness_state',
  'findings_sha',
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'context_tokens',
  'unpriced_turns',
  'lookups',
  'turns',
  'job_ids',
] as const satisfies readonly (keyof Row)[];

export type ListedInvestigation = Pick<Row, (typeof LISTED)[number]>;

export class InvestigationReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, brokenRows = createBrokenRows()) {
    this.#db = db;
    this.#broken = brokenRows;
  }

  /** Most recently used first. */
  page({ limit, offset }: { limit: number; offset: number }): ListedInvestigation[] {
    // Selects keys first, so that an offset skips index entries instead of rows.
    const keys =
      'SELECT rowid FROM investigations ORDER BY updated_at DESC, id DESC LIMIT ? OFFSET ?';
    const rows = this.#db.all(
      `SELECT ${LISTED.join(', ')} FROM investigations WHERE rowid IN (${keys}) ORDER BY updated_at DESC, id DESC`,
      limit,
      offset,
    );
    return pickReadableRows(this.#broken, { table: 'investigations', key: ['id'] }, rows).map(
      (row) => ({ ...row }) as ListedInvestigation,
    );
  }

  total(): number {
    return Number(this.#db.get('SELECT count(*) AS n FROM investigations')?.n);
  }

  openTurns(): Pick<Tables['investigation_turns'], 'investigation' | 'n' | 'state'>[] {
    const rows = this.#db.all(
      "SELECT investigation, n, state FROM investigation_turns WHERE state IN ('queued', 'running') ORDER BY investigation, n",
    );
    const key = ['investigation', 'n'];
    return pickReadableRows(this.#broken, { table: 'investigation_turns', key }, rows).map(
      (row) => ({ ...row }) as Pick<Tables['investigation_turns'], 'investigation' | 'n' | 'state'>,
    );
  }
}
