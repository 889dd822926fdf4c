import {
  DEFAULT_MIN_FREE_DISK_MB,
  type FreeSpace,
  findLowDisk,
  formatMegabytes,
} from '../../src/base/limits/findLowDisk.ts';
import { toErrorMessage } from '../../src/base/errors/errors.ts';
import { measureFreeSpace } from '../../src/base/system/files/measureFreeSpace.ts';
import { type Finding, toErrorFinding, toOkFinding, toWarningFinding } from './check.ts';

const MB = 1024 * 1024;

/** By `runner.minFreeDiskMb` or, where that is 0 = off, its default. Names the fullest disk. */
export function diagnoseDisk(spaces: readonly FreeSpace[], minMb: number): Finding {
  const limit = minMb === 0 ? DEFAULT_MIN_FREE_DISK_MB : minMb;
  const [fullest] = [...spaces].sort((a, b) => a.bytes - b.bytes);
  if (!fullest) return toOkFinding('no disk is in use');
  const freeText = `${formatMegabytes(Math.floor(fullest.bytes / MB))} free on the disk of ${fullest.folder}`;
  const low = findLowDisk(spaces, limit, false);
  if (low === null) return toOkFinding(freeText);
  const waits = minMb === 0 ? '' : `; below ${formatMegabytes(limit)} no session starts`;
  const fix =
    'Free some space (svc gc removes the folders of ended jobs), or move the home (SVC_HOME) or paths.workingDir of config.json to another disk. The limit is runner.minFreeDiskMb.';
  return low.urgent
    ? toErrorFinding(freeText + waits, fix)
    : toWarningFinding(freeText + waits, fix);
}

/** Of the nearest folders that exist: a home may still have to be made. */
export async function checkDisk(folders: readonly string[], minMb: number): Promise<Finding> {
  const spaces: FreeSpace[] = [];
  for (const folder of folders) {
    try {
      spaces.push({ folder, bytes: await measureFreeSpace(folder) });
    } catch (error) {
      return toErrorFinding(
        `the disk of ${folder} cannot be checked: ${toErrorMessage(error)}`,
        `Check that ${folder} is accessible.`,
      );
    }
  }
  return diagnoseDisk(spaces, minMb);
}
