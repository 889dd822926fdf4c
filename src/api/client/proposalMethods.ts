import type {
  ApplyProposalBody,
  ApproveProposalBody,
  Proposal,
  ProposalsQuery,
  ProposalSummary,
  RejectProposalBody,
} from '../../contract/schema/workflow/proposal.ts';
import type { createTransport } from './transport.ts';

/** Changes of workflows, agents, skills and memory that agents propose. */
export function createProposalMethods({
  json,
  open,
}: Pick<ReturnType<typeof createTransport>, 'json' | 'open'>) {
  const one = (id: string): string => `/proposals/${encodeURIComponent(id)}`;
  return {
    /** One page, newest first, and the total number; default: the newest 50. */
    async proposals(
      query: ProposalsQuery = {},
    ): Promise<{ proposals: ProposalSummary[]; total: number }> {
      const response = await open('GET', '/proposals', { query });
      const proposals: ProposalSummary[] = await response.json();
      return {
        proposals,
        total: Number(response.headers.get('X-Total-Count') ?? proposals.length),
      };
    },
    proposal: (id: string) => json<Proposal>('GET', one(id)),
    approveProposal: (id: string, body: ApproveProposalBody) =>
      json<Proposal>('POST', `${one(id)}/approve`, { body }),
    rejectProposal: (id: string, body: RejectProposalBody = {}) =>
      json<Proposal>('POST', `${one(id)}/reject`, { body }),
    applyProposal: (id: string, body: ApplyProposalBody = {}) =>
      json<Proposal>('POST', `${one(id)}/apply`, { body }),
  };
}
