import type { JobRepo } from '../providers/forges.ts';
import type { ProposalPlace } from './layerTexts.ts';

/** The repository of a proposal's layer; null = it goes to the team's. */
export const repoOf = ({ layer, repo, provider }: ProposalPlace): JobRepo | null =>
  layer === 'repo' && repo !== null ? { slug: repo, provider } : null;
