import { quotePosixWord } from '../base/text/quotePosixWord.ts';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { RepositoryProblem } from './examineRepository.ts';
import { readFilterAttributes } from './readFilterAttributes.ts';
import { runGit } from './runGit.ts';
import { readPersonSettings } from './readPersonSettings.ts';
import { splitFields } from './rawPaths.ts';
import { openRepository } from './openRepository.ts';
import { listWorkTreesOn } from './listWorkTreesOn.ts';

/** Older locks do not belong to a running git, ms. */
const OLD_LOCK_MS = 10 * 60_000;

/** Problems that jobs do not have with a repository but its owner will. Never rejects. */
export async function adviseRepository(
  path: string,
  branch: string,
  now: number,
): Promise<RepositoryProblem[]> {
  const repositoryProblems: RepositoryProblem[] = [];
  try {
    const { gitDir } = openRepository(path);
    const owner = statSync(gitDir).uid;
    if (owner !== process.getuid?.())
      repositoryProblems.push({
        problem: `${path} belongs to the user ${owner}, and the runner runs as ${process.getuid?.()}: the owner may not be able to change what the runner writes there.`,
        fix: `Run the runner as the owner, or give the repository to its user: chown -R "$(id -u)" ${quotePosixWord(path)}`,
      });
    for (const name of ['index', 'HEAD', 'packed-refs', `refs/heads/${branch}`]) {
      const lock = join(gitDir, `${name}.lock`);
      const lockStats = statSync(lock, { throwIfNoEntry: false });
      if (lockStats && now - lockStats.mtimeMs > OLD_LOCK_MS)
        repositoryProblems.push({
          problem: `${lock} is left over from a git process that was killed; it blocks merges.`,
          fix: `If no git is running there: rm ${quotePosixWord(lock)}`,
        });
    }
    const lfs = await checkLfs(path, branch);
    if (lfs !== null) repositoryProblems.push(lfs);
  } catch {
    // Reported by the check for jobs.
  }
  return repositoryProblems;
}

async function checkLfs(path: string, branch: string): Promise<RepositoryProblem | null> {
  const repository = openRepository(path);
  const [tree] = await listWorkTreesOn(repository, branch);
  if (tree === undefined) return null;
  const inRepository: typeof runGit = (args, options) =>
    runGit(['--git-dir', repository.gitDir, ...args], options);
  const { stdout } = await inRepository(['ls-tree', '-r', '-z', '--name-only', branch], {
    encoding: 'latin1',
    cutOutput: true,
  });
  const filters = await readFilterAttributes(inRepository, branch, splitFields(stdout));
  if (![...filters.values()].includes('lfs')) return null;
  const settings = await readPersonSettings({ ...tree, gitDir: repository.gitDir });
  return settings.hasCommands('lfs')
    ? null
    : {
        problem: `${path} has files of Git LFS, and git has no filter for them under the runner's user: whole files would be committed instead of pointers.`,
        fix: 'Install git-lfs, then run: git lfs install',
      };
}
