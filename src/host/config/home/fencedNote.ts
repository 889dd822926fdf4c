import { writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toFields } from '../../../base/json/untrusted.ts';
import type { JobsHolder } from '../../../contract/schema/runner/cloudStatus.ts';

const resolveNoteFile = (home: string): string => join(home, 'fenced.json');

/** Keeps in the home which runner continues its jobs. The process is about to end, so it waits for the disk. */
export function writeFencedNote(home: string, holder: JobsHolder): void {
  writeFileSync(resolveNoteFile(home), `${JSON.stringify(holder)}\n`, { mode: 0o600 });
}

/** Which runner continues the jobs of this home; null = its own does, as far as the home says. */
export async function readFencedNote(home: string): Promise<JobsHolder | null> {
  try {
    const { name, since } = toFields(JSON.parse(await readFile(resolveNoteFile(home), 'utf8')));
    return typeof name === 'string' && typeof since === 'string' ? { name, since } : null;
  } catch {
    return null;
  }
}

/** The home's own runner has its jobs again. */
export const removeFencedNote = (home: string): Promise<void> =>
  rm(resolveNoteFile(home), { force: true });
