import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import { MAX_LFS_BYTES } from '../../base/settings/checkouts.ts';
import { TRANSFER_TIMEOUT_MS } from '../checkout.ts';
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
  const bytes = pointers.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_LFS_BYTES)
    throw new SvcError(
      'too-large',
      `The files of Git LFS take ${bytes} bytes, and svc fetches at most ${MAX_LFS_BYTES}. Set checkout.repositories[].lfs to false, and fetch some in the setup.`,
    );
  for (const setting of FILTER) await runGit(['--git-dir', gitDir, 'config', ...setting]);
  const hasLogin = (options?.network?.password ?? '') !== '';
  const settings = [
    `lfs.url=${url}`,
    'lfs.skipdownloaderrors=false',
    // Else git-lfs tries without a login, and notes in the clone what it has found out.
    ...(hasLogin ? [`lfs.${url}.access=basic`] : []),
  ].flatMap((setting) => ['-c', setting]);
  const pull = await runGit(['-C', checkoutDir, ...settings, 'lfs', 'pull'], {
    ...options,
    timeoutMs: TRANSFER_TIMEOUT_MS,
    answers: [1, 2, 128],
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
