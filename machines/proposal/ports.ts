/** The acts on the outside world that a proposal's chart may ask for: name → input. */
export interface ProposalPorts {
  /**
   * Lints and plays the proposed state and puts a copy for people beside the layer. Answers
   * `proposal.checked`.
   */
  'proposal.check': { proposalId: string };
  /**
   * Merges the proposal with later changes and writes it to its layer, completely or not at all.
   * Answers `proposal.applied` or `proposal.conflicted`.
   */
  'proposal.apply': { proposalId: string; at: number };
}

export type ProposalAnswer =
  /** `problem`: why the proposal cannot be approved; null = it can. */
  | { type: 'proposal.checked'; problem: string | null }
  /** `link`: the pull request, for a repository; null for a folder. */
  | { type: 'proposal.applied'; link: string | null }
  | { type: 'proposal.conflicted'; problem: string };
