import { toCanonicalJson } from '../../shared/json/toCanonicalJson.ts';
import { sha256 } from '../../shared/system/ids/ids.ts';
import type { ProposalKind, ProposalLayer } from '../../shared/agents/proposals.ts';

/** One file as it was proposed. Its texts never change. */
export interface ProposedFile {
  /** In the layer; of a repository, the path there. */
  path: string;
  /** What it was proposed for; null = there was no file. */
  base: string | null;
  /** null = it is removed. */
  text: string | null;
}

/** What an approval is for. */
export interface ProposalContent {
  kind: ProposalKind;
  layer: ProposalLayer;
  /** Of the repo layer; null of the tenant's. */
  repo: string | null;
  files: readonly ProposedFile[];
}

/** sha256 of everything that is written when it is applied, and of what it was written for. */
export const hashProposalContent = ({ kind, layer, repo, files }: ProposalContent): string =>
  sha256(
    toCanonicalJson({
      kind,
      layer,
      repo,
      files: files.map(({ path, base, text }) => ({ path, base, text })),
    }),
  );
