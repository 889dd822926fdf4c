import type { ReadBackup } from '../../src/backup/readBackup.ts';
import type { Restored } from '../../src/backup/restoreHome.ts';
import { sizeText } from './sizeText.ts';

const jobsText = ({ jobs, active, work }: ReadBackup['header']): string => {
  const folders = {
    all: 'with the folders of all jobs',
    active: 'with the folders of those',
    none: 'without folders of jobs',
  }[work];
  return `${jobs} job(s), ${active} of them not ended, ${folders}`;
};

const unreadText = ({ unread, unreadNames }: ReadBackup['end']): string =>
  unread === 0
    ? ''
    : `Not in it, since they could not be read: ${unread} file(s).\n${unreadNames.map((path) => `  ${path}\n`).join('')}`;

/** The file is what `svc restore` takes, and secret. */
export const backupText = (file: string, bytes: number, { header, end }: ReadBackup): string =>
  [
    `Backed up ${header.home}: ${jobsText(header)}.\n`,
    `${file}: ${sizeText(bytes)}, ${end.entries} entries, read again and whole.\n`,
    unreadText(end),
    'It contains tokens and secrets: keep it private. To restore it: svc restore\n',
  ].join('');

export const checkedText = (file: string, { header, end }: ReadBackup): string =>
  `${file} is whole: ${header.home} at ${header.createdAt}, svc ${header.release}, ${jobsText(header)}, ${end.entries} entries, ${sizeText(end.bytes)}.\n`;

export const restoredText = (restored: Restored): string => {
  const { home, header, relocated, continued } = restored;
  const { settings, checkouts } = relocated;
  return [
    continued ? 'An earlier restore was finished: the file was read then.\n' : '',
    `Restored the home of ${header.createdAt} to ${home}: ${jobsText(header)}.\n`,
    settings.length === 0 ? '' : `Changed in config.json: ${settings.join(', ')}.\n`,
    checkouts === 0 ? '' : `Changed where ${checkouts} checkout(s) fetch from.\n`,
    home === header.home
      ? ''
      : `The home that was backed up is ${header.home}. Do not start both: two runners would continue the same jobs.\n`,
    `Check it with svc doctor, then start it with svc start${home === header.home ? '' : ` and SVC_HOME=${home}`}.\n`,
  ].join('');
};
