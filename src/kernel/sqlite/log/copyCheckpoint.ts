import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Database } from '../database.ts';
import type { LogPosition } from './homeLog.ts';
import { FORGET_OUTGOING, readLogPosition } from './outgoing.ts';
import { FORGET_OUTSIDE_WRITES } from './outsideWrites.ts';

/** A copy of a state for a checkpoint: everything up to an entry. */
export interface StateCheckpoint extends LogPosition {
  /** `user_version` of the copy. */
  storeVersion: number;
}

/**
 * Copies an open state with a log to `file` (0600) while it is in use, without what concerns only
 * this runner, and checks the copy. Replaces the file. Throws SvcError `store-failed`, also for a
 * state without a log or with damage.
 */
export async function copyCheckpoint(db: Database, file: string): Promise<StateCheckpoint> {
  rmSync(file, { force: true });
  closeSync(openSync(file, 'wx', 0o600));
  await db.copyOpenTo(file);
  const copy = new DatabaseSync(file);
  try {
    // A copy is marked as having a write-ahead log, which it does not have.
    copy.exec('PRAGMA journal_mode = DELETE');
    copy.exec(`BEGIN; ${FORGET_OUTGOING}; ${FORGET_OUTSIDE_WRITES}; COMMIT`);
    const problems = copy
      .prepare('PRAGMA integrity_check(1)')
      .all()
      .map((row) => String(row.integrity_check))
      .filter((line) => line !== 'ok');
    const at = readLogPosition({
      get: (sql, ...values) => copy.prepare(sql).get(...values),
      all: (sql, ...values) => copy.prepare(sql).all(...values),
    });
    if (at === null || problems.length > 0)
      throw new SvcError(
        'store-failed',
        `${db.file} cannot be a checkpoint: ${problems[0] ?? 'it has no log'}.`,
      );
    const version = copy.prepare('PRAGMA user_version').get()?.user_version;
    return { ...at, storeVersion: Number(version) };
  } finally {
    copy.close();
    const descriptor = openSync(file, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}
