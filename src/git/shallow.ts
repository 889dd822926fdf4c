import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from './runGit.ts';

/** Largest file `shallow` that is read: 4 MiB. */
const MAX_SHALLOW_BYTES = 4 * 1024 * 1024;

/**
 * The commits at which the history of a repository is cut (`git clone --depth`); empty = it is
 * complete. No link is followed.
 */
export async function readShallow(gitDir: string): Promise<string[]> {
  const file = join(gitDir, 'shallow');
  const stats = await lstat(file).catch(() => null);
  if (!stats?.isFile() || stats.size > MAX_SHALLOW_BYTES) return [];
  const text = await readFile(file, 'latin1').catch(() => '');
  return text.split('\n').filter((line) => /^[0-9a-f]{40}$/.test(line));
}

/**
 * Cuts the history of the repository `to` where those of the others are cut: it borrows their
 * objects, and git would look for missing parents. Answers whether any of them is cut.
 */
export async function copyShallow(from: readonly string[], to: string): Promise<boolean> {
  const cut = new Set((await Promise.all(from.map(readShallow))).flat());
  if (cut.size > 0) await writeFile(join(to, 'shallow'), [...cut, ''].join('\n'));
  return cut.size > 0;
}

/** Whether a repository has each commit at which the history of the other is cut. */
export async function hasWhatIsCut(gitDir: string, other: string): Promise<boolean> {
  const cut = await readShallow(other);
  if (cut.length === 0) return true;
  const { stdout } = await runGit(['--git-dir', gitDir, 'cat-file', '--batch-check'], {
    input: cut.map((commit) => `${commit}\n`).join(''),
  });
  return !/ missing$/m.test(stdout);
}
