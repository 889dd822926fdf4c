/** Every act on the outside world that the chart of a proposal may ask for: name → its input. */
export interface ProposalPorts {
  /**
   * Lints and plays the proposed state, and puts a copy for people beside the layer. Keeps what it
   * found; answers `proposal.checked`.
   */
  'proposal.check': { proposalId: string };
  /**
   * Joins it with what has changed since, and writes it to its layer, whole or not at all. Answers
   * `proposal.applied` or `proposal.conflicted`.
   */
  'proposal.apply': { proposalId: string; at: number };
}

/** What the ports answer with. */
export type ProposalAnswer =
  /** `problem`: why it cannot be approved; null = it can. */
  | { type: 'proposal.checked'; problem: string | null }
  /** `link`: the pull request of a repository; null of a folder. */
  | { type: 'proposal.applied'; link: string | null }
  | { type: 'proposal.conflicted'; problem: string };
