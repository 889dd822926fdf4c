import type { BrokenRows } from '../../../kernel/sqlite/broken/brokenRows.ts';
import { createBrokenRows } from '../jobRowGuard.ts';
import { pickReadableRows } from '../../../kernel/sqlite/broken/rowGuard.ts';
import { areCounts } from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';

/** An ended actor; `since`: when it ended, epoch ms. */
export interface EndedActor {
  id: string;
  since: number;
}

export interface EndedArtefact {
  jobId: string;
  id: string;
  /** When the job ended, epoch ms. */
  since: number;
  size: number;
  sha256: string;
}

/** Stored bytes of the rows of an actor that an archive would take. */
const JOURNAL_BYTES = `SELECT coalesce(sum(length(event) + length(path) + length(effects)), 0) AS n
  FROM journal WHERE actor = ?1 AND seq > (SELECT coalesce(max(to_seq), 0) FROM archives WHERE actor = ?1)`;
const LOG_BYTES = `SELECT coalesce(sum(length(data)), 0) AS n FROM frames
  WHERE actor = ?1 AND kind = 'log' AND n > (SELECT coalesce(max(to_frame), 0) FROM archives WHERE actor = ?1)`;

/** Uses an index, since each actor row holds a whole snapshot and a million may be parked. */
const ENDED = `(SELECT id, since, seq, frame_seq FROM actors INDEXED BY actors_ended WHERE activity = 'ended')`;

/** Whether the whole family of an actor has ended: its parents, their children, and so on. */
const FAMILY_AT_WORK = `
  WITH RECURSIVE
    up (id, parent) AS (
      SELECT id, parent FROM actors WHERE id = ?
      UNION SELECT a.id, a.parent FROM actors a JOIN up ON a.id = up.parent),
    family (id) AS (
      SELECT id FROM up
      UNION SELECT a.id FROM actors a JOIN family f ON a.parent = f.id)
  SELECT EXISTS (SELECT 1 FROM actors WHERE id IN (SELECT id FROM family) AND activity <> 'ended') AS n`;

/** What ended jobs still occupy, for retention rules. */
export class RetentionReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, brokenRows = createBrokenRows()) {
    this.#db = db;
    this.#broken = brokenRows;
  }

  /** False for an actor that does not exist. */
  hasFamilyEnded(id: string): boolean {
    return (
      this.#db.get('SELECT 1 AS n FROM actors WHERE id = ?', id) !== undefined &&
      this.#db.get(FAMILY_AT_WORK, id)?.n === 0
    );
  }

  /**
   * Actors that ended before this time (epoch ms) and are not completely archived; oldest first.
   */
  listUnarchived(before: number): EndedActor[] {
    return this.#db
      .all(
        `SELECT id, since FROM ${ENDED} a WHERE since <= ?
           AND NOT EXISTS (SELECT 1 FROM archives r WHERE r.actor = a.id AND r.to_seq >= a.seq AND r.to_frame >= a.frame_seq)
         ORDER BY since, id`,
        before,
      )
      .map((row) => ({ id: String(row.id), since: Number(row.since) }));
  }

  /** When the actor entered its state, epoch ms; null = it does not exist. */
  readSince(id: string): number | null {
    const row = this.#db.get('SELECT since FROM actors WHERE id = ?', id);
    return row === undefined ? null : Number(row.since);
  }

  /** Unfinished actors, as numbers for {@link idAt}: a million ids would fill the memory. */
  listUnended(): number[] {
    const rows = `SELECT json_group_array(rowid) AS numbers FROM actors
      WHERE rowid NOT IN (SELECT rowid FROM actors INDEXED BY actors_ended WHERE activity = 'ended')`;
    return JSON.parse(String(this.#db.get(rows)?.numbers)) as number[];
  }

  /** Empty for an actor that does not exist. */
  idAt(row: number): string {
    return String(this.#db.get('SELECT id FROM actors WHERE rowid = ?', row)?.id ?? '');
  }

  /** Bytes of journal and log of an actor that are in no archive. */
  logBytes(id: string): number {
    return Number(this.#db.get(JOURNAL_BYTES, id)?.n) + Number(this.#db.get(LOG_BYTES, id)?.n);
  }

  /** Existing artefact contents of ended jobs, oldest job first. */
  artefacts(): EndedArtefact[] {
    const rows = this.#db.all(
      `SELECT f.job_id, f.id, f.size, f.sha256, a.since FROM ${ENDED} a CROSS JOIN artefacts f ON f.job_id = a.id
         WHERE f.removed_at IS NULL ORDER BY a.since, f.job_id, f.at, f.id`,
    );
    return pickReadableRows(this.#broken, { table: 'artefacts', key: ['job_id', 'id'] }, rows).map(
      (row) => ({
        jobId: String(row.job_id),
        id: String(row.id),
        since: Number(row.since),
        size: Number(row.size),
        sha256: String(row.sha256),
      }),
    );
  }

  /** How many artefacts have this content, counted up to `most`. */
  uses(sha256: string, most: number): number {
    const row = this.#db.get(
      'SELECT count(*) AS n FROM (SELECT 1 FROM artefacts WHERE sha256 = ? AND removed_at IS NULL LIMIT ?)',
      sha256,
      most,
    );
    return Number(row?.n);
  }

  /** SHA-256 of the files of archived logs. */
  listArchiveHashes(): ReadonlySet<string> {
    return new Set(
      this.#db
        .all('SELECT sha256 FROM archives WHERE removed_at IS NULL')
        .map((row) => String(row.sha256)),
    );
  }

  contentBytes(): number {
    const row = this.#db.get(
      `SELECT total(size) AS n FROM (SELECT max(size) AS size FROM artefacts WHERE removed_at IS NULL AND ${areCounts(['size'])} GROUP BY sha256)`,
    );
    return Number(row?.n);
  }

  repositoriesInUse(): string[] {
    return this.#db
      .all(
        `SELECT DISTINCT repo FROM job_groups
         WHERE state IN ('queued', 'working', 'waiting') AND repo <> ''`,
      )
      .map((row) => String(row.repo));
  }
}
