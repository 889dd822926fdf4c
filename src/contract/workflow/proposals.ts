import type { Caller } from '../schema/runner/caller.ts';
import type {
  ApplyProposalBody,
  ApproveProposalBody,
  Proposal,
  ProposalsQuery,
  ProposalSummary,
  RejectProposalBody,
} from '../schema/workflow/proposal.ts';

/** Changes of workflows, agents, skills and memory that agents propose, as people see them. */
export interface ProposalAccess {
  /** A page of them, newest first, and how many there are in all. */
  proposals(query: ProposalsQuery): { proposals: ProposalSummary[]; total: number };
  /** Throws SvcError `not-found`. */
  proposal(id: string): Promise<Proposal>;
  /**
   * Approves exactly the content of this hash; it is not applied yet. Throws `not-found`,
   * `precondition-failed` for another content, `conflict` (data.warnings) where a warning that
   * demands it is not named, `not-possible-now` in a state that cannot be approved, and
   * `unauthorized` for a request without a credential.
   */
  approveProposal(id: string, body: ApproveProposalBody, by: Caller): Promise<Proposal>;
  /** Throws `not-found`, `not-possible-now`. */
  rejectProposal(id: string, body: RejectProposalBody, by: Caller): Promise<Proposal>;
  /**
   * Applies an approved one, and answers once it is applied or cannot be. Throws `not-found`,
   * `not-possible-now`.
   */
  applyProposal(id: string, body: ApplyProposalBody, by: Caller): Promise<Proposal>;
}
