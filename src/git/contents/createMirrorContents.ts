import { screenSecretForms } from '../../base/secrets/secretForms.ts';
import type { CheckoutContents } from '../../contract/forge/checkoutContents.ts';
import { REFUSED_LOGIN } from '../explainTransfer.ts';
import type { GitNetwork } from '../runGit.ts';
import { createCommitFetch } from './fetchPublicCommit.ts';
import { createLfsError, pullLfs } from './pullLfs.ts';

interface ForgeAccess {
  /** Address and login of a repository. Throws SvcError. */
  network(slug: string): Promise<GitNetwork>;
  /** Another login in place of a refused one; null = none exists. */
  renewed(slug: string, refusedNetwork: GitNetwork): Promise<GitNetwork | null>;
  /** Runs git with a login; `args` include its address. Throws SvcError. */
  git(
    slug: string,
    network: GitNetwork,
    args: readonly string[],
    signal: AbortSignal,
  ): Promise<string>;
}

/** What checkouts need from a remote forge beside the mirror of their repository. */
export const createMirrorContents = ({ network, renewed, git }: ForgeAccess): CheckoutContents => ({
  addresses: async (slug) => [(await network(slug)).url],
  async fetchCommit(slug, commit, gitDir, signal) {
    const at = await network(slug);
    await git(slug, at, [...createCommitFetch(gitDir), at.url, commit], signal);
  },
  async fetchLfs(slug, checkoutDir) {
    const pull = (at: GitNetwork) =>
      pullLfs({ checkoutDir, url: `${at.url}/info/lfs`, options: { network: at } });
    const first = await network(slug);
    let end = await pull(first);
    if (end === null || typeof end === 'string') return end;
    const isRefused = end.exitCode !== 0 && REFUSED_LOGIN.test(end.stderr);
    const other = isRefused ? await renewed(slug, first) : null;
    if (other !== null) end = await pull(other);
    if (end === null || typeof end === 'string' || end.exitCode === 0) return null;
    const secrets = [first.password, other?.password ?? ''];
    throw createLfsError(slug, screenSecretForms(secrets)(end.stderr));
  },
});
