import type { Database } from './database.ts';

/** A stored frame whose data was not parsed. */
export interface RawFrame {
  n: number;
  /** JSON. */
  data: string;
}

/** Reads the log of an actor's stream, and the frames beside it, without reading all of it. */
export class FrameReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Numbers of the frames after `after` that are no lines of the log, ascending. */
  besideLog(actor: string, after: number): number[] {
    return this.#db
      .all(
        "SELECT n FROM frames WHERE actor = ? AND n > ? AND kind <> 'log' ORDER BY n",
        actor,
        after,
      )
      .map(({ n }) => Number(n));
  }

  /** Frames of a kind other than `log` after number `after`, ascending. */
  ofKind(actor: string, kind: string, after: number): RawFrame[] {
    return this.#db
      .all(
        "SELECT n, data FROM frames WHERE actor = ? AND n > ? AND kind <> 'log' AND kind = ? ORDER BY n",
        actor,
        after,
        kind,
      )
      .map(({ n, data }) => ({ n: Number(n), data: String(data) }));
  }

  /** The first lines of the log with this tag, ascending. Reads the whole log. */
  tagged(actor: string, tag: string, limit: number): RawFrame[] {
    return this.#db
      .all(
        `SELECT n, data FROM frames WHERE actor = ? AND kind = 'log' AND instr(data, ?) > 0
           AND data ->> '$.tag' = ? ORDER BY n LIMIT ?`,
        actor,
        JSON.stringify(tag),
        tag,
        limit,
      )
      .map(({ n, data }) => ({ n: Number(n), data: String(data) }));
  }

  /**
   * Times (epoch ms) at which a start found effects of the actor at work, ascending: it ran them
   * again, or gave them up after too many restarts without progress.
   */
  recoveredAt(actor: string): number[] {
    return this.#db
      .all(
        `SELECT DISTINCT at FROM journal WHERE actor = ? AND (
           (note = 1 AND event LIKE '%"kernel.recovered"%')
           OR (event LIKE '%restarts-without-progress%' AND json_extract(event, '$.type') = 'effect.givenUp'
             AND json_extract(event, '$.why') = 'restarts-without-progress')
         ) ORDER BY seq`,
        actor,
      )
      .map(({ at }) => Number(at));
  }

  /** Lines of the log from frame `from` on, ascending. */
  logFrom(actor: string, from: number, limit: number): RawFrame[] {
    return this.#raw('n >= ?', 'n', actor, from, limit);
  }

  /** Lines of the log before frame `before`, the newest first. */
  logBefore(actor: string, before: number, limit: number): RawFrame[] {
    return this.#raw('n < ?', 'n DESC', actor, before, limit);
  }

  #raw(where: string, order: string, actor: string, n: number, limit: number): RawFrame[] {
    const sql = `SELECT n, data FROM frames WHERE actor = ? AND ${where} AND kind = 'log' ORDER BY ${order} LIMIT ?`;
    return this.#db
      .all(sql, actor, n, limit)
      .map((record) => ({ n: Number(record.n), data: String(record.data) }));
  }
}
