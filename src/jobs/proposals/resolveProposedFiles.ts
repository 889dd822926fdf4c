import { capitalizeFirst } from '../../base/text/capitalizeFirst.ts';
import type { ProposalLayer } from '../../base/agents/proposals.ts';
import type { ProposalDraft } from '../../contract/workflow/proposing.ts';
import { createDraftError, explainUnfitKindPath } from '../../workflows/proposals/checkDraft.ts';
import type { ProposedFile } from '../../workflows/proposals/proposalContent.ts';
import type { LayerTexts, ProposalPlace } from './createLayerTextReader.ts';
import { routeProposal, toLayerPath, toOverlayPath } from './routeProposal.ts';

/** The layer of a draft. Throws SvcError `bad-argument`. */
export const resolveDraftLayer = (
  strategy: 'path' | 'agent',
  { files, targetLayer }: ProposalDraft,
): ProposalLayer => routeProposal(strategy, { paths: files.map(({ path }) => path), targetLayer });

/**
 * The files with their current texts. Throws SvcError `bad-argument` for a path that no file of its
 * kind has, a link on the way, and a proposal that changes nothing.
 */
export async function resolveProposedFiles(
  { kind, files }: ProposalDraft,
  place: ProposalPlace,
  textAt: LayerTexts,
): Promise<ProposedFile[]> {
  const proposedFiles: ProposedFile[] = [];
  for (const { path: requestedPath, text } of files) {
    const path = toLayerPath(place.layer, requestedPath);
    // Before anything is looked up at the path.
    const wrong = explainUnfitKindPath(kind, toOverlayPath(path), true);
    if (wrong !== null) throw createDraftError(`${capitalizeFirst(wrong)}.`);
    const base = await textAt(place, path);
    const problem = explainUnfitKindPath(kind, toOverlayPath(path), base !== null);
    if (problem !== null) throw createDraftError(`${capitalizeFirst(problem)}.`);
    if (text === null && base === null)
      throw createDraftError(
        `${path} cannot be removed: the ${place.layer} layer has no such file.`,
      );
    if (text !== base) proposedFiles.push({ path, base, text });
  }
  if (proposedFiles.length === 0)
    throw createDraftError('All files already have this content: nothing would change.');
  return proposedFiles;
}
