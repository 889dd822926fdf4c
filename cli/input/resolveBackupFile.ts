import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { SvcError } from '../../src/base/errors/errors.ts';

/** `svc-backup-20261124-053000.tar.gz`, in UTC. */
const formatBackupName = (now: number): string => {
  const [day = '', time = ''] = new Date(now).toISOString().replaceAll(/[-:]/g, '').split(/[T.]/);
  return `svc-backup-${day}-${time}.tar.gz`;
};

/**
 * The file that a backup is written to: the one that is given, or one with the time in its name in the folder
 * that is given. Throws SvcError `conflict` for a file that exists, `bad-argument` for one in the
 * home, which would be lost with it.
 */
export function resolveBackupFile(
  argument: string | undefined,
  { cwd, now, home }: { cwd: string; now: number; home: string },
): string {
  const path = resolve(cwd, argument ?? '.');
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const file = isFolder ? join(path, formatBackupName(now)) : path;
  if (`${file}${sep}`.startsWith(`${home}${sep}`))
    throw new SvcError(
      'bad-argument',
      `${file} is in the home itself and would be lost with it. Name a place outside of ${home}.`,
    );
  if (existsSync(file))
    throw new SvcError('conflict', `${file} exists. Name another file, or remove it first.`);
  if (!/\.(tar|tgz|tar\.gz)$/.test(basename(file)))
    throw new SvcError(
      'bad-argument',
      `${file} is not the name of a backup: it must end in .tar or .tar.gz.`,
    );
  return file;
}
