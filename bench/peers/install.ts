import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Newest packages that run on the oldest Node of svc; graphile-worker 0.18 needs Node 22. */
export const PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bullmq: { bullmq: '6.7.0', ioredis: '6.0.0' },
  restate: {
    '@restatedev/restate-server': '1.7.12',
    '@restatedev/restate-sdk': '1.17.2',
    '@restatedev/restate-sdk-clients': '1.17.2',
  },
  dbos: { '@dbos-inc/dbos-sdk': '5.3.0' },
  graphile: { 'graphile-worker': '0.17.3' },
};

const INSTALL_MS = 600_000;

/** Where the packages of a peer are installed: outside of the tree. */
export const packagesFolder = (name: string): string =>
  join(homedir(), '.cache', 'svc-peers', name);

const installedVersion = (folder: string, name: string): string | null => {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null;
};

/** Installs what is missing of a peer's packages, without running their scripts. */
export function install(name: string, note: (line: string) => void): void {
  const packages = PACKAGES[name] ?? {};
  const folder = packagesFolder(name);
  const missing = () =>
    Object.entries(packages).filter(
      ([packageName, version]) => installedVersion(folder, packageName) !== version,
    );
  if (missing().length === 0) return;
  note(`installing ${Object.keys(packages).join(', ')} in ${folder}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: packages }),
  );
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  const { stderr, error } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_MS,
  });
  const [first] = missing();
  if (!first) return;
  const why =
    error?.message ?? (stderr.trim().split('\n').slice(-3).join(' ') || 'npm says nothing');
  throw new Error(`${first.join('@')} could not be installed in ${folder}: ${why}`);
}
