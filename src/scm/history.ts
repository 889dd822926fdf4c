import { SvcError } from '../lib/errors.ts';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/*
 * Questions about the history go to the git program: isomorphic-git walks to the root commit for a merge base, git has
 * generation numbers.
 */

const inRepository = ({ gitDir }: Repository, args: readonly string[], options: Parameters<typeof runGit>[1] = {}) =>
  runGit(['--git-dir', gitDir, ...args], options);

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** True when `commit` is `descendant` or one of its ancestors. */
export const isAncestor = async (repository: Repository, commit: string, descendant: string): Promise<boolean> =>
  (await inRepository(repository, ['merge-base', '--is-ancestor', commit, descendant], { answers: [1] })).exitCode === 0;

/** Best common ancestors: none for unrelated histories, several after criss-cross merges. */
export const mergeBases = async (repository: Repository, one: string, other: string): Promise<string[]> =>
  linesOf((await inRepository(repository, ['merge-base', '--all', one, other], { answers: [1] })).stdout);

/** Number of commits that `head` has and `base` has not. */
export const commitsBeyond = async (repository: Repository, base: string, head: string): Promise<number> =>
  Number((await inRepository(repository, ['rev-list', '--count', `${base}..${head}`])).stdout.trim());

/** The oldest merge commit in `base` that has `head` as its second (or later) parent. */
export async function mergeCommitOf(repository: Repository, head: string, base: string): Promise<string | undefined> {
  const { stdout } = await inRepository(repository, ['rev-list', '--merges', '--parents', '--reverse', '--ancestry-path', `${head}..${base}`]);
  return linesOf(stdout)
    .map((line) => line.split(' '))
    .find(([, , ...others]) => others.includes(head))?.[0];
}

/** The newest merge commit made in `base` at `sinceMs` or later whose message has this line. */
export async function mergeCommitWithLine(repository: Repository, base: string, line: string, sinceMs: number): Promise<string | undefined> {
  const since = Math.floor(sinceMs / 1000) - 1;
  const { stdout } = await inRepository(repository, [
    'log', '--first-parent', '--merges', '--fixed-strings', `--grep=${line}`, `--since=@${since}`, '-z', '--format=%H%n%B', base,
  ]);
  const commits = stdout.split('\0').map((text) => text.trim().split('\n'));
  return commits.find(([, ...message]) => message.includes(line))?.[0];
}

/** Moves a branch from `from` to `to`; throws SvcError `conflict` when it does not stand at `from` any more. */
export async function moveBranch(repository: Repository, branch: string, from: string, to: string, reason: string): Promise<void> {
  const { exitCode, stderr } = await inRepository(
    repository,
    ['update-ref', '-m', reason, `refs/heads/${branch}`, to, from],
    { answers: [1, 128] },
  );
  if (exitCode !== 0) throw new SvcError('conflict', `Branch ${branch} was changed by somebody else meanwhile; try again. (${stderr.trim()})`);
}
