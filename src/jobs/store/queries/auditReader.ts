import type { Tables } from '../../../contract/records/tables.ts';
import type { BrokenRows } from '../../../kernel/sqlite/broken/brokenRows.ts';
import { pickReadableRows } from '../../../kernel/sqlite/broken/rowGuard.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';
import type { SqlValue } from '../../../kernel/sqlite/toSqlValue.ts';
import { createBrokenRows } from '../jobRowGuard.ts';

export type AuditRow = Tables['audit_entries'];

/** Which entries; a missing member does not filter. */
export interface AuditFilter {
  /** Epoch ms. */
  since?: number;
  job?: string;
  /** A name, whatever the case of its letters from a to z. */
  person?: string;
  action?: string;
}

const toCondition = ({
  since,
  job,
  person,
  action,
}: AuditFilter): { sql: string; values: SqlValue[] } => {
  const terms: [string, SqlValue | undefined][] = [
    ['at >= ?', since],
    ['job_id = ?', job],
    ['person = ? COLLATE NOCASE', person],
    ['action = ?', action],
  ];
  const definedTerms = terms.filter(([, value]) => value !== undefined);
  return {
    sql:
      definedTerms.length === 0 ? '' : `WHERE ${definedTerms.map(([term]) => term).join(' AND ')}`,
    values: definedTerms.map(([, value]) => value ?? null),
  };
};

/** The audit log: a bounded number of rows. */
export class AuditReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, brokenRows = createBrokenRows()) {
    this.#db = db;
    this.#broken = brokenRows;
  }

  /** Newest first. */
  page(filter: AuditFilter, { limit, offset }: { limit: number; offset: number }): AuditRow[] {
    const { sql, values } = toCondition(filter);
    const rows = this.#db.all(
      `SELECT n, at, via, person, address, action, target, job_id, failed FROM audit_entries
       ${sql} ORDER BY n DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    return pickReadableRows(this.#broken, { table: 'audit_entries', key: ['n'] }, rows).map(
      toAuditRow,
    );
  }

  total(filter: AuditFilter): number {
    const { sql, values } = toCondition(filter);
    const row = this.#db.get(`SELECT count(*) AS count FROM audit_entries ${sql}`, ...values);
    return Number(row?.count);
  }

  /** Number of the newest entry; 0 = none exists. */
  readLastNumber(): number {
    return Number(this.#db.get('SELECT coalesce(max(n), 0) AS n FROM audit_entries')?.n);
  }
}

const toAuditRow = (row: Record<string, unknown>): AuditRow =>
  ({ ...row }) as Partial<AuditRow> as AuditRow;
