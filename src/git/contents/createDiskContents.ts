import { pathToFileURL } from 'node:url';
import { SvcError } from '../../base/errors/errors.ts';
import type { CheckoutContents } from '../../contract/forge/checkoutContents.ts';
import { MAX_SUBMODULES_MS } from '../../base/settings/checkouts.ts';
import { explainGitProblem } from '../explainGitProblem.ts';
import type { Repository } from '../openRepository.ts';
import { runGit } from '../runGit.ts';
import { createCommitFetch } from './fetchPublicCommit.ts';
import { createLfsError, pullLfs } from './pullLfs.ts';

/** The address that a person's clone was made from; empty = none. */
const readOrigin = async ({ gitDir }: Repository): Promise<string> =>
  (
    await runGit(['--git-dir', gitDir, 'config', '--get', 'remote.origin.url'], { answers: [1] })
  ).stdout.trim();

/** What checkouts need from repositories on this disk. `open` throws SvcError for one that is not known. */
export const createDiskContents = (open: (slug: string) => Repository): CheckoutContents => ({
  async addresses(slug) {
    const repository = open(slug);
    const origin = await readOrigin(repository);
    return [repository.path, ...(origin === '' ? [] : [origin])];
  },
  async fetchCommit(slug, commit, gitDir, signal) {
    const { path } = open(slug);
    const { exitCode, stderr } = await runGit([...createCommitFetch(gitDir), path, commit], {
      fileProtocol: true,
      signal,
      timeoutMs: MAX_SUBMODULES_MS,
      answers: [1, 128],
    });
    if (exitCode === 0) return;
    throw /not our ref/.test(stderr)
      ? new SvcError(
          'invalid',
          `${path} does not have commit ${commit.slice(0, 12)}, which a submodule names. Fetch it there.`,
        )
      : (explainGitProblem('git fetch', stderr) ??
          new SvcError('invalid', `Commit ${commit} of ${path} cannot be read: ${stderr.trim()}`));
  },
  async fetchLfs(slug, checkoutDir) {
    const { gitDir } = open(slug);
    const pull = await pullLfs({ checkoutDir, url: pathToFileURL(gitDir).href });
    if (pull === null || typeof pull === 'string') return pull;
    if (pull.exitCode === 0) return null;
    throw createLfsError(slug, pull.stderr);
  },
});
