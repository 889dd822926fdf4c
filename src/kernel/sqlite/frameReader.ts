import type { ArchivedLine, ArchiveReader } from './archive/archiveReader.ts';
import { RECOVERY_ROWS } from './archive/keptRows.ts';
import { mergeArchivedRows } from './archive/mergeArchivedRows.ts';
import { createBrokenLine } from './broken/brokenLines.ts';
import type { BrokenRows } from './broken/brokenRows.ts';
import type { Database } from './database.ts';

export interface RawFrame {
  n: number;
  /** JSON that can be read. */
  data: string;
}

/**
 * Reads an actor's log and other frames without reading all of the stream. Log lines may be
 * archived; other frames are in the table.
 */
export class FrameReader {
  readonly #db: Database;
  readonly #archives: ArchiveReader;
  readonly #broken: BrokenRows;

  constructor(db: Database, archives: ArchiveReader, brokenRows: BrokenRows) {
    this.#db = db;
    this.#archives = archives;
    this.#broken = brokenRows;
  }

  /** Numbers of frames after `after` that are not log lines, ascending. */
  listBesideLog(actor: string, after: number): number[] {
    return this.#db
      .all(
        "SELECT n FROM frames WHERE actor = ? AND n > ? AND kind <> 'log' ORDER BY n",
        actor,
        after,
      )
      .map(({ n }) => Number(n));
  }

  /** Readable frames of a kind other than `log` after `after`, ascending. */
  ofKind(actor: string, kind: string, after: number): RawFrame[] {
    return this.#db
      .all(
        "SELECT n, data FROM frames WHERE actor = ? AND n > ? AND kind <> 'log' AND kind = ? ORDER BY n",
        actor,
        after,
        kind,
      )
      .map(toRawFrame)
      .filter((frame) => this.#findProblem(actor, kind, frame) === null);
  }

  /** The first log lines with this tag, ascending. Reads the whole log. */
  readTagged(actor: string, tag: string, limit: number): RawFrame[] {
    const rawFrames = this.#db
      .all(
        `SELECT n, data FROM frames WHERE actor = ? AND kind = 'log' AND instr(data, ?) > 0
           AND CASE WHEN json_valid(data) THEN data ->> '$.tag' END = ? ORDER BY n LIMIT ?`,
        actor,
        JSON.stringify(tag),
        tag,
        limit,
      )
      .map((row) => this.#line(actor, row));
    return mergeRawFrames(rawFrames, this.#archives.readTagged(actor, tag), limit);
  }

  /**
   * Times (epoch ms) at which a start reran the actor's effects, or gave them up after too many
   * restarts without progress, ascending.
   */
  listRecoveries(actor: string): number[] {
    return this.#db
      .all(
        `SELECT DISTINCT at FROM journal WHERE actor = ? AND ${RECOVERY_ROWS} ORDER BY seq`,
        actor,
      )
      .map(({ at }) => Number(at));
  }

  /** Lines of the log from frame `from` on, ascending. */
  logFrom(actor: string, from: number, limit: number): RawFrame[] {
    const rawFrames = this.#readStored('n >= ?', 'n', actor, from, limit);
    return mergeRawFrames(rawFrames, this.#archives.linesFrom(actor, from), limit);
  }

  /** Lines of the log before frame `before`, the newest first. */
  logBefore(actor: string, before: number, limit: number): RawFrame[] {
    const rawFrames = this.#readStored('n < ?', 'n DESC', actor, before, limit);
    return mergeRawFrames(rawFrames, this.#archives.linesBefore(actor, before), limit, true);
  }

  #readStored(where: string, order: string, actor: string, n: number, limit: number): RawFrame[] {
    const sql = `SELECT n, data FROM frames WHERE actor = ? AND ${where} AND kind = 'log' ORDER BY ${order} LIMIT ?`;
    return this.#db.all(sql, actor, n, limit).map((row) => this.#line(actor, row));
  }

  #line(actor: string, row: Record<string, unknown>): RawFrame {
    const frame = toRawFrame(row);
    const reason = this.#findProblem(actor, 'log', frame);
    if (reason === null) return frame;
    return { n: frame.n, data: createBrokenLine(this.#broken.guard.frames, frame.n, 0, reason) };
  }

  #findProblem(actor: string, kind: string, { n, data }: RawFrame): string | null {
    const reason = this.#broken.guard.frames.explainFrameProblem(kind, data);
    if (reason !== null) this.#broken.add({ table: 'frames', id: `${actor}/${n}`, reason });
    return reason;
  }
}

const toRawFrame = ({ n, data }: Record<string, unknown>): RawFrame => ({
  n: Number(n),
  data: String(data),
});

const mergeRawFrames = (
  rawFrames: RawFrame[],
  archivedLines: Iterable<ArchivedLine>,
  limit: number,
  descending?: boolean,
): RawFrame[] =>
  mergeArchivedRows<RawFrame>(rawFrames, archivedLines, limit, ({ n }) => n, descending).map(
    ({ n, data }) => ({
      n,
      data,
    }),
  );
