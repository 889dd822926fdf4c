import { SvcError } from '../../base/errors/errors.ts';
import { MAX_SUBMODULES_MS } from '../../base/settings/checkouts.ts';
import { FETCH_CHECKS } from '../fetchChecks.ts';
import { runGit } from '../runGit.ts';

/** Options of a fetch that brings one commit into a bare repository without its history. */
export const createCommitFetch = (gitDir: string): string[] => [
  '--git-dir',
  gitDir,
  ...FETCH_CHECKS,
  'fetch',
  '--quiet',
  '--depth=1',
  '--no-tags',
  '--no-recurse-submodules',
  '--no-write-fetch-head',
  '--',
];

/** Brings one commit of a public repository into a bare one. No login is sent. Throws SvcError `invalid`. */
export async function fetchPublicCommit(
  url: string,
  commit: string,
  gitDir: string,
  signal: AbortSignal,
): Promise<void> {
  const { exitCode, stderr } = await runGit([...createCommitFetch(gitDir), url, commit], {
    network: { url, username: '', password: '' },
    signal,
    timeoutMs: MAX_SUBMODULES_MS,
    answers: [1, 128],
  });
  if (exitCode === 0) return;
  throw new SvcError(
    'invalid',
    `Commit ${commit.slice(0, 12)} of ${url}, which checkout.repositories[].submodules lists, cannot be fetched without a login: ${stderr.trim() || 'git has no message'}. Correct the address; a repository of the same forge is listed by its slug, and fetched with its login.`,
  );
}
