import type { ProposalKind, ProposalLayer, ProposalState } from '../../base/agents/proposals.ts';
import type { ProposalSummary } from '../schema/workflow/proposal.ts';

/** A change of workflows, agents, skills or memory as its author gives it. */
export interface ProposalDraft {
  kind: ProposalKind;
  description: string;
  /** `text` null: the file is removed. */
  files: readonly { path: string; text: string | null }[];
  /** Default: by the paths. */
  targetLayer?: ProposalLayer;
}

/** A proposal as an agent sees it in a list. */
export interface ListedProposal extends ProposalSummary {
  /** Why a person has rejected it; null = they said nothing, or have not. */
  reason: string | null;
}

/** What the agent of a job does with proposals. */
export interface Proposing {
  /**
   * Stores a proposal; nothing of it is live. `key` makes it happen once. Throws SvcError
   * `bad-argument`, `too-large`, `workflow-invalid` (data.diagnostics): nothing was stored then.
   */
  propose(draft: ProposalDraft, key: string): Promise<ProposalSummary>;
  /**
   * Those of this job, and those of others to the same layers that no one has decided about; newest
   * first, at most 50.
   */
  listProposals(state: ProposalState | null): ListedProposal[];
}
