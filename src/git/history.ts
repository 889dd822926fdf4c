import { SvcError } from '../base/errors/errors.ts';
import { cleanStderr, explainGitProblem } from './explainGitProblem.ts';
import { runGit } from './runGit.ts';
import { readPlainRef } from './readPlainRef.ts';
import type { Repository } from './openRepository.ts';

const runInRepository = (
  { gitDir }: Repository,
  args: readonly string[],
  options: Parameters<typeof runGit>[1] = {},
) => runGit(['--git-dir', gitDir, ...args], options);

const splitGitLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

export const isAncestor = async (
  repository: Repository,
  commit: string,
  descendant: string,
): Promise<boolean> =>
  (
    await runInRepository(repository, ['merge-base', '--is-ancestor', commit, descendant], {
      answers: [1],
    })
  ).exitCode === 0;

/** Whether the repository has this commit; git may have removed one that no branch leads to. */
export const hasCommit = async (repository: Repository, commit: string): Promise<boolean> =>
  (
    await runInRepository(repository, ['cat-file', '-e', `${commit}^{commit}`], {
      answers: [1, 128],
    })
  ).exitCode === 0;

/**
 * The newest commit of `base` beyond `commit` whose message names `commit` in full, as `git merge
 * --squash` and `git cherry-pick -x` write it.
 */
export const findNamingCommit = async (
  repository: Repository,
  base: string,
  commit: string,
): Promise<string | undefined> => {
  const args = ['log', '-1', '--no-merges', '--fixed-strings', `--grep=${commit}`, '--format=%H'];
  const { stdout } = await runInRepository(repository, [...args, `${commit}..${base}`]);
  return stdout.trim() || undefined;
};

/** Best common ancestors: none for unrelated histories, several after criss-cross merges. */
export const findMergeBases = async (
  repository: Repository,
  one: string,
  other: string,
): Promise<string[]> =>
  splitGitLines(
    (await runInRepository(repository, ['merge-base', '--all', one, other], { answers: [1] }))
      .stdout,
  );

/** The commit of every branch, by the branch's name; one git run. */
const readAllBranches = async (repository: Repository): Promise<Map<string, string>> => {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads'];
  return new Map(
    splitGitLines((await runInRepository(repository, args)).stdout).map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(space + 1 + 'refs/heads/'.length), line.slice(0, space)] as const;
    }),
  );
};

/** Most branches that are read one by one; above it, one git run is faster. */
export const MAX_SINGLE_READS = 16;

/**
 * The commits of these branches, by the branch's name; those that do not exist are not in it. No git
 * run for up to {@link MAX_SINGLE_READS} plain ones, else one for any number of them.
 */
export async function findBranches(
  repository: Repository,
  names: Iterable<string>,
): Promise<Map<string, string>> {
  const wantedNames = new Set(names);
  const commits = new Map<string, string>();
  for (const name of wantedNames.size > MAX_SINGLE_READS ? [] : wantedNames) {
    const commit = await readPlainRef(repository.gitDir, `refs/heads/${name}`);
    if (commit === undefined) break;
    commits.set(name, commit);
  }
  if (commits.size === wantedNames.size) return commits;
  const all = await readAllBranches(repository);
  return new Map([...all].filter(([branch]) => wantedNames.has(branch)));
}

export const countCommitsBeyond = async (
  repository: Repository,
  base: string,
  head: string,
): Promise<number> =>
  Number(
    (await runInRepository(repository, ['rev-list', '--count', `${base}..${head}`])).stdout.trim(),
  );

/** The oldest merge commit in `base` that has `head` as its second (or later) parent. */
export async function findMergeCommit(
  repository: Repository,
  head: string,
  base: string,
): Promise<string | undefined> {
  const { stdout } = await runInRepository(repository, [
    'rev-list',
    '--merges',
    '--parents',
    '--reverse',
    '--ancestry-path',
    `${head}..${base}`,
  ]);
  return splitGitLines(stdout)
    .map((line) => line.split(' '))
    .find(([, , ...others]) => others.includes(head))?.[0];
}

const MARK_SEARCH_DEPTH = 1_000;

/** The trailer of a merge commit's message that names the operation that made it. */
export const OPERATION_TRAILER = 'Svc-Operation';

/**
 * The merge commit of an operation among the newest {@link MARK_SEARCH_DEPTH} first parents of
 * `base`. Not limited by time: commits may bear any date.
 */
export async function findOperationMergeCommit(
  repository: Repository,
  base: string,
  operationId: string,
): Promise<string | undefined> {
  const format = `--format=%H %P%n%(trailers:key=${OPERATION_TRAILER},valueonly)`;
  const { stdout } = await runInRepository(repository, [
    'log',
    '--first-parent',
    `--max-count=${MARK_SEARCH_DEPTH}`,
    '-z',
    '--encoding=UTF-8',
    format,
    base,
  ]);
  for (const [ids = '', ...operations] of stdout.split('\0').map((text) => text.split('\n'))) {
    const [commit, ...parents] = ids.split(' ');
    if (parents.length > 1 && operations.includes(operationId)) return commit;
  }
  return undefined;
}

export interface CommitSummary {
  parents: string[];
  author: string;
  /** Epoch ms of its committer; null where the commit has no time that git can read. */
  committedAt: number | null;
  message: string;
}

/** Reads a commit as git reads it, also one with odd lines or a signature. */
export async function readCommit(repository: Repository, commit: string): Promise<CommitSummary> {
  const { stdout } = await runInRepository(repository, [
    'show',
    '--no-patch',
    '--encoding=UTF-8',
    '--format=%P%x00%an%x00%ct%x00%B',
    '--end-of-options',
    commit,
  ]);
  const [parents = '', author = '', seconds = '', message = ''] = stdout.split('\0');
  return {
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author,
    committedAt: /^\d+$/.test(seconds) ? Number(seconds) * 1000 : null,
    message,
  };
}

/**
 * Moves a branch from `from` to `to`; throws SvcError `conflict` when the branch is no longer at
 * `from`, and a repairable one when the repository does not let it be moved, such as a lock that a
 * killed git left behind.
 */
export async function moveBranch(
  repository: Repository,
  branch: string,
  from: string,
  to: string,
  reason: string,
): Promise<void> {
  const { exitCode, stderr } = await runInRepository(
    repository,
    ['-c', 'core.fsync=all', 'update-ref', '-m', reason, `refs/heads/${branch}`, to, from],
    {
      answers: [1, 128],
    },
  );
  if (exitCode !== 0)
    throw (
      explainGitProblem('git update-ref', stderr) ??
      new SvcError(
        'conflict',
        `Branch ${branch} was changed in the meantime; try again. (${cleanStderr(stderr).trim()})`,
      )
    );
}
