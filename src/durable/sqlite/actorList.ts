import type { ActorRow } from '../writer.ts';
import { actorRow } from './actorRow.ts';
import type { Database, SqlValue } from './database.ts';

export interface ActorFilter {
  chart: string;
  /** The whole label or the part of it before `:`. */
  label?: string;
  kind?: string;
  parent?: string;
  limit: number;
  offset: number;
}

/** Lists and counts of actors, from the indexed columns alone. */
export class ActorList {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest first; `total` counts all that match. */
  list(filter: ActorFilter): { rows: ActorRow[]; total: number } {
    const terms = ['chart = ?'];
    const values: SqlValue[] = [filter.chart];
    if (filter.label !== undefined) {
      // `;` follows `:` in ASCII: a range can use the index, a LIKE could not.
      terms.push('(label = ? OR (label >= ? AND label < ?))');
      values.push(filter.label, `${filter.label}:`, `${filter.label};`);
    }
    if (filter.kind !== undefined) {
      terms.push('kind = ?');
      values.push(filter.kind);
    }
    if (filter.parent !== undefined) {
      terms.push('parent = ?');
      values.push(filter.parent);
    }
    const where = `FROM actors WHERE ${terms.join(' AND ')}`;
    // Only ids are sorted: with whole rows the sorter would hold every snapshot that matches.
    const page = `SELECT id ${where} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`;
    const rows = this.#db.all(
      `SELECT * FROM actors WHERE id IN (${page}) ORDER BY created_at DESC, id DESC`,
      ...values,
      filter.limit,
      filter.offset,
    );
    return {
      rows: rows.map(actorRow),
      total: Number(this.#db.get(`SELECT count(*) AS n ${where}`, ...values)?.n),
    };
  }

  /** When the newest ones of a chart were created (epoch ms), and by whom: nothing is counted. */
  newest(
    chart: string,
    { limit, offset }: Pick<ActorFilter, 'limit' | 'offset'>,
  ): { createdAt: number; parent: string | null }[] {
    return this.#db
      .all(
        'SELECT created_at, parent FROM actors WHERE chart = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
        chart,
        limit,
        offset,
      )
      .map(({ created_at, parent }) => ({
        createdAt: Number(created_at),
        parent: parent === null ? null : String(parent),
      }));
  }

  /** How many actors hold a slot. */
  slots(): number {
    return Number(this.#db.get('SELECT count(*) AS n FROM actors WHERE slot = 1')?.n);
  }

  /** Actors that wait for a slot, since when (epoch ms), the one that has waited longest first. */
  waiting(limit: number): { id: string; since: number }[] {
    const sql =
      'SELECT id, waiting_since FROM actors WHERE waiting_since IS NOT NULL ORDER BY waiting_since, id LIMIT ?';
    return this.#db
      .all(sql, limit)
      .map((row) => ({ id: String(row.id), since: Number(row.waiting_since) }));
  }
}
