import { DatabaseSync } from '@photostructure/sqlite';
import type { StateReader } from '../database.ts';
import type { LogEntry, LogPosition } from './homeLog.ts';
import { readLogPosition, readOutgoing } from './outgoing.ts';
import { readDatabaseHead } from '../pair/readDatabaseHead.ts';
import { OWNER } from '../refuseNewerOwner.ts';

/** What a file of the state says of its home's log. */
export interface FileStanding {
  /** Version of its schema. */
  storeVersion: number;
  /** Of the claim under which it was written last; 0 = none. */
  generation: number;
  /** null = it has no log. */
  position: LogPosition | null;
  /** Its newest entries, which the control plane may not have. */
  outgoing: readonly LogEntry[];
}

/** A state that is open for reading alone. */
export const toStateReader = (db: InstanceType<typeof DatabaseSync>): StateReader => ({
  get: (sql, ...values) => db.prepare(sql).get(...values),
  all: (sql, ...values) => db.prepare(sql).all(...values),
});

/** Reads a state that no process holds, without writing to it; null = it does not exist, or is empty. */
export function readFileStanding(file: string): FileStanding | null {
  if (readDatabaseHead(file).bytes === 0) return null;
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    const reader = toStateReader(db);
    const storeVersion = Number(reader.get('PRAGMA user_version')?.user_version);
    if (storeVersion === 0) return null;
    return {
      storeVersion,
      generation: Number(reader.get(OWNER)?.value ?? 0),
      position: readLogPosition(reader),
      outgoing: readOutgoing(reader),
    };
  } finally {
    db.close();
  }
}
