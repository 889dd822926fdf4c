import { constants, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { uptime } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { type Program, readProgramAt } from './program.ts';

/** Most programs that a home keeps, including the running one; those used longest ago are removed. */
export const KEPT_PROGRAMS = 3;
/** Of a package with native parts, the folder with a build for each platform. */
const PREBUILDS = 'prebuilds';

const toProgramsDir = (home: string): string => join(home, 'programs');

/** Whether the program was installed by npm, which may replace its files at any time. */
export const isInstalledByNpm = (root: string): boolean => root.split(sep).includes('node_modules');

/** Where node finds a package from a folder; null = it is not installed. */
function findPackageDir(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const packageDir = join(folder, 'node_modules', name);
    if (existsSync(join(packageDir, 'package.json'))) return packageDir;
    if (dirname(folder) === folder) return null;
  }
}

async function readDependencyNames(root: string): Promise<string[]> {
  const { dependencies } = Object(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  return Object.keys(Object(dependencies));
}

/** The packages that a program needs at run time, and what those need: name → folder. */
async function collectNeededPackages(root: string): Promise<Map<string, string>> {
  const packageDirs = new Map<string, string>();
  const queue = (await readDependencyNames(root)).map((name) => ({ name, from: root }));
  for (let next = queue.pop(); next; next = queue.pop()) {
    const folder = findPackageDir(next.name, next.from);
    if (folder === null || packageDirs.has(next.name)) continue;
    packageDirs.set(next.name, folder);
    for (const name of await readDependencyNames(folder)) queue.push({ name, from: folder });
  }
  return packageDirs;
}

/** Copies a package without what it brings along, and of its native builds only this platform's. */
async function copyPackage(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    preserveTimestamps: true,
    // Where the file system can, both share their blocks.
    mode: constants.COPYFILE_FICLONE,
    filter(file) {
      const parts = relative(from, file).split(sep);
      const at = parts.indexOf(PREBUILDS);
      const platform = at === -1 ? undefined : parts[at + 1];
      return (
        !parts.includes('node_modules') &&
        (platform === undefined || platform === `${process.platform}-${process.arch}`)
      );
    },
  });
}

/**
 * A copy from before the last start of the machine may be cut: it may not have been on the disk when
 * the power failed. Its files are few: it is made again.
 */
async function isFromThisUptime(copy: string): Promise<boolean> {
  const madeAt = (await stat(copy).catch(() => null))?.ctimeMs ?? 0;
  return madeAt > Date.now() - uptime() * 1000;
}

async function copyProgram(program: Program, to: string): Promise<void> {
  const draft = join(dirname(to), `.${basename(to)}.${process.pid}`);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    await copyPackage(program.root, draft);
    for (const [name, folder] of await collectNeededPackages(program.root))
      await copyPackage(folder, join(draft, 'node_modules', name));
    await rm(to, { recursive: true, force: true });
    await rename(draft, to);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * The folder that an installed program is run from: its copy in the home, made where it is missing.
 * npm replaces the files of a package, and a runner loads some of its own only when it needs them; and
 * where a newer program is not healthy, this one has to be there still. A program that was not
 * installed, such as a clone, is run where it is. So is one that cannot be copied: `problem` says why.
 */
export async function keepProgramCopy(
  home: string,
  root: string,
  problem: (text: string) => void,
): Promise<string> {
  if (!isInstalledByNpm(root)) return root;
  try {
    const program = await readProgramAt(root);
    const copy = join(toProgramsDir(home), `${program.version}-${program.build}`);
    if (!(await isFromThisUptime(copy))) await copyProgram(program, copy);
    const now = new Date();
    await utimes(copy, now, now);
    return copy;
  } catch (error) {
    problem(`svc runs from ${root}, because no copy of it could be made: ${toErrorMessage(error)}`);
    return root;
  }
}

export async function prunePrograms(home: string, keep: readonly string[]): Promise<void> {
  const dir = toProgramsDir(home);
  const names = await readdir(dir).catch(() => []);
  const keptCopies = await Promise.all(
    names
      .filter((name) => !name.startsWith('.'))
      .map(async (name) => ({ path: join(dir, name), at: (await stat(join(dir, name))).mtimeMs })),
  );
  keptCopies.sort(
    (a, b) => Number(keep.includes(b.path)) - Number(keep.includes(a.path)) || b.at - a.at,
  );
  for (const { path } of keptCopies.slice(KEPT_PROGRAMS))
    await rm(path, { recursive: true, force: true });
}
