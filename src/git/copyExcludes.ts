import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPlainFile } from '../base/system/files/readPlainFile.ts';

/** Largest list of excluded files of a clone that is read: 64 KiB. */
export const MAX_EXCLUDE_BYTES = 64 * 1024;

/**
 * Has the repository `to`, which reads the files of a checkout, ignore what the checkout's
 * own list (`.git/info/exclude`) names, such as files that were copied in from a person's folder.
 */
export async function copyExcludes(checkoutGitDir: string, to: string): Promise<void> {
  const text = await readPlainFile(join(checkoutGitDir, 'info', 'exclude'), MAX_EXCLUDE_BYTES);
  if (text === null || text === '') return;
  await mkdir(join(to, 'info'), { recursive: true });
  await writeFile(join(to, 'info', 'exclude'), text);
}
