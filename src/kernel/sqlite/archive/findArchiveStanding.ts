import type { Database } from '../database.ts';
import type { Range } from './keptRows.ts';

export interface ArchiveStanding {
  actor: string;
  n: number;
  frames: Range;
  journal: Range;
}

/** By effect id, which begins with the actor's id; `0` follows `/` in ASCII. */
const ITS_EFFECT =
  'SELECT 1 AS yes FROM outbox WHERE effect_id > ? AND effect_id < ? AND actor = ? LIMIT 1';

/** The rows to archive, or why nothing is archived. */
export function findArchiveStanding(db: Database, actor: string): ArchiveStanding | string {
  const row = db.get('SELECT activity, seq, frame_seq FROM actors WHERE id = ?', actor);
  if (!row) return 'no such actor exists';
  if (row.activity !== 'ended') return 'it has not ended';
  if (db.get(ITS_EFFECT, `${actor}/`, `${actor}0`, actor))
    return 'it has ended, and effects of it are still at work';
  const last = db.get(
    'SELECT n, to_seq, to_frame FROM archives WHERE actor = ? ORDER BY n DESC LIMIT 1',
    actor,
  );
  return {
    actor,
    n: Number(last?.n ?? 0) + 1,
    journal: { from: Number(last?.to_seq ?? 0) + 1, to: Number(row.seq) },
    frames: { from: Number(last?.to_frame ?? 0) + 1, to: Number(row.frame_seq) },
  };
}
