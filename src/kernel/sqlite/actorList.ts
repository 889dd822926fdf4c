import type { ActorRow } from '../writer.ts';
import { toActorRow } from './toActorRow.ts';
import { BrokenRows } from './broken/brokenRows.ts';
import { type ActorCheck, createActorCheck } from './broken/createActorCheck.ts';
import { isTime } from './broken/wholeNumbers.ts';
import type { Database } from './database.ts';
import type { SlotCounts } from './slotCounts.ts';

export interface ActorPage {
  chart: string;
  limit: number;
  offset: number;
}

/** Lists and counts actors from indexed columns alone. */
export class ActorList {
  readonly #db: Database;
  readonly #slots: SlotCounts;
  readonly #broken: BrokenRows;
  readonly #check: ActorCheck;

  constructor(
    db: Database,
    slots: SlotCounts,
    brokenRows = new BrokenRows(),
    check = createActorCheck(),
  ) {
    this.#db = db;
    this.#broken = brokenRows;
    this.#check = check;
    this.#slots = slots;
  }

  /** Newest first; `total` counts all actors of the chart. */
  list({ chart, limit, offset }: ActorPage): { rows: ActorRow[]; total: number } {
    // Sorts only ids: whole rows would put every snapshot into the sorter.
    const page =
      'SELECT id FROM actors WHERE chart = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?';
    const rows = this.#db.all(
      `SELECT * FROM actors WHERE id IN (${page}) ORDER BY created_at DESC, id DESC`,
      chart,
      limit,
      offset,
    );
    const countRow = this.#db.get('SELECT count(*) AS n FROM actors WHERE chart = ?', chart);
    return {
      rows: rows.map((row) => toActorRow(row, this.#check, this.#broken)),
      total: Number(countRow?.n),
    };
  }

  /**
   * Creation times (epoch ms) and creators of a chart's newest actors, without a count. Unreadable
   * times are left out.
   */
  newest(
    chart: string,
    { limit, offset }: Pick<ActorPage, 'limit' | 'offset'>,
  ): { createdAt: number; parent: string | null }[] {
    return this.#db
      .all(
        `SELECT created_at, parent FROM actors WHERE chart = ? AND ${isTime('created_at')} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
        chart,
        limit,
        offset,
      )
      .map(({ created_at, parent }) => ({
        createdAt: Number(created_at),
        parent: parent === null ? null : String(parent),
      }));
  }

  /** Leaves out an unreadable actor: it holds no slot and waits for none. */
  leaveOut(id: string): void {
    this.#slots.leaveOut(id);
  }

  holders(): string[] {
    return this.#db.all('SELECT id FROM actors WHERE slot = 1').map(({ id }) => String(id));
  }

  slots(): number {
    return this.#slots.used;
  }

  /** Readable actors waiting for a slot, with the time (epoch ms), longest wait first. */
  listWaiting(limit: number): { id: string; since: number }[] {
    if (this.#slots.waiting === 0) return [];
    const sql =
      'SELECT id, waiting_since FROM actors WHERE waiting_since IS NOT NULL ORDER BY waiting_since, id LIMIT ?';
    return this.#db
      .all(sql, limit + this.#slots.leftOut)
      .map((row) => ({ id: String(row.id), since: Number(row.waiting_since) }))
      .filter(({ id }) => !this.#slots.isLeftOut(id));
  }
}
