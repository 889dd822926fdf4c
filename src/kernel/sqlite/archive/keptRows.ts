import type { Database } from '../database.ts';

/** Journal marks of effects that a start reran, or gave up after too many restarts. */
export const RECOVERY_ROWS = `((note = 1 AND event LIKE '%"kernel.recovered"%')
  OR (event LIKE '%restarts-without-progress%' AND json_extract(event, '$.type') = 'effect.givenUp'
    AND json_extract(event, '$.why') = 'restarts-without-progress'))`;

// What stays in the tables after archiving: lists, statistics and actors' times need it, whatever
// becomes of the file.

/** Of the journal up to row `?`: recovery marks and the actor's last step. */
export const KEPT_EVENTS = `(seq = ? OR ${RECOVERY_ROWS})`;
/** Of the frames: everything but log lines. */
export const KEPT_FRAMES = `kind <> 'log'`;

/** Both ends included. */
export interface Range {
  from: number;
  to: number;
}

/** The highest number that no kept row has; null = all are kept. */
function findHighestGone(keptSeqs: ReadonlySet<number>, { from, to }: Range): number | null {
  for (let n = to; n >= from; n--) if (!keptSeqs.has(n)) return n;
  return null;
}

/** The highest frame of the range no longer in the tables; null = none. */
export function findLastGoneFrame(db: Database, actor: string, range: Range): number | null {
  const sql = `SELECT n FROM frames WHERE actor = ? AND n BETWEEN ? AND ? AND ${KEPT_FRAMES}`;
  const rows = db.all(sql, actor, range.from, range.to);
  return findHighestGone(new Set(rows.map(({ n }) => Number(n))), range);
}

/** The highest journal row of the range no longer in the tables; its segment ends at `last`. */
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
