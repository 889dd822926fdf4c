import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
 * Jobs of a database that is not in use. A copy is read: opening it would begin a new WAL, and the
 * old one could not be put back.
 */
function jobsIn(file: string): number {
  const dir = mkdtempSync(join(tmpdir(), 'svc-state-'));
  const copy = join(dir, 'state.db');
  try {
    copyFileSync(file, copy);
    const db = new DatabaseSync(copy);
    try {
      const [row] = db.prepare("SELECT count(*) AS jobs FROM actors WHERE chart = 'job'").all();
      return Number(row?.jobs ?? 0);
    } finally {
      db.close();
    }
  } catch {
    // No table of svc: it was never written beyond its WAL.
    return 0;
  } finally {
    rmSync(dir, { recursive: true, force: true });
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
  const all = isEmpty || jobsIn(file) === 0;
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
