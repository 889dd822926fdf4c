import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '../../base/errors/findErrorCode.ts';

/** A backup that the runner of a home wrote by itself. */
export interface OwnBackup {
  file: string;
  /** Epoch ms, from its name. */
  at: number;
}

/** Leaves out backups of other homes in the same folder, and those that a person wrote. */
const toPrefix = (homeId: string): string => `svc-backup-${homeId}-`;

/** `svc-backup-<id of the home>-20261124-053000.tar.gz`, in UTC. */
export function nameOwnBackup(homeId: string, at: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().replaceAll(/[-:]/g, '').split(/[T.]/);
  return `${toPrefix(homeId)}${day}-${time}.tar.gz`;
}

function parseBackupTime(name: string, homeId: string): number | null {
  const prefix = toPrefix(homeId);
  if (!name.startsWith(prefix)) return null;
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)\.tar\.gz$/.exec(name.slice(prefix.length));
  if (parts === null) return null;
  const [year = 0, month = 0, ...rest] = parts.slice(1).map(Number);
  const at = Date.UTC(year, month - 1, ...rest);
  return Number.isFinite(at) ? at : null;
}

/** Newest first; none where the folder does not exist. Rejects with the error of the system for one that cannot be read. */
export async function listOwnBackups(folder: string, homeId: string): Promise<OwnBackup[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissingFile(error)) return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const at = parseBackupTime(name, homeId);
      return at === null ? [] : [{ file: join(folder, name), at }];
    })
    .sort((a, b) => b.at - a.at);
}

/** Removes all but the newest; answers those that were removed. */
export async function removeOldBackups(
  folder: string,
  homeId: string,
  copies: number,
): Promise<OwnBackup[]> {
  const old = (await listOwnBackups(folder, homeId)).slice(copies);
  for (const { file } of old) await rm(file, { force: true });
  return old;
}
