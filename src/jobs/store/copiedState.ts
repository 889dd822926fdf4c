import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { SvcError } from '../../base/errors/errors.ts';
import { Database } from '../../kernel/sqlite/database.ts';

/** A copy of a state that nothing writes to, and its content. */
export interface CopiedState {
  schema: number;
  jobs: Set<string>;
  /** The jobs that have not ended. */
  active: Set<string>;
}

/**
 * Copies an open state to `file` (0600) while it is in use, and describes the copy. Replaces the
 * file of an earlier copy. Throws SvcError `store-failed`.
 */
export async function copyOpenState(db: Database, file: string): Promise<CopiedState> {
  rmSync(file, { force: true });
  closeSync(openSync(file, 'wx', 0o600));
  await db.copyOpenTo(file);
  return settleStateCopy(file);
}

/**
 * Copies the state of a home whose runner is stopped; none can start meanwhile. Throws SvcError
 * `locked` if a runner has it, `not-found` if it does not exist.
 */
export async function copyClosedState(stateDb: string, file: string): Promise<CopiedState> {
  if (!existsSync(stateDb))
    throw new SvcError('not-found', `${stateDb} does not exist: this home has no state of svc.`);
  const db = new Database(stateDb);
  try {
    return await copyOpenState(db, file);
  } finally {
    db.close();
  }
}

/** Ended actors of all charts. The state of an older release has no index for this. */
export const ENDED = "SELECT rowid FROM actors WHERE activity = 'ended'";
export const ALL_JOBS =
  "SELECT id, rowid FROM actors INDEXED BY actors_created WHERE chart = 'job'";

/** A copy is marked as having a write-ahead log, which it does not have. */
function settleStateCopy(file: string): CopiedState {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA journal_mode = DELETE');
    const version = db.prepare('PRAGMA user_version').get()?.user_version;
    // Uses only two indexes, since each job row also holds a whole snapshot: reading a million of
    // them would read nearly the whole file.
    const endedSeqs = new Set<number>();
    for (const { rowid } of db.prepare(ENDED).iterate()) endedSeqs.add(Number(rowid));
    const jobs = new Set<string>();
    const active = new Set<string>();
    for (const { id, rowid } of db.prepare(ALL_JOBS).iterate()) {
      jobs.add(String(id));
      if (!endedSeqs.has(Number(rowid))) active.add(String(id));
    }
    return { schema: Number(version), jobs, active };
  } finally {
    db.close();
    const descriptor = openSync(file, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}
