import { mkdir, readdir, readFile, stat, writeFile, rm } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { SvcError } from '../base/errors/errors.ts';
import type { RunNpm } from './npm.ts';
import { readPackageJson } from './packageJson.ts';
import { checkTree, unpack } from './unpack.ts';

const LISTS = ['dependencies', 'optionalDependencies', 'peerDependencies'];
/** A version range, a tag, or another registry name with one; no URL and no path. */
const OF_REGISTRY = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+(?:@|$))?[\w\s.^~<>=|*+-]*$/;
/**
 * Files in which a package says where its dependencies come from. npm reads them whatever
 * package.json says.
 */
const LOCK_FILES = [
  'npm-shrinkwrap.json',
  'package-lock.json',
  join('node_modules', '.package-lock.json'),
];

const staysInPackage = (place: string): boolean =>
  !isAbsolute(place) && !/^[~\\]/.test(place) && normalize(place).split(sep)[0] !== '..';

function isAllowedDependency(dependency: unknown, isFolder: boolean): boolean {
  if (typeof dependency !== 'string') return false;
  return dependency.startsWith('file:')
    ? isFolder || staysInPackage(dependency.slice('file:'.length))
    : OF_REGISTRY.test(dependency);
}

/**
 * Makes sure that npm gets the dependencies only from the user's registry or from the package
 * itself. Removes lock files of the package. `isFolder`: the package comes from the user's own
 * folder, which may name other folders. Throws SvcError `invalid` for dependencies from git, the
 * web or an outside folder.
 */
async function checkPackageDependencies(dir: string, isFolder: boolean): Promise<void> {
  await Promise.all(LOCK_FILES.map((name) => rm(join(dir, name), { force: true })));
  const json: Record<string, unknown> = Object(
    JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')),
  );
  const refusedDependency = LISTS.flatMap((list) => Object.entries(Object(json[list]))).find(
    ([, source]) => !isAllowedDependency(source, isFolder),
  );
  if (refusedDependency === undefined) return;
  const [name, refusedSource] = refusedDependency;
  throw new SvcError(
    'invalid',
    `The package depends on ${JSON.stringify(name)} from ${JSON.stringify(String(refusedSource).slice(0, 200))}, which is not the npm registry. npm would run git or its programs. Install it with --allow-scripts if you trust it.`,
  );
}

/** A name of the npm registry, perhaps with a scope, a version or a tag; no git or web address. */
const REGISTRY_NAME =
  /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(?:@[A-Za-z0-9^~][A-Za-z0-9.^~+_-]*)?$/;

export interface WantedPackage {
  /** A name of the npm registry, or the absolute path of a folder or a packed tarball. */
  spec: string;
  /** Default false: scripts of the package and its dependencies do not run. */
  allowScripts?: boolean;
}

/** Packs a folder or fetches a package into `dir`; returns the tarball. */
async function obtainTarball(npm: RunNpm, spec: string, dir: string): Promise<string> {
  if (isAbsolute(spec)) {
    const stats = await stat(spec).catch(() => null);
    if (!stats)
      throw new SvcError(
        'not-found',
        `The folder or tarball ${spec} does not exist on the machine that installs it.`,
      );
    if (stats.isFile()) return spec;
    // npm's own message about a broken file is long and names no place.
    await readPackageJson(spec, join(spec, 'package.json'));
  } else if (!REGISTRY_NAME.test(spec)) {
    throw new SvcError(
      'bad-argument',
      `${JSON.stringify(spec)} cannot be installed. Give a name of the npm registry (name, @scope/name, name@1.2.3), or the absolute path of a folder or a .tgz file.`,
    );
  }
  await npm(['pack', '--ignore-scripts', '--pack-destination', dir, '--', spec], dir);
  const [tarball] = (await readdir(dir)).filter((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new SvcError('invalid', `npm packed no package for ${spec}.`);
  return join(dir, tarball);
}

/** Does not exist, so that a nested git dependency fails instead of running something. */
const NO_GIT = 'svc-runs-no-git-for-packages';
/** Overrides every npm configuration file. */
const SHELL = process.platform === 'win32' ? [] : ['--script-shell=/bin/sh'];

/** Scripts that npm runs for a dependency. `prepare` and the like are for its author's machine. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

/**
 * Reduces the package's folder to what npm would install as a dependency. Otherwise npm would look
 * at the author's dev dependencies, and refuse all for a conflict among them.
 */
async function trimToDependency(dir: string): Promise<void> {
  const file = join(dir, 'package.json');
  const {
    devDependencies: _,
    workspaces: __,
    overrides: ___,
    scripts,
    ...kept
  } = JSON.parse(await readFile(file, 'utf8'));
  const ours = Object.entries(Object(scripts)).filter(([name]) => INSTALL_SCRIPTS.includes(name));
  await writeFile(
    file,
    `${JSON.stringify({ ...kept, scripts: Object.fromEntries(ours) }, null, 2)}\n`,
  );
}

/**
 * Puts a package with its dependencies into a folder below `staging`, which the caller removes.
 * Checks every archive entry before writing the first. `check` is called before npm fetches
 * dependencies and again with the files on disk, and throws to refuse the package.
 */
export async function stagePackage<Found extends { needsNpm: boolean }>(
  npm: RunNpm,
  staging: string,
  { spec, allowScripts = false }: WantedPackage,
  check: (dir: string) => Promise<Found>,
): Promise<{ dir: string; found: Found }> {
  const packedDir = join(staging, 'packed');
  const dir = join(staging, 'package');
  await mkdir(packedDir, { recursive: true, mode: 0o700 });
  await unpack(await obtainTarball(npm, spec, packedDir), dir);
  const checkedPackage = await check(dir);
  if (!checkedPackage.needsNpm && !allowScripts) return { dir, found: checkedPackage };
  await trimToDependency(dir);
  if (!allowScripts)
    await checkPackageDependencies(dir, isAbsolute(spec) && (await stat(spec)).isDirectory());
  const scripts = allowScripts ? ['--git=git'] : ['--ignore-scripts', `--git=${NO_GIT}`];
  // --install-links: a dependency on a folder is copied, not linked.
  await npm(
    [
      'install',
      '--omit=dev',
      '--no-package-lock',
      '--no-bin-links',
      '--install-links',
      ...SHELL,
      ...scripts,
    ],
    dir,
  );
  await checkTree(dir);
  return { dir, found: await check(dir) };
}
