import { chown, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePostgresFolder } from './initializeData.ts';
import type { LocalPlaces } from '../../../base/system/postgres/localPlaces.ts';

/** Longest path of a socket, bytes: systems allow 103 or 107. */
export const MOST_SOCKET_BYTES = 99;
const SOCKET_NAME = '.s.PGSQL.5432';
/** PostgreSQL takes a list of folders with commas, and quotes in it. */
const PLAIN_PATH = /^[\w./-]+$/;

export interface SocketFolder {
  path: string;
  /** Removes it where it was made for this start. */
  remove(): Promise<void>;
}

const canHoldSocket = (folder: string): boolean =>
  PLAIN_PATH.test(folder) && Buffer.byteLength(join(folder, SOCKET_NAME)) <= MOST_SOCKET_BYTES;

/** A private folder for the socket, mode 0700: beside the data, or where that path is too long, below the folder for temporary files. */
export async function openSocketFolder(places: LocalPlaces): Promise<SocketFolder> {
  const beside = join(places.base, 'socket');
  if (canHoldSocket(beside)) {
    await makePostgresFolder(beside, places);
    return { path: beside, remove: async () => {} };
  }
  const temporary = [tmpdir(), '/tmp'].find((folder) =>
    canHoldSocket(join(folder, 'svc-cloud-XXXXXX')),
  );
  const path = await realpath(await mkdtemp(join(temporary ?? '/tmp', 'svc-cloud-')));
  if (places.runAs !== null) await chown(path, places.runAs, places.runAs);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
