import { execFile } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { OLDEST_POSTGRES } from '../migrate.ts';
import type { PostgresProgram } from './postgresProgram.ts';

/** Longest wait for `postgres --version`, ms: a busy machine takes seconds for the first process of a program. */
const VERSION_TIMEOUT_MS = 30_000;

/** Folders whose folders are installations: Debian and its kin, Red Hat's, Homebrew on its three places. */
const INSTALLATIONS: readonly (readonly [folder: string, name: RegExp])[] = [
  ['/usr/lib/postgresql', /^\d+$/],
  ['/usr', /^pgsql-\d+$/],
  ['/opt/homebrew/opt', /^postgresql(?:@\d+)?$/],
  ['/usr/local/opt', /^postgresql(?:@\d+)?$/],
  ['/home/linuxbrew/.linuxbrew/opt', /^postgresql(?:@\d+)?$/],
];

function listInstallations(): string[] {
  return INSTALLATIONS.flatMap(([folder, name]) => {
    try {
      return readdirSync(folder)
        .filter((entry) => name.test(entry))
        .map((entry) => join(folder, entry, 'bin'));
    } catch {
      return [];
    }
  });
}

/** The folder of a program, past links such as /usr/local/bin/postgres; null = it is not there. */
function resolveProgramFolder(folder: string): string | null {
  try {
    const programFolder = dirname(realpathSync(join(folder, 'postgres')));
    return existsSync(join(programFolder, 'initdb')) ? programFolder : null;
  } catch {
    return null;
  }
}

const readVersion = (folder: string): Promise<string | null> =>
  new Promise((resolve) => {
    const options = { timeout: VERSION_TIMEOUT_MS, env: { LC_ALL: 'C' } };
    execFile(join(folder, 'postgres'), ['--version'], options, (error, out) =>
      resolve(error ? null : (/\d+(?:\.\d+)*/.exec(out)?.[0] ?? null)),
    );
  });

/**
 * Every PostgreSQL on this machine that svc can use, the newest first: in `path` (the variable PATH),
 * where systems install it, and in `further` folders.
 */
export async function findPostgres(
  path: string,
  further: readonly string[] = [],
): Promise<PostgresProgram[]> {
  const places = [...further, ...path.split(delimiter).filter(Boolean), ...listInstallations()];
  const folders = new Set(places.flatMap((place) => resolveProgramFolder(place) ?? []));
  const installations = await Promise.all(
    [...folders].map(async (folder) => {
      const version = await readVersion(folder);
      return version === null ? [] : [{ folder, version, major: Number.parseInt(version, 10) }];
    }),
  );
  return installations
    .flat()
    .filter(({ major }) => major >= OLDEST_POSTGRES)
    .sort((a, b) => b.major - a.major);
}
