import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { toErrorMessage, SvcError } from '../../../base/errors/errors.ts';
import { KeyedQueue } from '../../../base/concurrency/keyedQueue.ts';
import { makeFolder } from '../../../base/system/files/makeFolder.ts';
import { Blobs } from '../blobs.ts';
import type { BrokenRows } from '../broken/brokenRows.ts';
import type { Database } from '../database.ts';
import { toArchiveName, DRAFT, parseArchiveName } from './archiveFile.ts';
import { listSegments, type Segment } from './segment.ts';
import { findArchiveStanding } from './findArchiveStanding.ts';
import { verifyArchive } from './verifyArchive.ts';
import type { AnswerTable, ArchiveStep } from './segmentDeps.ts';
import { writeSegment } from './writeSegment.ts';
import { KEPT_EVENTS, KEPT_FRAMES } from './keptRows.ts';

/** Rows removed per transaction, a few milliseconds. */
const FRAMES_AT_ONCE = 1_000;
const EVENTS_AT_ONCE = 200;
/** How a journal row refers to `blobs`; the index `journal_blobs` has the same condition. */
const IS_REFERENCE = `substr(event, 1, 10) = '{"$blob":"'`;

type ArchivedSegment = Pick<Segment, 'actor' | 'n' | 'frames' | 'journal'>;

/**
 * Removes a segment's rows from the tables in small steps and then marks it as done. May stop after
 * any step and be started again.
 */
function* clearRows(db: Database, { actor, n, frames, journal }: ArchivedSegment): Generator<void> {
  for (let from = frames.from; from <= frames.to; from += FRAMES_AT_ONCE) {
    db.run(
      `DELETE FROM frames WHERE actor = ? AND n BETWEEN ? AND ? AND NOT (${KEPT_FRAMES})`,
      actor,
      from,
      Math.min(from + FRAMES_AT_ONCE - 1, frames.to),
    );
    yield;
  }
  for (let from = journal.from; from <= journal.to; from += EVENTS_AT_ONCE) {
    const to = Math.min(from + EVENTS_AT_ONCE - 1, journal.to);
    db.transaction(() => clearEvents(db, actor, from, to, journal.to));
    yield;
  }
  db.run('UPDATE archives SET cleared = 1 WHERE actor = ? AND n = ?', actor, n);
}

/** Also removes large events that no other row refers to. */
function clearEvents(db: Database, actor: string, from: number, to: number, last: number): void {
  const goneRows = `actor = ? AND seq BETWEEN ? AND ? AND NOT (${KEPT_EVENTS})`;
  const references = db
    .all(
      `SELECT DISTINCT event FROM journal WHERE ${goneRows} AND ${IS_REFERENCE}`,
      actor,
      from,
      to,
      last,
    )
    .map(({ event }) => String(event));
  db.run(`DELETE FROM journal WHERE ${goneRows}`, actor, from, to, last);
  for (const reference of references)
    db.run(
      `DELETE FROM blobs WHERE hash = json_extract(?1, '$.$blob')
         AND NOT EXISTS (SELECT 1 FROM journal WHERE event = ?1 AND ${IS_REFERENCE})`,
      reference,
    );
}

/** What an actor has in archives. */
export interface ArchiveSize {
  actor: string;
  bytes: number;
  /** When the newest was made, epoch ms. */
  at: number;
}

/**
 * Moves journals and streams of ended actors from the store into files, from which they are still
 * read. The caller decides which and when.
 */
export interface Archiver {
  /**
   * Moves the store's rows of the actor and of other charts' actors that belong to it. `bytes`: of
   * the new files, 0 = nothing to move. `left`: why nothing was moved. May be killed at any
   * instruction and called again. Throws SvcError `store-failed` if a file cannot be written.
   */
  archive(actor: string): Promise<{ bytes: number } | { left: string }>;
  /**
   * Removes the archives of the actor and of what belongs to it for good; readers then say when.
   * Rows in the store stay.
   */
  remove(actor: string): Promise<{ bytes: number }>;
  /**
   * Actors with archives, those with the oldest newest archive first; owned actors are included.
   */
  sizes(): ArchiveSize[];
}

/** What archiving is outside of: the log of a home. */
export interface ArchiveLog {
  /** Before rows are changed outside of the log. */
  mark(): void;
  /** Brings a segment's file to the control plane; rejects if it could not. */
  keep(path: string, sha256: string): Promise<void>;
  /** After rows were changed. */
  onChanged(): void;
}

export interface ArchiverDeps {
  db: Database;
  /** Absolute path of the archives' folder; null = nothing can be archived. */
  dir: string | null;
  /** Epoch ms. */
  now(): number;
  /** Default: nothing. */
  onStep?(step: ArchiveStep): void;
  /** Receives unreadable rows and knows them. */
  broken: BrokenRows;
  answers: AnswerTable | null;
  /** Default: none. */
  log?: ArchiveLog;
}

const NO_LOG: ArchiveLog = {
  mark: () => undefined,
  keep: () => Promise.resolve(),
  onChanged: () => undefined,
};

const FOLDER_MODE = 0o700;
/** Other charts' actors that belong to an actor. */
const ITS_OWN = `SELECT own.id FROM actors own JOIN actors whole ON whole.id = own.parent
  WHERE whole.id = ? AND own.chart <> whole.chart ORDER BY own.id`;
const SIZES = `SELECT CASE WHEN whole.chart <> own.chart THEN whole.id ELSE a.actor END AS owner,
    CAST(total(a.bytes) FILTER (WHERE a.bytes BETWEEN 0 AND 9007199254740991) AS INTEGER) AS bytes, max(a.at) AS at
  FROM archives a LEFT JOIN actors own ON own.id = a.actor LEFT JOIN actors whole ON whole.id = own.parent
  WHERE a.removed_at IS NULL GROUP BY owner ORDER BY at, owner`;

export function createArchiver({
  db,
  dir,
  now,
  onStep: reached = () => undefined,
  broken,
  answers,
  log = NO_LOG,
}: ArchiverDeps): Archiver {
  const inTurn = new KeyedQueue();
  const blobs = new Blobs(db);
  /** Whether an earlier process's leftovers were cleaned up. */
  let isTidy = false;

  const withItsOwn = (actor: string): string[] => [
    actor,
    ...db.all(ITS_OWN, actor).map(({ id }) => String(id)),
  ];

  const clear = async (segment: Parameters<typeof clearRows>[1]): Promise<void> => {
    for (const _ of clearRows(db, segment)) {
      reached('clearing');
      await nextTurn();
    }
    reached('cleared');
  };

  /** Completes what an earlier process began, once. */
  const tidy = async (folder: string): Promise<void> => {
    if (isTidy) return;
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      const segment = parseArchiveName(name);
      const row =
        segment &&
        db.get(
          'SELECT removed_at FROM archives WHERE actor = ? AND n = ?',
          segment.actor,
          segment.n,
        );
      if (name.endsWith(DRAFT) || (row && row.removed_at !== null)) await rm(join(folder, name));
    }
    for (const { actor } of db.all('SELECT DISTINCT actor FROM archives WHERE cleared = 0'))
      for (const segment of listSegments(db, broken, String(actor))) {
        const archiveCondition = await verifyArchive(join(folder, segment.file));
        // The file is damaged; only what the tables still have is left.
        if (
          segment.removedAt === null &&
          !('sha256' in archiveCondition && archiveCondition.sha256 === segment.sha256)
        )
          continue;
        log.mark();
        await clear(segment);
        log.onChanged();
      }
    isTidy = true;
  };

  const archiveOne = async (
    folder: string,
    actor: string,
  ): Promise<{ bytes: number } | { left: string }> => {
    const before = findArchiveStanding(db, actor);
    if (typeof before === 'string') return { left: before };
    const { n, journal, frames } = before;
    if (journal.to < journal.from && frames.to < frames.from) return { bytes: 0 };
    const file = toArchiveName(actor, n);
    const path = join(folder, file);
    const { rows, bytes, sha256, parts } = await writeSegment(
      { db, blobs, guard: broken.guard, answers, at: now(), onStep: reached },
      path,
      before,
    );
    await log.keep(path, sha256);
    log.mark();
    let reason: string | null = null;
    db.transaction(() => {
      const after = findArchiveStanding(db, actor);
      if (typeof after === 'string') reason = after;
      else if (after.journal.to !== journal.to || after.frames.to !== frames.to)
        reason = 'it was run again meanwhile';
      if (reason !== null) return;
      db.run(
        `INSERT INTO archives (actor, n, file, from_frame, to_frame, from_seq, to_seq, rows, bytes, sha256, at, cleared, parts)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
        actor,
        n,
        file,
        frames.from,
        frames.to,
        journal.from,
        journal.to,
        rows,
        bytes,
        sha256,
        now(),
        JSON.stringify(parts),
      );
      if (answers !== null)
        db.run(`DELETE FROM ${answers.table} WHERE ${answers.actor} = ?`, actor);
    });
    if (reason !== null) {
      await rm(path);
      return { left: reason };
    }
    reached('recorded');
    await clear({ actor, n, frames, journal });
    log.onChanged();
    return { bytes };
  };

  const archive = async (folder: string, actor: string): ReturnType<Archiver['archive']> => {
    try {
      await makeFolder(folder, FOLDER_MODE);
      await tidy(folder);
      const whole = await archiveOne(folder, actor);
      if ('left' in whole) return whole;
      let { bytes } = whole;
      for (const own of withItsOwn(actor).slice(1)) {
        const part = await archiveOne(folder, own);
        // An actor that has not ended keeps its rows until the next time.
        if ('bytes' in part) bytes += part.bytes;
      }
      return { bytes };
    } catch (error) {
      throw error instanceof SvcError ? error : createArchiveError(folder, error);
    }
  };

  const remove = async (folder: string, actor: string): Promise<{ bytes: number }> => {
    await tidy(folder);
    let bytes = 0;
    for (const { actor: owner, n, file, bytes: size, removedAt } of withItsOwn(actor).flatMap(
      (one) => listSegments(db, broken, one),
    )) {
      if (removedAt !== null) continue;
      log.mark();
      // Recorded first: a file gone without a record would be a loss.
      db.run(
        "UPDATE archives SET removed_at = ?, parts = '[]' WHERE actor = ? AND n = ?",
        now(),
        owner,
        n,
      );
      log.onChanged();
      reached('dropped');
      await rm(join(folder, file), { force: true });
      reached('removed');
      bytes += size;
    }
    return { bytes };
  };

  return {
    archive: (actor) =>
      inTurn.run('archives', () =>
        dir === null
          ? Promise.resolve({ left: 'the store is not in a file' })
          : archive(dir, actor),
      ),
    remove: (actor) =>
      inTurn.run('archives', () =>
        dir === null ? Promise.resolve({ bytes: 0 }) : remove(dir, actor),
      ),
    sizes: () =>
      db.all(SIZES).map(({ owner, bytes, at }) => ({
        actor: String(owner),
        bytes: Number(bytes),
        at: Number(at),
      })),
  };
}

const createArchiveError = (folder: string, error: unknown): SvcError =>
  new SvcError(
    'store-failed',
    `The archive could not be written to ${folder}: ${toErrorMessage(error)}. What was to be archived is still in the store; make room or fix the permissions, and try again.`,
    { cause: error },
  );
