import type { Caller } from '../../src/contract/schema/runner/caller.ts';
import type { ProposalAnswer } from './ports.ts';

export interface ProposalInput {
  proposalId: string;
  /** The job whose agent proposed it; null = a person did. */
  jobId: string | null;
  /** sha256 of its content, which never changes. */
  hash: string;
  createdAt: number;
}

export interface ProposalContext extends ProposalInput {
  /** The hash that a person approved; null = not approved. */
  approved: string | null;
}

/** Who decides. `author`: the name that they give; `by`: how they were authenticated. */
interface Person {
  author: string;
  by: Caller;
}

/** `at` (epoch ms) is stamped by the kernel on every event. */
export type ProposalEvent = (
  | ProposalAnswer
  /** `hash`: of the content that the person saw; `allowed`: ids of accepted warnings. */
  | ({ type: 'proposal.approve'; hash: string; allowed: string[] } & Person)
  | ({ type: 'proposal.reject'; reason: string | null } & Person)
  | ({ type: 'proposal.apply' } & Person)
  /** The team has applied it to its overlay, at the control plane. */
  | { type: 'proposal.appliedByTeam'; author: string }
  | { type: 'proposal.supersede'; successor: string }
  | { type: 'effect.givenUp'; error: string }
) & { at: number };
