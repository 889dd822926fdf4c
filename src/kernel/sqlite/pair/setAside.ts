import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { SvcError } from '../../../shared/errors/errors.ts';
import { NEW_FILE } from '../openConnection.ts';
import { inspectStore } from '../inspectStore.ts';
import { FORMAT_AT, readDatabaseHead, WITHOUT_LOG } from './readDatabaseHead.ts';

const BESIDE = ['-manifest', '-wal', '-journal', '-shm'];

/**
 * Keeps state.db as it is, without what lies beside it, so that a start can begin with it; one that
 * is missing or empty begins empty. All present files are renamed, and stay: answers their
 * names. Only for a person who has asked for it, and while no process has the state. Throws SvcError
 * `store-failed` where state.db alone is damaged; nothing has changed then.
 */
export function setAside(file: string, now: number): string[] {
  const ending = `.set-aside-${new Date(now).toISOString().replaceAll(/[:.]/g, '')}`;
  const { bytes } = readDatabaseHead(file);
  const draft = `${file}.draft`;
  rmSync(draft, { force: true });
  if (bytes > 0) copyWithoutLog(file, draft);
  else createEmpty(draft);
  const names: string[] = [];
  const rename = (name: string): void => {
    if (!existsSync(name)) return;
    renameSync(name, `${name}${ending}`);
    names.push(`${name}${ending}`);
  };
  for (const end of BESIDE) rename(`${file}${end}`);
  rename(file);
  renameSync(draft, file);
  return names;
}

/** Not a missing file: that would look like one that was lost. */
function createEmpty(draft: string): void {
  closeSync(openSync(draft, 'wx', 0o600));
  const db = new DatabaseSync(draft);
  db.exec(`${NEW_FILE}; BEGIN EXCLUSIVE; COMMIT`);
  db.close();
}

function copyWithoutLog(file: string, draft: string): void {
  copyFileSync(file, draft, constants.COPYFILE_FICLONE);
  const descriptor = openSync(draft, 'r+');
  try {
    writeSync(descriptor, WITHOUT_LOG, 0, WITHOUT_LOG.length, FORMAT_AT);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  const found = inspectStore(draft);
  const [problem] = found.held ? ['it is in use'] : found.problems;
  if (problem === undefined) return;
  rmSync(draft, { force: true });
  throw new SvcError(
    'store-failed',
    `${file} cannot be used without its log: ${problem}. Nothing was changed. Restore a backup (svc restore), or move ${file} away to start without it.`,
  );
}
