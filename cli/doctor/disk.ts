import {
  DEFAULT_MIN_FREE_DISK_MB,
  type FreeSpace,
  lowDisk,
  megabytes,
} from '../../src/domain/freeDisk.ts';
import { messageOf } from '../../src/lib/errors.ts';
import { freeSpace } from '../../src/lib/freeSpace.ts';
import { type Finding, failed, ok, warning } from './check.ts';

const MB = 1024 * 1024;

/**
 * By the limit of the runner, `runner.minFreeDiskMb`; where that is 0 = off, by its default. Names
 * the fullest disk.
 */
export function judgeDisk(spaces: readonly FreeSpace[], minMb: number): Finding {
  const limit = minMb === 0 ? DEFAULT_MIN_FREE_DISK_MB : minMb;
  const [fullest] = [...spaces].sort((a, b) => a.bytes - b.bytes);
  if (!fullest) return ok('no disk is used');
  const said = `${megabytes(Math.floor(fullest.bytes / MB))} free on the disk of ${fullest.folder}`;
  const low = lowDisk(spaces, limit, false);
  if (low === null) return ok(said);
  const waits = minMb === 0 ? '' : `; below ${megabytes(limit)} no session starts`;
  const fix =
    'Free some space (svc gc removes the folders of ended jobs), or move the home (SVC_HOME) or paths.workingDir of config.json to another disk. The limit is runner.minFreeDiskMb.';
  return low.urgent ? failed(said + waits, fix) : warning(said + waits, fix);
}

/** Of the nearest folders that exist: a home may still have to be made. */
export async function checkDisk(folders: readonly string[], minMb: number): Promise<Finding> {
  const spaces: FreeSpace[] = [];
  for (const folder of folders) {
    try {
      spaces.push({ folder, bytes: await freeSpace(folder) });
    } catch (error) {
      return failed(
        `the disk of ${folder} cannot be checked: ${messageOf(error)}`,
        `Check that ${folder} is accessible.`,
      );
    }
  }
  return judgeDisk(spaces, minMb);
}
