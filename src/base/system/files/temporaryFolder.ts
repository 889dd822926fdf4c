import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { SvcError } from '../../errors/errors.ts';

/** Why temporary files cannot be made, as a sentence that names TMPDIR; null = they can be made. */
export function explainTemporaryFolderFault(folder = tmpdir()): string | null {
  const text = (why: string): string =>
    `The folder for temporary files (TMPDIR) is ${folder}, which ${why}. Set TMPDIR to a folder that you can write to, or unset it.`;
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return text('does not exist');
    if (!stats.isDirectory()) return text('is not a folder');
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch {
    return text('cannot be written');
  }
}

/** Throws SvcError `bad-argument` where temporary files cannot be made. */
export function checkTemporaryFolder(): void {
  const problem = explainTemporaryFolderFault();
  if (problem !== null) throw new SvcError('bad-argument', problem);
}
