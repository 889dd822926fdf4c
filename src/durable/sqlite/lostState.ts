import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';

/** What is missing of a home's state, for people. */
export interface LostState {
  /** True: no job is left, so a start would look like an empty home. */
  all: boolean;
  detail: string;
  fix: string;
}

/** Byte of SQLite's header that says how it writes, and its value for a database that has a WAL. */
const FORMAT_BYTE = 18;
const WITH_WAL = 2;
/** Folders that only the runner makes in a job's folder. */
const OF_JOBS = ['_sessions', '_intelligence'];

const entries = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
};

const jobFolders = (workingDir: string): string[] =>
  entries(workingDir).filter((name) =>
    OF_JOBS.some((part) => existsSync(join(workingDir, name, part))),
  );

function isEmptyFile(file: string): boolean {
  try {
    return statSync(file).size === 0;
  } catch {
    return true;
  }
}

/** A clean stop leaves a database without a WAL, a kill one beside its WAL. */
function lacksWal(file: string): boolean {
  if (existsSync(`${file}-wal`)) return false;
  const byte = Buffer.alloc(1);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, byte, 0, 1, FORMAT_BYTE);
  } finally {
    closeSync(descriptor);
  }
  return byte[0] === WITH_WAL;
}

/**
 * Whether a database that is not in use has jobs. It is read as one that never changes: without
 * that, opening it would begin a new WAL, and the old one could not be put back.
 */
function hasJobs(file: string): boolean {
  const unchanged = pathToFileURL(file);
  unchanged.search = 'immutable=1';
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    db = new DatabaseSync(unchanged, { readOnly: true });
    return db.prepare("SELECT 1 FROM actors WHERE chart = 'job' LIMIT 1").get() !== undefined;
  } catch {
    // No table of svc: it was never written beyond its WAL.
    return false;
  } finally {
    db?.close();
  }
}

/**
 * What is missing of the state of a home beside folders of jobs: state.db, or the WAL in which
 * everything since its last checkpoint is; null = nothing. Changes nothing; call it before the
 * store is opened.
 */
export function lostState(file: string, workingDir: string): LostState | null {
  const folders = jobFolders(workingDir);
  const isEmpty = isEmptyFile(file);
  const lost = isEmpty ? folders.length > 0 && !existsSync(`${file}-wal`) : lacksWal(file);
  if (!lost) return null;
  const missing = isEmpty ? file : `${file}-wal`;
  const all = isEmpty || !hasJobs(file);
  if (all && folders.length === 0) return null;
  const work =
    folders.length === 0 ? '' : ` beside the folders of ${folders.length} job(s) in ${workingDir}`;
  return {
    all,
    detail: `${missing} is missing or empty${work}: ${all ? 'no job is left in the state' : 'what was written last is lost'}`,
    fix: all
      ? `Put ${missing} back from where it was moved, or from a backup. To begin without these jobs, move ${workingDir} away.`
      : `Stop the runner and put ${missing} back if you still have it; it is useless after a start with changes. Check the jobs that were in progress.`,
  };
}
