import { lstat } from 'node:fs/promises';
import { hasLfsContents, listLfsPointers } from './contents/lfsPointers.ts';
import type { GitRunner } from './loadObjects.ts';
import { splitFields, toRawPathBytes } from './rawPaths.ts';

const MAX_LIST_BYTES = 256 * 1024 * 1024;

/** The raw paths of submodules in an index. */
export async function listSubmodulePaths(git: GitRunner): Promise<string[]> {
  const { stdout } = await git(['ls-files', '--stage', '-z'], {
    encoding: 'latin1',
    maxBytes: MAX_LIST_BYTES,
  });
  return splitFields(stdout).flatMap((line) => /^160000 \S+ \d\t(.+)$/s.exec(line)?.[1] ?? []);
}

/** Whether a repository, or anything that calls itself so, is at this path of a checkout. */
export const isRepositoryAt = (checkoutDir: string, raw: string): Promise<boolean> =>
  lstat(toRawPathBytes(`${Buffer.from(checkoutDir).toString('latin1')}/${raw}/.git`)).then(
    () => true,
    () => false,
  );

/** Files that have the contents of their pointers. Those that git knows to be unchanged are not read. */
async function listUnchangedLfsFiles(git: GitRunner, checkoutDir: string): Promise<string[]> {
  const pointers = await listLfsPointers(git);
  if (pointers.length === 0) return [];
  const { stdout } = await git(['diff-files', '--name-only', '-z', '--ignore-submodules=all'], {
    encoding: 'latin1',
    maxBytes: MAX_LIST_BYTES,
  });
  const touchedPaths = new Set(splitFields(stdout));
  const unchanged: string[] = [];
  for (const pointer of pointers)
    if (touchedPaths.has(pointer.path) && (await hasLfsContents(checkoutDir, pointer)))
      unchanged.push(pointer.path);
  return unchanged;
}

/**
 * `git add --all` for the files of a checkout, in an index that is not the checkout's own. A repository at the
 * place of a submodule is passed over: git would run `git status` in it, and so the filters that its own
 * configuration names. A file that has the contents of its Git LFS pointer stays that pointer, without a filter.
 */
export async function stageAllFiles(git: GitRunner, checkoutDir: string): Promise<void> {
  const repositories: string[] = [];
  for (const path of await listSubmodulePaths(git))
    if (await isRepositoryAt(checkoutDir, path)) repositories.push(path);
  const skippedPaths = [...repositories, ...(await listUnchangedLfsFiles(git, checkoutDir))];
  if (skippedPaths.length > 0)
    await git(['update-index', '-z', '--skip-worktree', '--stdin'], {
      input: toRawPathBytes(skippedPaths.map((path) => `${path}\0`).join('')),
    });
  await git(['add', '--all', '--sparse', '--', '.']);
}
