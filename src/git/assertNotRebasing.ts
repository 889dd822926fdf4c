import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { quotePosixWord } from '../base/text/quotePosixWord.ts';
import { SvcError } from '../base/errors/errors.ts';
import type { Repository } from './openRepository.ts';

/** What git keeps of a rebase; `rebase-apply` is that of the older kind and of `git am`. */
const REBASE_FOLDERS = ['rebase-merge', 'rebase-apply'];

/**
 * Throws SvcError `conflict` while a person rebases the branch in a working tree. The branch is not
 * checked out there meanwhile, and git gives up at the end of the rebase when another program has
 * moved it.
 */
export async function assertNotRebasing(
  { path, gitDir }: Repository,
  branch: string,
): Promise<void> {
  const linked = join(gitDir, 'worktrees');
  const names = await readdir(linked).catch(() => []);
  for (const ownGitDir of [gitDir, ...names.map((name) => join(linked, name))]) {
    for (const folder of REBASE_FOLDERS) {
      if ((await readLine(join(ownGitDir, folder, 'head-name'))) !== `refs/heads/${branch}`)
        continue;
      const dir = ownGitDir === gitDir ? path : dirname(await readLine(join(ownGitDir, 'gitdir')));
      const git = `git -C ${quotePosixWord(dir)} rebase`;
      throw new SvcError(
        'conflict',
        `${branch} is being rebased in ${dir}. End the rebase (${git} --continue) or take it back (${git} --abort), then merge again.`,
      );
    }
  }
}

const readLine = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8').catch(() => '')).trim();
