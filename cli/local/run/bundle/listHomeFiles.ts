import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { runGit } from '../../../../src/git/runGit.ts';

/** The files of a home that belong to its job: not configuration, rules, token or installed programs. */
const PARTS = ['state.db', 'state.db-wal', 'blobs', 'work'];

/** Folders in that of a job that are the agent's own: caches, and logins of its program. */
const AGENTS_OWN = new Set(['home', 'tmp']);

const existsOrIsLink = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null)) !== null;

/** All files and links below a folder, or the file itself, as paths below `root`. */
async function* walkFilesBelow(root: string, path: string): AsyncGenerator<string> {
  const found = await lstat(join(root, path)).catch(() => null);
  if (found === null) return;
  if (!found.isDirectory()) {
    if (found.isFile() || found.isSymbolicLink()) yield path;
    return;
  }
  for (const name of (await readdir(join(root, path))).sort())
    yield* walkFilesBelow(root, join(path, name));
}

/** A checkout: its repository, and what git does not ignore. What is ignored can be made again. */
async function* walkCheckout(root: string, path: string): AsyncGenerator<string> {
  yield* walkFilesBelow(root, join(path, '.git'));
  const { stdout } = await runGit(
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: join(root, path) },
  );
  const names = new Set(stdout.split('\0').filter(Boolean));
  for (const name of [...names].sort()) yield* walkFilesBelow(root, join(path, name));
}

async function* walkJobFolder(root: string, path: string): AsyncGenerator<string> {
  for (const name of (await readdir(join(root, path)).catch(() => [])).sort()) {
    if (AGENTS_OWN.has(name)) continue;
    const inside = join(path, name);
    yield* (await existsOrIsLink(join(root, inside, '.git')))
      ? walkCheckout(root, inside)
      : walkFilesBelow(root, inside);
  }
}

/** The files of a stopped home that a bundle may hold, as paths with slashes below it, sorted. */
export async function listHomeFiles(home: string): Promise<string[]> {
  const found: string[] = [];
  for (const part of PARTS) {
    if (part !== 'work') for await (const path of walkFilesBelow(home, part)) found.push(path);
    else
      for (const job of (await readdir(join(home, part)).catch(() => [])).sort())
        for await (const path of walkJobFolder(home, join(part, job))) found.push(path);
  }
  return found.map((path) => relative('', path).split(sep).join('/'));
}
