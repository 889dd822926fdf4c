import { setImmediate as nextTurn } from 'node:timers/promises';
import { SvcError } from '../../../base/errors/errors.ts';
import { CHAIN_START, chainEntryHash } from '../../../base/system/homes/chainEntryHash.ts';
import type { Database } from '../database.ts';
import { decodeEntry } from './entry.ts';
import type { LogEntry, LogPosition } from './homeLog.ts';
import { readLogPosition, writeLogPosition } from './outgoing.ts';
import { markLogSchema } from './outsideWrites.ts';
import { runRecorded } from './recordedStatements.ts';

/** Most entries in one transaction, and bytes of their bodies: 8 MiB. */
const ENTRIES_AT_ONCE = 200;
const BYTES_AT_ONCE = 8 << 20;

const BEFORE_FIRST: LogPosition = { n: 0, hash: CHAIN_START };

/** Why an entry does not follow: `data.why` of the error. */
export type ReplayRefusal = 'gap' | 'hash' | 'generation';

function refuseEntry(db: Database, why: ReplayRefusal, at: LogPosition, entry: LogEntry): SvcError {
  const text: Record<ReplayRefusal, string> = {
    gap: `entry ${entry.n} follows entry ${at.n}`,
    hash: `entry ${entry.n} is not what follows the history of this file`,
    generation: `entry ${entry.n} is of an earlier claim than the one before it`,
  };
  return new SvcError(
    'store-failed',
    `${db.file} is at entry ${at.n} of its log: ${text[why]}. What came before is in the file.`,
    { data: { why, n: entry.n } },
  );
}

/**
 * Adds entries of the control plane to a state, in transactions of 200; the state's own schema
 * stays. A state without a log is taken for one before the first entry. May be killed at any
 * instruction and called again with what follows. Returns the new position. Throws SvcError
 * `store-failed` for an entry that does not follow (`data.why`) or cannot be read; the entries
 * before it are in the file.
 */
export async function replayEntries(
  db: Database,
  entries: AsyncIterable<LogEntry> | Iterable<LogEntry>,
): Promise<LogPosition> {
  let at = readLogPosition(db) ?? BEFORE_FIRST;
  let generation = 0;
  let waiting: LogEntry[] = [];
  let bytes = 0;
  const write = (): void => {
    const some = waiting;
    waiting = [];
    bytes = 0;
    const last = some.at(-1);
    if (last === undefined) return;
    db.transaction(() => {
      for (const { body } of some) runRecorded(decodeEntry(body), db);
      writeLogPosition(db, last);
      markLogSchema(db);
    });
  };
  for await (const entry of entries) {
    const why =
      entry.n !== at.n + 1
        ? 'gap'
        : chainEntryHash(at.hash, entry) !== entry.hash
          ? 'hash'
          : entry.generation < generation
            ? 'generation'
            : null;
    if (why !== null) {
      write();
      throw refuseEntry(db, why, at, entry);
    }
    at = { n: entry.n, hash: entry.hash };
    generation = entry.generation;
    waiting.push(entry);
    bytes += entry.body.length;
    if (waiting.length < ENTRIES_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    write();
    await nextTurn();
  }
  write();
  return at;
}
