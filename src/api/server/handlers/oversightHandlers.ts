import type { oversightRoutes } from '../../routes/oversightRoutes.ts';
import type { Handlers } from '../handler.ts';
import { abortWhenClientGone } from '../streams/abortWhenClientGone.ts';
import { DEFAULT_DECISIONS } from '../../../contract/schema/policy/decisionEntry.ts';

export const oversightHandlers = {
  guardrails: (_call, { runner }) => runner.guardrails(),
  guardrailDecisions: ({ query }, { runner }) => runner.guardrailDecisions(query),
  dryRunGuardrail: ({ body, ctx }, { runner }) =>
    runner.dryRunGuardrail(body, abortWhenClientGone(ctx)),
  allowGuardrail: ({ params, body, by }, { runner }) =>
    runner.allowGuardrail(params.jobId, body, by),
  decisions: ({ query }, { runner }) =>
    runner.decisions({ limit: DEFAULT_DECISIONS, offset: 0, ...query }),
  trackRecord: ({ query }, { runner }) => runner.trackRecord(query),
  labelDecision: ({ body, by }, { runner }) => runner.labelDecision(body, by),
  replayDecision: ({ body }, { runner }) => runner.replayDecision(body),
  proposals: ({ query }, { runner }) => runner.proposals(query),
  proposal: ({ params }, { runner }) => runner.proposal(params.proposalId),
  approveProposal: ({ params, body, by }, { runner }) =>
    runner.approveProposal(params.proposalId, body, by),
  rejectProposal: ({ params, body, by }, { runner }) =>
    runner.rejectProposal(params.proposalId, body, by),
  applyProposal: ({ params, body, by }, { runner }) =>
    runner.applyProposal(params.proposalId, body, by),
} satisfies Handlers<typeof oversightRoutes>;
