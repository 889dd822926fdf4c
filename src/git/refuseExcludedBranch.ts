import { SvcError } from '../base/errors/errors.ts';
import { runGit } from './runGit.ts';
import { suggestBranch } from './gitNames.ts';
import { toRawPathBytes } from './rawPaths.ts';

const MAX_TRIES = 50;

/** `feat` and `feat/x` exclude each other: git keeps a branch as a file, and `/` as a folder. */
const doExclude = (one: string, other: string): boolean =>
  one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

async function readBranchNames(gitDir: string): Promise<string[]> {
  const { stdout } = await runGit(
    ['--git-dir', gitDir, 'for-each-ref', '--format=%(refname)', 'refs/heads'],
    { encoding: 'latin1' },
  );
  return stdout
    .split('\n')
    .filter((ref) => ref !== '')
    .map((ref) => toRawPathBytes(ref.slice('refs/heads/'.length)).toString('utf8'));
}

/** Whether the disk of the repository ignores case in file names. */
async function ignoresCase(gitDir: string): Promise<boolean> {
  const args = ['--git-dir', gitDir, 'config', '--type=bool', '--get', 'core.ignoreCase'];
  const { stdout } = await runGit(args, { answers: [1, 128] });
  return stdout.trim() === 'true';
}

/**
 * Makes sure that a new branch can exist beside the present ones. Throws SvcError `conflict` that
 * names the branch in its way and a free name.
 */
export async function refuseExcludedBranch(gitDir: string, branch: string): Promise<void> {
  const names = await readBranchNames(gitDir);
  if (names.includes(branch)) return;
  const isFolded = await ignoresCase(gitDir);
  const fold = (name: string): string => (isFolded ? name.toLowerCase() : name);
  const find = (lowerName: string): string | undefined =>
    names.find((name) => fold(name) === fold(lowerName) || doExclude(fold(name), fold(lowerName)));
  const existing = find(branch);
  if (existing === undefined) return;
  const why =
    fold(existing) === fold(branch)
      ? 'they differ only in upper and lower case, and the disk of the repository keeps one of them'
      : 'git keeps a branch as a file, and what is before a slash as a folder';
  const plain = suggestBranch(branch.replaceAll('/', '-')) ?? branch.replaceAll('/', '-');
  const free = [plain, ...Array.from({ length: MAX_TRIES }, (_, n) => `${plain}-${n + 2}`)].find(
    (name) => name !== branch && find(name) === undefined,
  );
  throw new SvcError(
    'conflict',
    `The branch ${existing} exists, so ${branch} cannot exist beside it: ${why}. Choose another name${free === undefined ? '' : `, such as ${free} (git branch -m ${free})`}, and call create_pr again.`,
    { data: { existing, suggestion: free ?? null } },
  );
}
