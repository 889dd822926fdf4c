import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SvcError, toErrorMessage } from '../../../base/errors/errors.ts';
import { syncFolder } from '../../../base/system/files/syncFolder.ts';
import { syncTree } from '../../../base/system/files/syncTree.ts';
import type { LocalPlaces } from '../../../base/system/postgres/localPlaces.ts';
import type { PostgresProgram } from './postgresProgram.ts';

/** The user that owns the database, and the name of the database. */
export const LOCAL_USER = 'svc';
export const LOCAL_DATABASE = 'postgres';
/** Characters of an error of initdb that are shown. */
const SHOWN_CHARS = 500;
/** Longest time that initdb may take, ms. */
const INIT_TIMEOUT_MS = 120_000;

/** Runs a program of PostgreSQL; what it writes on standard error is in the error. */
const runProgram = (
  command: string,
  args: readonly string[],
  { base, runAs }: LocalPlaces,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: base,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: INIT_TIMEOUT_MS,
      ...(runAs === null ? {} : { uid: runAs, gid: runAs }),
    });
    let errorOutput = '';
    child.stderr.on('data', (piece: Buffer) => {
      errorOutput = (errorOutput + piece.toString()).slice(-SHOWN_CHARS);
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(errorOutput.trim() || `it ended with code ${code}`)),
    );
  });

/** Makes a folder for the user that PostgreSQL runs as, mode 0700. */
export async function makePostgresFolder(folder: string, { runAs }: LocalPlaces): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // One that an installation made is open to others.
  await chmod(folder, 0o700);
  if (runAs !== null) await chown(folder, runAs, runAs);
}

/**
 * Makes a new data folder. It gets its name when it is complete: one that was interrupted is made
 * again, and of two that are made at once the first one counts. `name`: of this attempt; `isDurable`:
 * whether it is on the disk before it has its name.
 * @throws SvcError `not-possible-now`
 */
export async function initializeData(
  places: LocalPlaces,
  { folder }: PostgresProgram,
  { password, name, isDurable }: { password: string; name: string; isDurable: boolean },
): Promise<void> {
  const draft = `${places.data}.new-${name}`;
  const passwordDraft = `${draft}.password`;
  try {
    // Not an argument, which every user of the machine could read.
    await writeFile(passwordDraft, `${password}\n`, { mode: 0o600 });
    if (places.runAs !== null) await chown(passwordDraft, places.runAs, places.runAs);
    await runProgram(
      join(folder, 'initdb'),
      [
        `--pgdata=${draft}`,
        `--username=${LOCAL_USER}`,
        `--pwfile=${passwordDraft}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        // Below: it would sync a thousand files in sequence, which takes as long as all the rest.
        '--no-sync',
      ],
      places,
    );
    if (isDurable) await syncTree(draft);
    await rename(draft, places.data);
    if (isDurable) await syncFolder(places.base);
  } catch (error) {
    // The other start, which may have removed this draft as well.
    if (existsSync(places.data)) return;
    throw new SvcError(
      'not-possible-now',
      `PostgreSQL could not make a database in ${places.data}: ${toErrorMessage(error)}`,
      { cause: error },
    );
  } finally {
    await removeDrafts(places, name);
  }
}

/** Removes what attempts to make the data left. `name`: of one attempt; null = of all. */
export async function removeDrafts(
  { base, data }: LocalPlaces,
  name: string | null,
): Promise<void> {
  const start = `${basename(data)}.new-${name ?? ''}`;
  for (const entry of await readdir(base))
    if (entry.startsWith(start)) await rm(join(base, entry), { recursive: true, force: true });
}
