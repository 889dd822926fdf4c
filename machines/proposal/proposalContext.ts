import type { Caller } from '../../src/contract/schema/runner/caller.ts';
import type { ProposalAnswer } from './ports.ts';

export interface ProposalInput {
  /** Id of its row. */
  proposalId: string;
  /** The job whose agent has proposed it; null = a person has. */
  jobId: string | null;
  /** sha256 of its content, which never changes. */
  hash: string;
  createdAt: number;
}

export interface ProposalContext extends ProposalInput {
  /** The hash that a person has approved; null = no one has. */
  approved: string | null;
}

/** Who decides. `author`: the name that they give; `by`: how the request came in. */
interface Person {
  author: string;
  by: Caller;
}

/** `at` (epoch ms) is stamped by the kernel on every event. */
export type ProposalEvent = (
  | ProposalAnswer
  /** `hash`: of the content that the person was shown; `allowed`: ids of the warnings that are accepted. */
  | ({ type: 'proposal.approve'; hash: string; allowed: string[] } & Person)
  | ({ type: 'proposal.reject'; reason: string | null } & Person)
  | ({ type: 'proposal.apply' } & Person)
  /** A later proposal takes its place. */
  | { type: 'proposal.supersede'; successor: string }
  | { type: 'effect.givenUp'; error: string }
) & { at: number };
