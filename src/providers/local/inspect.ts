import { runGit } from '../../git/git.ts';
import { showRawPath, splitFields } from '../../git/rawPaths.ts';
import { mergeCommits } from '../../git/mergeCommit.ts';
import { findBranch } from '../../git/repository.ts';
import type { LocalForgeWrites } from './writes.ts';
import { prIdOf } from './describe.ts';
import type { PrRow } from './rows.ts';

/** Largest diff that is answered: 2 MiB; the rest is left out with a note. */
export const MAX_DIFF_BYTES = 2 * 1024 * 1024;

/** Most bytes of changed names that are read: 16 MiB. */
const MAX_NAMES_BYTES = 16 * 1024 * 1024;

/**
 * Whether an open pull request could be merged now, found out without writing anything; null for
 * one that is not open.
 */
export async function mergeableNow({ repo }: LocalForgeWrites, pr: PrRow): Promise<boolean | null> {
  if (pr.state !== 'open') return null;
  const [base, head] = [
    await findBranch(repo.repository, pr.base),
    await findBranch(repo.repository, pr.head),
  ];
  if (base === undefined || head === undefined) return false;
  return !('conflicts' in (await mergeCommits(repo.repository, base, head, null)));
}

/**
 * What the pull request changes: base...head while it is open, what came with the merge afterwards.
 */
export async function diffOf({ repo }: LocalForgeWrites, pr: PrRow): Promise<string> {
  const range =
    pr.merge_commit === null
      ? await openRange(repo, pr)
      : [`${pr.merge_commit}^1`, pr.merge_commit];
  if (!range)
    return `# ${prIdOf(pr.repo, pr.number)}: branch ${pr.head} or ${pr.base} no longer exists.\n`;
  const { stdout, cut } = await runGit(
    [
      '--git-dir',
      repo.repository.gitDir,
      '-c',
      `core.quotePath=${await hasOddNames(repo, range)}`,
      '-c',
      'diff.noprefix=false',
      '-c',
      'diff.mnemonicPrefix=false',
      'diff',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      '--end-of-options',
      ...range,
      '--',
    ],
    { cutOutput: true, maxBytes: MAX_DIFF_BYTES },
  );
  if (!cut) return stdout;
  return `${stdout.slice(0, stdout.lastIndexOf('\n') + 1)}# The diff is longer than ${MAX_DIFF_BYTES} bytes; the rest is left out. See it with git diff ${range.join(' ')}.\n`;
}

/** Whether a changed path is not UTF-8: git then quotes all that are not ASCII. */
async function hasOddNames(
  { repository }: LocalForgeWrites['repo'],
  range: readonly string[],
): Promise<boolean> {
  const { stdout } = await runGit(
    ['--git-dir', repository.gitDir, 'diff', '--name-only', '-z', '--no-renames', ...range, '--'],
    { encoding: 'latin1', maxBytes: MAX_NAMES_BYTES, cutOutput: true },
  );
  return splitFields(stdout).some((raw) => showRawPath(raw).startsWith('"'));
}

async function openRange(repo: LocalForgeWrites['repo'], pr: PrRow): Promise<string[] | undefined> {
  const [base, head] = [
    await findBranch(repo.repository, pr.base),
    await findBranch(repo.repository, pr.head),
  ];
  return base === undefined || head === undefined ? undefined : [`${base}...${head}`];
}
