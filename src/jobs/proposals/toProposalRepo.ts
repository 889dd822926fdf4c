import type { JobRepo } from '../../providers/forges.ts';
import type { ProposalPlace } from './createLayerTextReader.ts';

/** The repository of a proposal's layer; null = it goes to the team's. */
export const toProposalRepo = ({ layer, repo, provider }: ProposalPlace): JobRepo | null =>
  layer === 'repo' && repo !== null ? { slug: repo, provider } : null;
