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
import { SvcError } from '../../../base/errors/errors.ts';
import { NEW_FILE } from '../openConnection.ts';
import { inspectStore } from '../inspectStore.ts';
import { FORMAT_AT, readDatabaseHead, WITHOUT_LOG } from './readDatabaseHead.ts';

const BESIDE = ['-manifest', '-wal', '-journal', '-shm'];

/**
 * Sets aside what lies beside state.db so that a start can use state.db alone; a missing or empty
 * one starts empty. Renames and keeps all files and returns their names. Only on a person's request
 * while no process holds the state. Throws SvcError `store-failed`, with nothing changed, if
 * state.db itself is damaged.
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

/** A missing file would look like a lost one. */
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
  const storeCondition = inspectStore(draft);
  const [problem] = storeCondition.held ? ['it is in use'] : storeCondition.problems;
  if (problem === undefined) return;
  rmSync(draft, { force: true });
  throw new SvcError(
    'store-failed',
    `${file} cannot be used without its log: ${problem}. Nothing was changed. Restore a backup (svc restore), or move ${file} away to start without it.`,
  );
}
