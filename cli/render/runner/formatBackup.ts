import type { ReadBackup } from '../../../src/host/backup/readBackup.ts';
import type { RestoreResult } from '../../../src/host/backup/restoreHome.ts';
import { formatByteSize } from '../text/formatByteSize.ts';

const describeBackupJobs = ({ jobs, active, work }: ReadBackup['header']): string => {
  const folders = {
    all: 'with all job folders',
    active: 'with the folders of jobs that have not ended',
    none: 'without job folders',
  }[work];
  return `${jobs} job(s), ${active} not ended, ${folders}`;
};

const formatUnreadFiles = ({ unread, unreadNames }: ReadBackup['end']): string =>
  unread === 0
    ? ''
    : `Left out because they could not be read: ${unread} file(s).\n${unreadNames.map((path) => `  ${path}\n`).join('')}`;

/** What a backup of a home is good for whose state is at a control plane. */
const FOR_PAIRED =
  'This home belongs to a team: after the loss of this machine svc start takes the newest state from the control plane, not from this file. The file has what only this machine has: checkouts with work that was not pushed, configuration, tokens. Its state is for the loss of the control plane itself: svc restore, svc login, svc cloud reseed.\n';

/** The file is what `svc restore` takes, and secret. */
export const formatBackup = (
  file: string,
  bytes: number,
  { header, end }: ReadBackup,
  isPaired = false,
): string =>
  [
    `Backed up ${header.home}: ${describeBackupJobs(header)}.\n`,
    `${file}: ${formatByteSize(bytes)}, ${end.entries} entries, verified.\n`,
    formatUnreadFiles(end),
    'It contains tokens and secrets: keep it private. To restore it: svc restore\n',
    isPaired ? FOR_PAIRED : '',
  ].join('');

export const formatBackupCheck = (file: string, { header, end }: ReadBackup): string =>
  `${file} is valid: ${header.home} at ${header.createdAt}, svc ${header.release}, ${describeBackupJobs(header)}, ${end.entries} entries, ${formatByteSize(end.bytes)}.\n`;

export const formatRestore = (result: RestoreResult): string => {
  const { home, header, relocated, continued } = result;
  const { settings, checkouts } = relocated;
  return [
    continued ? 'Finished an earlier restore of the verified file.\n' : '',
    `Restored the home of ${header.createdAt} to ${home}: ${describeBackupJobs(header)}.\n`,
    settings.length === 0 ? '' : `Changed in config.json: ${settings.join(', ')}.\n`,
    checkouts === 0 ? '' : `Updated the remote of ${checkouts} checkout(s).\n`,
    home === header.home
      ? ''
      : `The original home is ${header.home}. Do not start both: two runners would continue the same jobs.\n`,
    `Check it with svc doctor, then start it with svc start${home === header.home ? '' : ` and SVC_HOME=${home}`}.\n`,
  ].join('');
};
