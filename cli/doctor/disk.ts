import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../src/lib/errors.ts';
import { type Finding, failed, ok, warning } from './check.ts';

const MIB = 1024 * 1024;
/** Free space below which a runner is about to fail at its next write. */
const TOO_LITTLE = 100 * MIB;
/** Free space below which a few checkouts can fill the disk. */
const LITTLE = 1024 * MIB;

export function judgeDisk(freeBytes: number, home: string): Finding {
  const said = `${Math.floor(freeBytes / MIB)} MiB free on the disk of ${home}`;
  const fix =
    'Free some space, or move the home (SVC_HOME) or paths.workingDir of config.json to another disk.';
  return freeBytes < TOO_LITTLE
    ? failed(said, fix)
    : freeBytes < LITTLE
      ? warning(said, fix)
      : ok(said);
}

/** Of the nearest folder that exists: a home may still have to be made. */
export async function checkDisk(home: string): Promise<Finding> {
  for (let folder = home; ; folder = dirname(folder)) {
    try {
      const { bavail, bsize } = await statfs(folder);
      return judgeDisk(bavail * bsize, home);
    } catch (error) {
      if (folder !== dirname(folder)) continue;
      return failed(
        `the disk cannot be checked: ${messageOf(error)}`,
        `Check that ${home} is accessible.`,
      );
    }
  }
}
