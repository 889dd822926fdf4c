import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import { MAX_LFS_BYTES, MAX_LFS_FILES, MAX_LFS_MS } from '../../base/settings/checkouts.ts';
import { type GitRun, runGit, type RunGitOptions } from '../runGit.ts';
import { listLfsPointers } from './lfsPointers.ts';

/** As `git lfs install --local` writes it, for the agents' own git. No git of svc runs a filter. */
const FILTER: readonly (readonly [string, string])[] = [
  ['filter.lfs.clean', 'git-lfs clean -- %f'],
  ['filter.lfs.smudge', 'git-lfs smudge -- %f'],
  ['filter.lfs.process', 'git-lfs filter-process'],
  ['filter.lfs.required', 'true'],
  // Agents have no login: a file of another branch stays a pointer, and git continues.
  ['lfs.skipdownloaderrors', 'true'],
];

const FETCH_SOME = 'Set checkout.repositories[].lfs to false, and fetch some in the setup.';

const hasGitLfs = async (): Promise<boolean> =>
  (await runGit(['lfs', 'version'], { answers: [1] })).exitCode === 0;

export interface LfsPull {
  /** A fresh clone that no agent has seen. */
  checkoutDir: string;
  /** Address of the server of Git LFS. It counts before what `.lfsconfig` of the repository says. */
  url: string;
  options?: Pick<RunGitOptions, 'network'>;
  /** Whether the program is installed. Default: git knows the command. */
  isInstalled?(): Promise<boolean>;
  /** Longest fetch. Default: {@link MAX_LFS_MS}. */
  timeoutMs?: number;
}

/**
 * Replaces the pointers of a fresh clone with the contents, by the installed `git-lfs`. Answers how it ended; null =
 * nothing was to be done; a text = why it was not done. Throws SvcError `too-large`.
 */
export async function pullLfs({
  checkoutDir,
  url,
  options,
  isInstalled = hasGitLfs,
  timeoutMs = MAX_LFS_MS,
}: LfsPull): Promise<GitRun | string | null> {
  const gitDir = join(checkoutDir, '.git');
  const pointers = await listLfsPointers((args, more) =>
    runGit(['--git-dir', gitDir, '--work-tree', checkoutDir, ...args], {
      cwd: checkoutDir,
      ...more,
    }),
  );
  if (pointers.length === 0) return null;
  if (!(await isInstalled()))
    return 'files of Git LFS stay pointers, because the program git-lfs is not installed on this machine';
  if (pointers.length > MAX_LFS_FILES)
    throw new SvcError(
      'too-large',
      `${pointers.length} files are in Git LFS, and svc fetches at most ${MAX_LFS_FILES}. ${FETCH_SOME}`,
    );
  const bytes = pointers.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_LFS_BYTES)
    throw new SvcError(
      'too-large',
      `The files of Git LFS take ${bytes} bytes, and svc fetches at most ${MAX_LFS_BYTES}. ${FETCH_SOME}`,
    );
  for (const setting of FILTER) await runGit(['--git-dir', gitDir, 'config', ...setting]);
  const hasLogin = (options?.network?.password ?? '') !== '';
  const settings = [
    `lfs.url=${url}`,
    'lfs.skipdownloaderrors=false',
    // Else git-lfs tries without a login, and notes in the clone what it has found out.
    ...(hasLogin ? [`lfs.${url}.access=basic`] : []),
  ].flatMap((setting) => ['-c', setting]);
  const signal = AbortSignal.timeout(timeoutMs);
  const pull = await runGit(['-C', checkoutDir, ...settings, 'lfs', 'pull'], {
    ...options,
    signal,
    timeoutMs: MAX_LFS_MS,
    answers: [1, 2, 128],
  }).catch((error: unknown) => {
    throw signal.aborted
      ? new SvcError(
          'too-large',
          `The files of Git LFS were not fetched within ${timeoutMs / 60_000} minutes, which is the limit. Check the server, then resume the job; or: ${FETCH_SOME}`,
        )
      : error;
  });
  // git-lfs installs hooks whenever it runs.
  await rm(join(gitDir, 'hooks'), { recursive: true, force: true });
  return pull;
}

export const createLfsError = (slug: string, stderr: string): SvcError =>
  new SvcError(
    'invalid',
    `The files of Git LFS of ${slug} cannot be fetched. The last lines of git-lfs:\n${stderr.trim().split('\n').slice(-5).join('\n') || 'It wrote none.'}`,
  );
