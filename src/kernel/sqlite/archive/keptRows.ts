import type { Database } from '../database.ts';

/**
 * Marks in a journal of what a start found at work: it ran it again, or gave it up after too many
 * restarts without progress.
 */
export const RECOVERY_ROWS = `((note = 1 AND event LIKE '%"kernel.recovered"%')
  OR (event LIKE '%restarts-without-progress%' AND json_extract(event, '$.type') = 'effect.givenUp'
    AND json_extract(event, '$.why') = 'restarts-without-progress'))`;

// What stays in the tables when the rest is in an archive: it is little, and lists, statistics and
// times of actors are made from it, whatever becomes of the file.

/** Of the journal up to row `?`: marks of recovery, and the step with which the actor has ended. */
export const KEPT_EVENTS = `(seq = ? OR ${RECOVERY_ROWS})`;
/** Of the frames: all that are no lines of the log. */
export const KEPT_FRAMES = `kind <> 'log'`;

/** Both numbers are in it. */
export interface Range {
  from: number;
  to: number;
}

/** The highest number of the range that no kept row has; null = all are kept. */
function findHighestGone(kept: ReadonlySet<number>, { from, to }: Range): number | null {
  for (let n = to; n >= from; n--) if (!kept.has(n)) return n;
  return null;
}

/** The highest frame of the range that has left the tables; null = none has. */
export function findLastGoneFrame(db: Database, actor: string, range: Range): number | null {
  const sql = `SELECT n FROM frames WHERE actor = ? AND n BETWEEN ? AND ? AND ${KEPT_FRAMES}`;
  const rows = db.all(sql, actor, range.from, range.to);
  return findHighestGone(new Set(rows.map(({ n }) => Number(n))), range);
}

/** The highest row of the journal, of a range of a segment that ends at `last`, that has left it. */
export function findLastGoneEvent(
  db: Database,
  actor: string,
  range: Range,
  last: number,
): number | null {
  const sql = `SELECT seq FROM journal WHERE actor = ? AND seq BETWEEN ? AND ? AND ${KEPT_EVENTS}`;
  const rows = db.all(sql, actor, range.from, range.to, last);
  return findHighestGone(new Set(rows.map(({ seq }) => Number(seq))), range);
}
