import { spawn } from 'node:child_process';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import type { LocalPlaces } from './localPlaces.ts';
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
    let said = '';
    child.stderr.on('data', (piece: Buffer) => {
      said = (said + piece.toString()).slice(-SHOWN_CHARS);
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(said.trim() || `it ended with code ${code}`)),
    );
  });

/** Makes a folder for the user that PostgreSQL runs as, mode 0700. */
export async function makePostgresFolder(folder: string, { runAs }: LocalPlaces): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (runAs !== null) await chown(folder, runAs, runAs);
}

/**
 * Makes a new data folder. It has its name only when it is whole: one that was interrupted is made
 * again. `more`: further arguments of initdb.
 * @throws SvcError `not-possible-now`
 */
export async function initializeData(
  places: LocalPlaces,
  { folder }: PostgresProgram,
  password: string,
  more: readonly string[],
): Promise<void> {
  const draft = `${places.data}.new`;
  const given = join(places.base, 'initial-password');
  await rm(draft, { recursive: true, force: true });
  try {
    // Not an argument, which every user of the machine could read.
    await writeFile(given, `${password}\n`, { mode: 0o600 });
    if (places.runAs !== null) await chown(given, places.runAs, places.runAs);
    await runProgram(
      join(folder, 'initdb'),
      [
        ...['--pgdata', draft, '--username', LOCAL_USER, '--pwfile', given],
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C'],
        ...['--no-instructions', ...more],
      ],
      places,
    );
    await rename(draft, places.data);
  } catch (error) {
    throw new SvcError(
      'not-possible-now',
      `PostgreSQL could not make a database in ${places.data}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  } finally {
    await rm(given, { force: true });
  }
}
