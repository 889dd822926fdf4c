import { chainEntryHash } from '../../../base/system/homes/chainEntryHash.ts';
import type { Database, StateReader } from '../database.ts';
import type { LogEntry, LogPosition } from './homeLog.ts';
import {
  FORGET_OUTGOING,
  readLogPosition,
  readOutgoing,
  writeLogPosition,
  writeOutgoing,
} from './outgoing.ts';

/**
 * A state beside the head of the control plane. `ahead`: it has entries, kept in the state, that
 * follow the head. `behind`: `replayEntries` tells whether what follows fits. `diverged`: it has
 * another history. `none`: it has no log.
 */
export type HeadComparison = 'none' | 'same' | 'behind' | 'ahead' | 'diverged';

export function compareWithHead(db: StateReader, head: LogPosition): HeadComparison {
  const at = readLogPosition(db);
  if (at === null) return 'none';
  if (at.n < head.n) return 'behind';
  if (at.n === head.n) return at.hash === head.hash ? 'same' : 'diverged';
  return followEntries(head, listAfter(db, head.n))?.hash === at.hash ? 'ahead' : 'diverged';
}

const listAfter = (db: StateReader, n: number): LogEntry[] =>
  readOutgoing(db).filter((entry) => entry.n > n);

/** Where entries lead from a position; null = they do not follow it. */
function followEntries(from: LogPosition, entries: readonly LogEntry[]): LogPosition | null {
  let at = from;
  for (const entry of entries) {
    if (entry.n !== at.n + 1 || chainEntryHash(at.hash, entry) !== entry.hash) return null;
    at = entry;
  }
  return at;
}

/**
 * The entries of a state that is ahead of the head, made again under a new claim: entries of an
 * earlier one are refused. Call it when the claim has fixed the head, and send what it returns.
 * Returns the state's new position too.
 */
export function renewOutgoing(
  db: Database,
  head: LogPosition,
  generation: number,
): { at: LogPosition; entries: LogEntry[] } {
  const entries: LogEntry[] = [];
  let at = head;
  for (const { n, body } of listAfter(db, head.n)) {
    const link = { n, generation, body };
    const entry = { ...link, hash: chainEntryHash(at.hash, link) };
    entries.push(entry);
    at = { n, hash: entry.hash };
  }
  db.transaction(() => {
    db.run(FORGET_OUTGOING);
    for (const entry of entries) writeOutgoing(db, entry, head.n);
    writeLogPosition(db, at);
  });
  return { at, entries };
}
