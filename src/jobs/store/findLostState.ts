import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkPair } from '../../kernel/sqlite/pair/checkPair.ts';
import { readDatabaseHead } from '../../kernel/sqlite/pair/readDatabaseHead.ts';

export interface LostState {
  detail: string;
  fix: string;
}

/** Folders that only the runner creates in a job's folder. */
const OF_JOBS = ['_sessions', '_intelligence'];

const readDirOrEmpty = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
};

const listJobFolders = (workingDir: string): string[] =>
  readDirOrEmpty(workingDir).filter((name) =>
    OF_JOBS.some((part) => existsSync(join(workingDir, name, part))),
  );

/**
 * What is missing from the state of a home: a file that belongs to it (see `checkPair`), or job
 * folders without a written state.db; null = nothing. Changes nothing; call it before the store is
 * opened. Throws SvcError `store-failed` for an unreadable file.
 */
export function findLostState(file: string, workingDir: string): LostState | null {
  const doubt = checkPair(file);
  // A damaged file is refused when it is opened, with a report of what can be saved.
  if (doubt !== null && doubt.doubt !== 'no-database')
    return { detail: doubt.detail, fix: doubt.fix };
  if (readDatabaseHead(file).bytes > 0) return null;
  const folders = listJobFolders(workingDir);
  if (folders.length === 0) return null;
  return {
    detail: `${file} is missing or empty beside the folders of ${folders.length} job(s) in ${workingDir}: the state has no jobs`,
    fix: `Restore ${file} from where it was moved, or from a backup. To start without these jobs, move ${workingDir} away.`,
  };
}
