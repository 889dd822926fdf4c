import { requireBody } from '../../contract/routes/route.ts';
import {
  MAX_SENT_PROPOSAL_BYTES,
  OverlayDiff,
  OverlayDiffQuery,
  OverlayVersion,
  OverlayVersionList,
  OverlayVersionsQuery,
  RestoreOverlayBody,
  RunnerOverlay,
  RunnerOverlayQuery,
  SentProposal,
  SentProposalState,
} from '../../contract/schema/cloud/teamOverlay.ts';
import {
  OverlayPullContent,
  OverlayPullList,
  OverlayPullReport,
  OverlayPullClaim,
} from '../../contract/schema/cloud/overlayPull.ts';
import {
  ApplyProposalBody,
  ApproveProposalBody,
  Proposal,
  ProposalList,
  ProposalsQuery,
  RejectProposalBody,
} from '../../contract/schema/workflow/proposal.ts';
import type { SomeCloudRoutes } from './cloudRoute.ts';

const OCTETS = 'application/octet-stream';

/** The overlay of a team, and the proposals to change it. */
export const overlayRoutes = {
  teamProposals: {
    who: 'viewer',
    summary: "What agents and members have proposed to change in the team's overlay, newest first.",
    query: ProposalsQuery,
    reply: ProposalList,
    refusals: [],
  },
  teamProposal: {
    who: 'viewer',
    summary:
      'One proposal: its texts beside those of the overlay now, what changes by meaning, findings and warnings.',
    reply: Proposal,
    refusals: ['not-found'],
  },
  approveTeamProposal: {
    who: 'member',
    summary:
      'Approves exactly the content with this hash; nothing is written yet. Warnings that demand it must be named. The name of the approval is that of the caller.',
    target: ['hash'],
    body: requireBody(ApproveProposalBody),
    reply: Proposal,
    refusals: ['bad-argument', 'not-found', 'not-possible-now', 'precondition-failed', 'conflict'],
  },
  rejectTeamProposal: {
    who: 'member',
    summary: 'Rejects a proposal that is not applied yet; agents see the reason in their lists.',
    body: requireBody(RejectProposalBody),
    reply: Proposal,
    refusals: ['not-found', 'not-possible-now'],
  },
  applyTeamProposal: {
    who: 'member',
    summary:
      "Makes the next version of the overlay from an approved proposal, all of its files or none. 403 for the person who has proposed it, or has started the job that does, unless they are the team's only member. With `overlayRepository` of the team, a runner opens a pull request there, and its merge makes the version. The state of the answer says whether it could be applied.",
    body: requireBody(ApplyProposalBody),
    reply: Proposal,
    refusals: ['forbidden', 'not-found', 'not-possible-now'],
  },
  teamOverlay: {
    who: 'viewer',
    summary: "The newest version of the team's overlay with the list of its files.",
    reply: OverlayVersion,
    refusals: [],
  },
  teamOverlayVersions: {
    who: 'viewer',
    summary: 'The versions of the overlay, newest first: who made each, when, from which proposal.',
    query: OverlayVersionsQuery,
    reply: OverlayVersionList,
    refusals: [],
  },
  teamOverlayVersion: {
    who: 'viewer',
    summary: 'One version of the overlay with the list of its files.',
    reply: OverlayVersion,
    refusals: ['not-found'],
  },
  teamOverlayDiff: {
    who: 'viewer',
    summary: 'What a version changes: of the one before it, or of the one in `from`.',
    query: OverlayDiffQuery,
    reply: OverlayDiff,
    refusals: ['not-found'],
  },
  teamOverlayFile: {
    who: 'viewer',
    summary: 'A file of any version, by the SHA-256 of its content.',
    mime: OCTETS,
    refusals: ['not-found'],
  },
  restoreTeamOverlay: {
    who: 'admin',
    summary:
      'Makes a next version with the files of an older one. 409 with `newest` where someone has made another version meanwhile.',
    target: ['version'],
    body: requireBody(RestoreOverlayBody),
    reply: OverlayVersion,
    refusals: ['not-found', 'conflict', 'not-possible-now'],
  },
  runnerOverlay: {
    who: 'runner',
    summary: "The newest version of the team's overlay; without its files where the runner has it.",
    query: RunnerOverlayQuery,
    reply: RunnerOverlay,
    refusals: [],
  },
  runnerOverlayFile: {
    who: 'runner',
    summary: "A file of the team's overlay, by the SHA-256 of its content.",
    mime: OCTETS,
    refusals: ['not-found'],
  },
  overlayPulls: {
    who: 'runner',
    summary:
      "Pull requests for the team's overlay that this runner follows, or may open. Only a runner of the pool, or of an admin, is given any.",
    reply: OverlayPullList,
    refusals: [],
  },
  overlayPull: {
    who: 'runner',
    summary: 'The texts of a pull request that this runner has taken.',
    reply: OverlayPullContent,
    refusals: ['not-found'],
  },
  reportOverlayPull: {
    who: 'runner',
    summary:
      'What has become of a pull request: taken, open, merged, closed, or why it was not opened. A repeat changes nothing.',
    body: { ...requireBody(OverlayPullReport), maxBytes: MAX_SENT_PROPOSAL_BYTES },
    reply: OverlayPullClaim,
    refusals: ['bad-argument', 'not-found', 'not-possible-now', 'too-large'],
  },
  sentProposal: {
    who: 'runner',
    summary: 'A proposal of this runner. 404 = the control plane does not have it.',
    reply: SentProposalState,
    refusals: ['not-found'],
  },
  sendProposal: {
    who: 'runner',
    summary:
      'Stores a proposal of a job of this runner, once. It is checked again here; an undecided one of the same job for the same files is superseded.',
    body: { ...requireBody(SentProposal), maxBytes: MAX_SENT_PROPOSAL_BYTES },
    reply: SentProposalState,
    refusals: ['bad-argument', 'too-large', 'workflow-invalid', 'conflict', 'not-possible-now'],
  },
} satisfies SomeCloudRoutes;
