import type { WriteForgeDeps } from './writeForge.ts';
import type { SecretStream } from '../../base/secrets/secretStream.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Forges } from '../../providers/forges.ts';
import { withScreenedBranch } from '../../git/withScreenedBranch.ts';
import { findSecretTokens } from '../../base/secrets/secretPatterns.ts';

/** Removes known secrets from texts and from bytes that come in pieces. */
export interface KnownToScreen {
  screen(text: string): string;
  stream(): SecretStream;
}

/**
 * Searches the new commits that a write brings to a forge for secrets. The write gets what was
 * searched, with everything that looks like a token. Other writes bring no commits.
 */
export const createWriteScreen =
  ({
    forges,
    secrets,
  }: {
    forges: Forges;
    secrets: KnownToScreen | null;
  }): WriteForgeDeps['screenWrite'] =>
  async (id, operation, args, signal, write) => {
    const { checkoutDir, head, repo } = args;
    const forge = forges.get(id);
    const brings =
      operation === 'create_pr' && typeof checkoutDir === 'string' && checkoutDir !== '';
    if (!forge || !brings || secrets === null) return write(args, []);
    const slug = String(repo);
    const source =
      (await forge.source(slug, { fresh: false })) ?? (await forge.source(slug, { fresh: true }));
    if (!source) throw new SvcError('not-found', `Repository ${slug} not found.`);
    // A pull request from the default branch pushes nothing: the forge's own commits are compared.
    if (head === source.defaultBranch) return write(args, []);
    const request = {
      checkoutDir,
      branch: String(head),
      repoPath: source.path,
      signal,
      findTokens: findSecretTokens,
      ...secrets,
    };
    return withScreenedBranch(request, (screenedDir, tokens) =>
      write({ ...args, checkoutDir: screenedDir }, tokens),
    );
  };
