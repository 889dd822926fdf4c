import type { Database } from '../database.ts';
import { KEPT_EVENTS, KEPT_FRAMES } from './keptRows.ts';
import type { Segment } from './segment.ts';

/** Rows removed per transaction, a few milliseconds. */
const FRAMES_AT_ONCE = 1_000;
const EVENTS_AT_ONCE = 200;
/** How a journal row refers to `blobs`; the index `journal_blobs` has the same condition. */
const IS_REFERENCE = `substr(event, 1, 10) = '{"$blob":"'`;

type Archived = Pick<Segment, 'actor' | 'n' | 'frames' | 'journal'>;

/**
 * Removes a segment's rows from the tables in small steps and then marks it as done. May stop after
 * any step and be started again.
 */
export function* clearRows(db: Database, { actor, n, frames, journal }: Archived): Generator<void> {
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
  const gone = `actor = ? AND seq BETWEEN ? AND ? AND NOT (${KEPT_EVENTS})`;
  const references = db
    .all(
      `SELECT DISTINCT event FROM journal WHERE ${gone} AND ${IS_REFERENCE}`,
      actor,
      from,
      to,
      last,
    )
    .map(({ event }) => String(event));
  db.run(`DELETE FROM journal WHERE ${gone}`, actor, from, to, last);
  for (const reference of references)
    db.run(
      `DELETE FROM blobs WHERE hash = json_extract(?1, '$.$blob')
         AND NOT EXISTS (SELECT 1 FROM journal WHERE event = ?1 AND ${IS_REFERENCE})`,
      reference,
    );
}
