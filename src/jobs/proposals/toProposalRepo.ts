import type { JobRepo } from '../../providers/forges.ts';
import type { ProposalPlace } from './createLayerTextReader.ts';

/** The repository of a proposal; null = it is for the team's layer. */
export const toProposalRepo = ({ layer, repo, provider }: ProposalPlace): JobRepo | null =>
  layer === 'repo' && repo !== null ? { slug: repo, provider } : null;
