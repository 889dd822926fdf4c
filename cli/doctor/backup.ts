import { toErrorMessage } from '../../src/base/errors/errors.ts';
import { formatUtcMinute } from '../../src/base/time/toIsoTime.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { readOwnHomeId } from '../../src/host/backup/homeRecord.ts';
import { listOwnBackups } from '../../src/host/backup/ownBackups.ts';
import { type Finding, toOkFinding, toSkippedFinding, toWarningFinding } from './check.ts';

/** How long after its time a backup is overdue, ms: the runner may have been switched off. */
const LATE_MS = 3_600_000;

/** Whether the schedule of backups is kept. */
export async function checkBackup(
  { home, backup: { everyMs, folder } }: Pick<Settings, 'home' | 'backup'>,
  now: number,
): Promise<Finding> {
  if (everyMs === null || folder === null)
    return toSkippedFinding('only when you run svc backup (backup.every)');
  try {
    const homeId = await readOwnHomeId(home);
    const [newest] = homeId === undefined ? [] : await listOwnBackups(folder, homeId);
    if (newest !== undefined && newest.at + everyMs + LATE_MS > now)
      return toOkFinding(`${newest.file}, ${formatUtcMinute(newest.at)}`);
    return toWarningFinding(
      newest === undefined
        ? `no backup of this home is in ${folder}`
        : `the newest backup of this home in ${folder} is of ${formatUtcMinute(newest.at)}`,
      'Start the runner: it writes the next one ten minutes later. Its log names what has failed.',
    );
  } catch (error) {
    return toWarningFinding(
      `${folder} cannot be read: ${toErrorMessage(error)}`,
      'Check backup.folder and the rights of the folder.',
    );
  }
}
