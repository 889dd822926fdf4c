import { SvcError } from '../../base/errors/errors.ts';
import { checkBranch } from '../gitNames.ts';
import type { Repository } from '../openRepository.ts';
import { runGit } from '../runGit.ts';

/** Start of the line of the commit's message that names the branch; nothing after it = HEAD was detached. */
export const BRANCH_LINE = 'Branch: ';

export interface WorkCommit {
  commit: string;
  /** Commit that was checked out. */
  head: string;
  /** Branch that was checked out; null = none was. */
  branch: string | null;
  /** Unix time, s. */
  at: number;
}

/** Null for a commit that svc has not made: anyone who can push can write the ref. */
export async function readWorkCommit(
  { gitDir }: Repository,
  ref: string,
): Promise<WorkCommit | null> {
  const { stdout, exitCode } = await runGit(
    ['--git-dir', gitDir, 'log', '-1', '--format=%H%n%P%n%ct%n%B', ref, '--'],
    { answers: [128] },
  );
  const [commit = '', head = '', at = '', ...message] = stdout.split('\n');
  const line = message.find((one) => one.startsWith(BRANCH_LINE.trimEnd()));
  if (exitCode !== 0 || line === undefined || !/^[0-9a-f]{40}$/.test(head)) return null;
  const branch = line.slice(BRANCH_LINE.length);
  try {
    return { commit, head, branch: branch === '' ? null : checkBranch(branch), at: Number(at) };
  } catch (error) {
    if (error instanceof SvcError) return null;
    throw error;
  }
}

/**
 * Whether the work is newer than a branch that was pushed: it contains the newest commit of the branch, or was saved
 * after that commit was made.
 */
export async function isWorkNewer(
  { gitDir }: Repository,
  work: WorkCommit,
  tip: string,
): Promise<boolean> {
  const git = (...args: string[]) => runGit(['--git-dir', gitDir, ...args], { answers: [1] });
  const contains = await git('merge-base', '--is-ancestor', tip, work.head);
  if (contains.exitCode === 0) return true;
  const { stdout } = await git('log', '-1', '--format=%ct', tip, '--');
  return work.at >= Number(stdout.trim());
}
