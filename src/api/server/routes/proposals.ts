import { DEFAULT_PROPOSALS } from '../../../shared/agents/proposals.ts';
import {
  ApplyProposalBody,
  ApproveProposalBody,
  Proposal,
  ProposalList,
  ProposalsQuery,
  RejectProposalBody,
} from '../../../contract/schema/workflow/proposal.ts';
import { readCaller } from '../gates/access.ts';
import { tellPage } from '../replies/pages.ts';
import { defineJsonRoute } from '../route.ts';

/** Changes of workflows, agents, skills and memory that agents propose. */
export const proposalRoutes = [
  defineJsonRoute({
    name: 'proposals',
    access: 'read',
    method: 'GET',
    path: '/proposals',
    summary: 'What agents have proposed to change, newest first. Link names the next page.',
    query: ProposalsQuery,
    reply: ProposalList,
    refusals: [],
    handle({ query, ctx }, { runner }) {
      const { limit = DEFAULT_PROPOSALS, offset = 0 } = query;
      const { proposals, total } = runner.proposals(query);
      tellPage(ctx, { limit, offset, total });
      return proposals;
    },
  }),
  defineJsonRoute({
    name: 'proposal',
    access: 'read',
    method: 'GET',
    path: '/proposals/:proposalId',
    summary:
      'One proposal: its texts beside those of the layer now, what changes by meaning, findings and warnings.',
    reply: Proposal,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.proposal(params.proposalId),
  }),
  defineJsonRoute({
    name: 'approveProposal',
    access: 'write',
    method: 'POST',
    path: '/proposals/:proposalId/approve',
    summary:
      'Approves exactly the content with this hash; nothing is written yet. Warnings that demand it must be named.',
    body: ApproveProposalBody,
    reply: Proposal,
    refusals: [
      ...(['bad-argument', 'unauthorized', 'not-found', 'not-possible-now'] as const),
      ...(['conflict', 'precondition-failed', 'stopping', 'store-failed'] as const),
    ],
    handle: ({ params, body, ctx }, { runner }) =>
      runner.approveProposal(params.proposalId, body, readCaller(ctx)),
  }),
  defineJsonRoute({
    name: 'rejectProposal',
    access: 'write',
    method: 'POST',
    path: '/proposals/:proposalId/reject',
    summary: 'Rejects a proposal that is not applied yet; agents see the reason in their lists.',
    body: RejectProposalBody,
    reply: Proposal,
    refusals: ['unauthorized', 'not-found', 'not-possible-now', 'stopping', 'store-failed'],
    handle: ({ params, body, ctx }, { runner }) =>
      runner.rejectProposal(params.proposalId, body, readCaller(ctx)),
  }),
  defineJsonRoute({
    name: 'applyProposal',
    access: 'write',
    method: 'POST',
    path: '/proposals/:proposalId/apply',
    summary:
      'Writes an approved proposal to its layer, whole or not at all; of a repository, as a pull request. The state of the answer says whether it could.',
    body: ApplyProposalBody,
    reply: Proposal,
    refusals: ['unauthorized', 'not-found', 'not-possible-now', 'stopping', 'store-failed'],
    handle: ({ params, body, ctx }, { runner }) =>
      runner.applyProposal(params.proposalId, body, readCaller(ctx)),
  }),
];
