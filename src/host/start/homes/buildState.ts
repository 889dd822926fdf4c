import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { SvcError, toErrorMessage } from '../../../base/errors/errors.ts';
import { syncFolder } from '../../../base/system/files/syncFolder.ts';
import { downloadCheckpoint } from '../../../cloudLink/homes/downloadCheckpoint.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import type { HomeState } from '../../../contract/schema/cloud/home.ts';
import { explainUnusableCopy } from '../../../kernel/sqlite/log/explainUnusableCopy.ts';
import { Database } from '../../../kernel/sqlite/database.ts';
import { migrate } from '../../../kernel/sqlite/migrate.ts';

type HomeCheckpoint = NonNullable<HomeState['checkpoint']>;

const toPackedPath = (stateDb: string): string => `${stateDb}.checkpoint.gz`;
/** In a folder of its own: beside `home.json` a state that is begun looks like one that was lost. */
async function openDraftFolder(stateDb: string): Promise<string> {
  const folder = `${stateDb}.building`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return join(folder, 'state.db');
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync();
  await handle.close();
}

const refuseCheckpoint = (n: number, why: string, cause?: unknown): SvcError =>
  new SvcError(
    'store-failed',
    `The checkpoint of this home at entry ${n} cannot be used: ${why}. Nothing on this machine was changed.`,
    { cause },
  );

/**
 * Fetches the checkpoint and makes a state of it, which is put in the place of `stateDb` by the caller: resolves with
 * its path. A kill leaves what was fetched for the next attempt. Throws SvcError `store-failed` where it is damaged.
 */
export async function buildFromCheckpoint(
  client: HomeClient,
  checkpoint: HomeCheckpoint,
  stateDb: string,
  patience: Patience,
): Promise<string> {
  const packedFile = `${toPackedPath(stateDb)}.${checkpoint.n}-${checkpoint.sha256.slice(0, 8)}`;
  await downloadCheckpoint(client, checkpoint, packedFile, patience);
  const draft = await openDraftFolder(stateDb);
  try {
    await pipeline(
      createReadStream(packedFile),
      createGunzip(),
      createWriteStream(draft, { mode: 0o600, flags: 'wx' }),
    );
  } catch (error) {
    throw refuseCheckpoint(checkpoint.n, toErrorMessage(error), error);
  }
  const problem = explainUnusableCopy(draft, checkpoint);
  if (problem !== null) throw refuseCheckpoint(checkpoint.n, problem);
  await syncFile(draft);
  await rm(packedFile);
  return draft;
}

/** A state without a row, on the schema that the first entries of the log are for; resolves with its path. */
export async function buildEmpty(
  migrations: readonly string[],
  storeVersion: number,
  stateDb: string,
): Promise<string> {
  const draft = await openDraftFolder(stateDb);
  const db = new Database(draft);
  try {
    migrate(db, migrations.slice(0, storeVersion));
  } finally {
    db.close();
  }
  await syncFile(draft);
  return draft;
}

/** Gives a state that was built its place, which must be free. */
export async function placeState(builtFile: string, stateDb: string): Promise<void> {
  await rename(builtFile, stateDb);
  await syncFolder(dirname(stateDb));
  await rm(dirname(builtFile), { recursive: true, force: true });
}
