import { runGit } from './runGit.ts';
import { SvcError } from '../base/errors/errors.ts';
import { showRawPath, splitFields } from './rawPaths.ts';

const MAX_NAMES_BYTES = 16 * 1024 * 1024;

/**
 * The changes of a range as a unified diff, whatever the repository configures. A diff of more than
 * `maxBytes` is cut, with a last line that reports it.
 */
export async function readUnifiedDiff(
  gitDir: string,
  range: readonly string[],
  maxBytes: number,
): Promise<string> {
  const { stdout, cut } = await runGit(
    [
      '--git-dir',
      gitDir,
      '-c',
      `core.quotePath=${await hasOddNames(gitDir, range)}`,
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
    { cutOutput: true, maxBytes },
  );
  if (!cut) return stdout;
  return `${stdout.slice(0, stdout.lastIndexOf('\n') + 1)}# The diff is longer than ${maxBytes} bytes; the rest is left out. See it with git diff ${range.join(' ')}.\n`;
}

/** Whether a changed path is not UTF-8: git then quotes all paths that are not ASCII. */
async function hasOddNames(gitDir: string, range: readonly string[]): Promise<boolean> {
  const { stdout } = await runGit(
    ['--git-dir', gitDir, 'diff', '--name-only', '-z', '--no-renames', ...range, '--'],
    { encoding: 'latin1', maxBytes: MAX_NAMES_BYTES, cutOutput: true },
  );
  return splitFields(stdout).some((raw) => showRawPath(raw).startsWith('"'));
}

const COMMIT = /^[0-9a-f]{7,64}$/i;

/**
 * The full hash of a commit; `commit`: its hash or the beginning of it. Throws SvcError `not-found`
 * for one that the repository does not have.
 */
export async function readCommitHash(gitDir: string, commit: string): Promise<string> {
  const args = ['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`];
  if (COMMIT.test(commit)) {
    const { stdout, exitCode } = await runGit(args, { answers: [1, 128] });
    if (exitCode === 0) return stdout.trim();
  }
  throw new SvcError(
    'not-found',
    `no branch of the repository has the commit ${commit || '(none)'}`,
  );
}
