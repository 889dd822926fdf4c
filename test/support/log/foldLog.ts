import { copyFileSync, rmSync } from 'node:fs';
import type { LogEntry, LogPosition } from '../../../src/kernel/sqlite/log/homeLog.ts';
import { replayEntries } from '../../../src/kernel/sqlite/log/replay.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';

export interface FoldOptions {
  /** A checkpoint's file to begin with; default: an empty state. */
  checkpoint?: string;
  /** Schema of an empty state; default: the newest. */
  storeVersion?: number;
}

/**
 * Makes a state in `file` from nothing but a log: of a checkpoint or an empty state, and the entries
 * after it. Returns how far it came.
 */
export async function foldLog(
  file: string,
  entries: readonly LogEntry[],
  { checkpoint, storeVersion = MIGRATIONS.length }: FoldOptions = {},
): Promise<LogPosition> {
  for (const ending of ['', '-wal', '-manifest']) rmSync(`${file}${ending}`, { force: true });
  if (checkpoint !== undefined) copyFileSync(checkpoint, file);
  const db = new Database(file);
  try {
    if (checkpoint === undefined) migrate(db, MIGRATIONS.slice(0, storeVersion));
    return await replayEntries(db, entries);
  } finally {
    db.close();
  }
}
