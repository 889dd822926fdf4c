import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';

/**
 * Where the file system can, both files share their blocks: a large file is copied at once. It ends
 * with the process that waits for it, however that ends.
 */
const COPY = `const { constants, copyFile } = require('node:fs');
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();
copyFile(process.argv[1], process.argv[2], constants.COPYFILE_FICLONE, (error) =>
  process.exit(error === null ? 0 : error.code === 'ENOSPC' ? 28 : 1));`;
const NO_SPACE = 28;

/** Bytes of a file; 0 where none exists. */
export const measureFileBytes = (file: string): number =>
  statSync(file, { throwIfNoEntry: false })?.size ?? 0;

export interface CopyProgress {
  everyMs: number;
  tell(bytes: number): void;
}

/** Copies a file in another process: closing it in this one would end this one's locks on it. */
export async function copyApart(
  from: string,
  to: string,
  { everyMs, tell }: CopyProgress,
): Promise<'copied' | 'no space' | 'failed'> {
  const progress = setInterval(() => tell(measureFileBytes(to)), everyMs);
  try {
    const child = spawn(process.execPath, ['-e', COPY, from, to], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
    });
    const [code] = (await once(child, 'close').catch(() => [1])) as [number | null];
    return code === 0 ? 'copied' : code === NO_SPACE ? 'no space' : 'failed';
  } finally {
    clearInterval(progress);
  }
}
