import { lstat } from 'node:fs/promises';
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

/**
 * `git add --all` for the files of a checkout, in an index that is not the checkout's own. A repository at the
 * place of a submodule is passed over: git would run `git status` in it, and so the filters that its own
 * configuration names.
 */
export async function stageAllFiles(git: GitRunner, checkoutDir: string): Promise<void> {
  const repositories: string[] = [];
  for (const path of await listSubmodulePaths(git))
    if (await isRepositoryAt(checkoutDir, path)) repositories.push(path);
  if (repositories.length > 0)
    await git(['update-index', '-z', '--skip-worktree', '--stdin'], {
      input: toRawPathBytes(repositories.map((path) => `${path}\0`).join('')),
    });
  await git(['add', '--all', '--sparse', '--', '.']);
}
