import { toCanonicalJson } from '../../base/json/toCanonicalJson.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { ProposalKind, ProposalLayer } from '../../base/agents/proposals.ts';

/** A proposed file. Its texts never change. */
export interface ProposedFile {
  /** Path in the layer; for a repository, the path there. */
  path: string;
  /** The text that it was proposed for; null = there was no file. */
  base: string | null;
  /** The proposed text; null = the file is removed. */
  text: string | null;
}

/** What an approval applies to. */
export interface ProposalContent {
  kind: ProposalKind;
  layer: ProposalLayer;
  /** Of the repo layer; null for the tenant's. */
  repo: string | null;
  files: readonly ProposedFile[];
}

/** sha256 of everything that applying writes, and of the texts that it replaces. */
export const hashProposalContent = ({ kind, layer, repo, files }: ProposalContent): string =>
  sha256(
    toCanonicalJson({
      kind,
      layer,
      repo,
      files: files.map(({ path, base, text }) => ({ path, base, text })),
    }),
  );
