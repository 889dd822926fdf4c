import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * What drills upgrade from: the last commit before three migrations of a runner's state and two of the control plane's
 * database. With a release, it becomes the commit of the release before.
 */
const PREVIOUS_COMMIT = '11e830f9cc8c582841673d067d5be1bf1d978c36';

const PACKAGE_ROOT = join(import.meta.dirname, '..', '..', '..');
const CACHE = join(PACKAGE_ROOT, 'node_modules/.cache/svc/previous');
const PARTS = [
  'cli/bin',
  'dist/chunks',
  'dist/cli',
  'dist/cloud',
  'dist/runner',
  'intelligence',
  'package.json',
  'oclif.manifest.json',
];
const ARCHIVE_BYTES = 512 * 1024 * 1024;
/** Longest build, ms: it shares the machine with other tests. */
const BUILD_MS = 600_000;

const hasCommit = (): boolean =>
  spawnSync('git', ['cat-file', '-e', `${PREVIOUS_COMMIT}^{commit}`], { cwd: PACKAGE_ROOT })
    .status === 0;

/** Builds the commit with the packages of this tree, and packs what runs. */
async function buildTarball(tarball: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  // Not below node_modules, where the bundler takes sources for those of a package.
  const draft = mkdtempSync(join(tmpdir(), 'svc-previous-'));
  try {
    const sources = join(draft, 'svc');
    mkdirSync(sources);
    const archive = execFileSync('git', ['archive', PREVIOUS_COMMIT], {
      cwd: PACKAGE_ROOT,
      maxBuffer: ARCHIVE_BYTES,
    });
    execFileSync('tar', ['-x'], { cwd: sources, input: archive });
    symlinkSync(join(PACKAGE_ROOT, 'node_modules'), join(sources, 'node_modules'));
    await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'scripts/build.ts', '--no-ui', '--quiet'],
      { cwd: sources, timeout: BUILD_MS },
    );
    const packed = `${tarball}.${process.pid}`;
    execFileSync('tar', ['-czf', packed, '--exclude=*.map', ...PARTS], { cwd: sources });
    renameSync(packed, tarball);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Unpacks the previous version of svc into a folder below `dir` and resolves with it; null where the history of this
 * clone does not have its commit. It is built once, and kept as a tarball.
 */
export async function unpackPreviousBuild(dir: string): Promise<string | null> {
  if (!hasCommit()) return null;
  const tarball = join(CACHE, `svc-${PREVIOUS_COMMIT}.tgz`);
  if (!existsSync(tarball)) await buildTarball(tarball);
  const root = join(dir, 'svc-previous');
  mkdirSync(root, { recursive: true });
  execFileSync('tar', ['-xzf', tarball], { cwd: root });
  symlinkSync(join(PACKAGE_ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}
