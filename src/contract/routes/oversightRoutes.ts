import { requireBody, type SomeRoutes } from './route.ts';
import {
  AllowBody,
  AllowReply,
  GuardrailDecisionList,
  GuardrailDecisionsQuery,
  GuardrailList,
} from '../schema/policy/guardrailView.ts';
import { DryRunBody, DryRunReply } from '../schema/policy/dryRun.ts';
import {
  DecisionEntry,
  DecisionList,
  DecisionReplay,
  DecisionsQuery,
  LabelDecisionBody,
  ReplayDecisionBody,
} from '../schema/policy/decisionEntry.ts';
import { TrackRecord, TrackRecordQuery } from '../schema/policy/trackRecord.ts';
import {
  ApplyProposalBody,
  ApproveProposalBody,
  Proposal,
  ProposalList,
  ProposalsQuery,
  RejectProposalBody,
} from '../schema/workflow/proposal.ts';

export const oversightRoutes = {
  guardrails: {
    access: 'read',
    team: 'viewer',
    summary:
      'Every rule about what agents do: where it comes from, whether it is on, what it does, how often it has, and what is wrong with its script.',
    reply: GuardrailList,
    refusals: ['store-failed'],
  },
  guardrailDecisions: {
    access: 'read',
    team: 'viewer',
    summary: 'What guardrails did not let pass, newest first. Link names the next page.',
    query: GuardrailDecisionsQuery,
    reply: GuardrailDecisionList,
    refusals: ['not-found'],
  },
  dryRunGuardrail: {
    // It may run a script.
    access: 'write',
    team: null,
    summary:
      'Tests a rule on sample input and on the journals of past jobs. Nothing is stored; it stops when the client disconnects.',
    body: requireBody(DryRunBody),
    reply: DryRunReply,
    refusals: ['not-found'],
  },
  allowGuardrail: {
    access: 'write',
    team: 'admin',
    summary:
      'From now on allows in this job exactly the action for which it waits, and continues the job. Any other action is asked again.',
    body: requireBody(AllowBody),
    reply: AllowReply,
    refusals: ['not-found', 'not-possible-now', 'stopping', 'store-failed'],
  },
  // What the decision layer has answered, and what people make of it.
  decisions: {
    access: 'read',
    team: 'viewer',
    summary:
      'Records of the decision layer, newest first: ratings as received and as counted, skips and outcomes. X-Total-Count is their number; Link names the previous and next page.',
    query: DecisionsQuery,
    reply: DecisionList,
    refusals: ['bad-argument'],
  },
  trackRecord: {
    access: 'read',
    team: 'viewer',
    summary:
      'How accurate ratings have been, by provider and model: precision of flags with its bound, error of percentages, time, skips, and what was or would have been paused.',
    query: TrackRecordQuery,
    reply: TrackRecord,
    refusals: ['bad-argument'],
  },
  labelDecision: {
    access: 'write',
    team: 'member',
    summary:
      'Labels the work of a rated phase as good or bad, with a note. Replaces the previous label; null removes it. For people: agents cannot call it.',
    body: requireBody(LabelDecisionBody),
    reply: DecisionEntry,
    refusals: ['not-found'],
  },
  replayDecision: {
    // With `ask` it uses the key of the provider.
    access: 'write',
    team: null,
    summary:
      'Makes the digest of a rating again from stored rows and compares its hash; with `ask` also asks the provider of now. Changes nothing.',
    body: requireBody(ReplayDecisionBody),
    reply: DecisionReplay,
    refusals: ['not-found', 'not-possible-now'],
  },
  proposals: {
    access: 'read',
    team: null,
    summary: 'What agents have proposed to change, newest first. Link names the next page.',
    query: ProposalsQuery,
    reply: ProposalList,
    refusals: [],
  },
  proposal: {
    access: 'read',
    team: null,
    summary:
      'One proposal: its texts beside those of the layer now, what changes by meaning, findings and warnings.',
    reply: Proposal,
    refusals: ['not-found'],
  },
  approveProposal: {
    access: 'write',
    team: null,
    summary:
      'Approves exactly the content with this hash; nothing is written yet. Warnings that demand it must be named.',
    body: requireBody(ApproveProposalBody),
    reply: Proposal,
    refusals: [
      ...(['bad-argument', 'unauthorized', 'not-found', 'not-possible-now'] as const),
      ...(['conflict', 'precondition-failed', 'stopping', 'store-failed'] as const),
    ],
  },
  rejectProposal: {
    access: 'write',
    team: null,
    summary: 'Rejects a proposal that is not applied yet; agents see the reason in their lists.',
    body: requireBody(RejectProposalBody),
    reply: Proposal,
    refusals: ['unauthorized', 'not-found', 'not-possible-now', 'stopping', 'store-failed'],
  },
  applyProposal: {
    access: 'write',
    team: null,
    summary:
      'Writes an approved proposal to its layer, all files or none; for a repository, as a pull request. The state of the answer says whether it could.',
    body: requireBody(ApplyProposalBody),
    reply: Proposal,
    refusals: ['unauthorized', 'not-found', 'not-possible-now', 'stopping', 'store-failed'],
  },
} satisfies SomeRoutes;
