import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../base/system/files/makeFolder.ts';

/** Longest time from when a start begins until it has the state, ms. An older note is a crash's. */
const LONGEST_START_MS = 120_000;

const resolveNoteFile = (home: string): string => join(home, 'starting.json');

/**
 * Names a process that is about to run the home, before it has anything of it: `svc stop` finds it by
 * this. The returned function takes the name back. Where the home cannot be written nothing is done:
 * the start itself tells why.
 */
export async function noteStart(home: string, pid: number): Promise<() => Promise<void>> {
  const file = resolveNoteFile(home);
  try {
    await makeFolder(home, 0o700);
    await writeFile(file, `${JSON.stringify({ pid })}\n`, { mode: 0o600 });
  } catch {
    return async () => {};
  }
  return () => rm(file, { force: true });
}

/** The process that is about to run the home; null = no note names one. `now`: epoch ms. */
export async function readStartNote(home: string, now: number): Promise<number | null> {
  try {
    const [{ mtimeMs }, text] = await Promise.all([
      stat(resolveNoteFile(home)),
      readFile(resolveNoteFile(home), 'utf8'),
    ]);
    const { pid } = Object(JSON.parse(text));
    return typeof pid === 'number' && now - mtimeMs < LONGEST_START_MS ? pid : null;
  } catch {
    return null;
  }
}
