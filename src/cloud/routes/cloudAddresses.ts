import type { Method, ReplyKind } from '../../contract/routes/addresses.ts';

/**
 * Every route of the control plane by the name of its operation: method, path, and what it answers with where
 * that is not one JSON value (see the addresses of the runner's API). All that a client has to know at run time.
 */
export const CLOUD_ADDRESSES = {
  health: ['GET', '/health'],
  ready: ['GET', '/ready'],
  metrics: ['GET', '/metrics', 'text'],
  openapi: ['GET', '/openapi.json'],
  me: ['GET', '/me'],
  teams: ['GET', '/teams'],
  createTeam: ['POST', '/teams'],
  team: ['GET', '/teams/:teamId'],
  changeTeam: ['PATCH', '/teams/:teamId'],
  deleteTeam: ['DELETE', '/teams/:teamId', 'nothing'],
  teamAudit: ['GET', '/teams/:teamId/audit'],
  teamAuditCheck: ['GET', '/teams/:teamId/audit/check'],
  members: ['GET', '/teams/:teamId/members'],
  changeMember: ['PATCH', '/teams/:teamId/members/:userId'],
  removeMember: ['DELETE', '/teams/:teamId/members/:userId', 'nothing'],
  invitations: ['GET', '/teams/:teamId/invitations'],
  createInvitation: ['POST', '/teams/:teamId/invitations'],
  revokeInvitation: ['DELETE', '/teams/:teamId/invitations/:invitationId', 'nothing'],
  createPairingCode: ['POST', '/teams/:teamId/pairing-codes'],
  pairRunner: ['POST', '/pair'],
  teamRunners: ['GET', '/teams/:teamId/runners'],
  revokeRunner: ['DELETE', '/teams/:teamId/runners/:runnerId', 'nothing'],
  createTeamJob: ['POST', '/teams/:teamId/jobs'],
  teamJobs: ['GET', '/teams/:teamId/jobs', { page: 'jobs' }],
  teamJobCounts: ['GET', '/teams/:teamId/jobs/counts'],
  teamJobsStream: ['GET', '/teams/:teamId/jobs/stream', 'events'],
  teamInbox: ['GET', '/teams/:teamId/inbox', { page: 'jobs' }],
  dispatches: ['GET', '/teams/:teamId/dispatches', { page: 'dispatches' }],
  dispatch: ['GET', '/teams/:teamId/dispatches/:dispatchId'],
  cancelDispatch: ['POST', '/teams/:teamId/dispatches/:dispatchId/cancel'],
  giveUpDispatch: ['POST', '/teams/:teamId/dispatches/:dispatchId/give-up'],
  home: ['GET', '/runner/home'],
  createHome: ['POST', '/runner/home'],
  leaveHome: ['DELETE', '/runner/home', 'nothing'],
  homeEntries: ['GET', '/runner/home/entries', 'bytes'],
  claimHome: ['POST', '/runner/home/claim'],
  releaseHome: ['POST', '/runner/home/release'],
  reseedHome: ['POST', '/runner/home/reseed'],
  divergedHome: ['POST', '/runner/home/diverged', 'nothing'],
  checkpointParts: ['GET', '/runner/home/checkpoints/:entry/parts'],
  putCheckpointPart: ['PUT', '/runner/home/checkpoints/:entry/parts/:part', 'nothing'],
  completeCheckpoint: ['POST', '/runner/home/checkpoints/:entry'],
  checkpoint: ['GET', '/runner/home/checkpoints/:entry', 'bytes'],
  blobs: ['GET', '/runner/blobs'],
  blob: ['GET', '/runner/blobs/:digest', 'bytes'],
  putBlob: ['PUT', '/runner/blobs/:digest', 'nothing'],
  deleteBlob: ['DELETE', '/runner/blobs/:digest', 'nothing'],
  teamHomes: ['GET', '/teams/:teamId/homes'],
  changeRunner: ['PATCH', '/teams/:teamId/runners/:runnerId'],
  releaseRunner: ['POST', '/teams/:teamId/runners/:runnerId/release'],
  teamProposals: ['GET', '/teams/:teamId/proposals', { page: 'proposals' }],
  teamProposal: ['GET', '/teams/:teamId/proposals/:proposalId'],
  approveTeamProposal: ['POST', '/teams/:teamId/proposals/:proposalId/approve'],
  rejectTeamProposal: ['POST', '/teams/:teamId/proposals/:proposalId/reject'],
  applyTeamProposal: ['POST', '/teams/:teamId/proposals/:proposalId/apply'],
  teamOverlay: ['GET', '/teams/:teamId/overlay'],
  teamOverlayVersions: ['GET', '/teams/:teamId/overlay/versions', { page: 'versions' }],
  teamOverlayVersion: ['GET', '/teams/:teamId/overlay/versions/:version'],
  teamOverlayDiff: ['GET', '/teams/:teamId/overlay/versions/:version/diff'],
  teamOverlayFile: ['GET', '/teams/:teamId/overlay/files/:digest', 'bytes'],
  restoreTeamOverlay: ['POST', '/teams/:teamId/overlay/restore'],
  runnerOverlay: ['GET', '/runner/overlay'],
  runnerOverlayFile: ['GET', '/runner/overlay/files/:digest', 'bytes'],
  overlayPulls: ['GET', '/runner/overlay/pulls'],
  overlayPull: ['GET', '/runner/overlay/pulls/:proposalId'],
  reportOverlayPull: ['POST', '/runner/overlay/pulls/:proposalId'],
  sentProposal: ['GET', '/runner/proposals/:proposalId'],
  sendProposal: ['PUT', '/runner/proposals/:proposalId'],
  receiveWebhook: ['POST', '/webhook/:teamId/:pluginId'],
  webhooks: ['GET', '/teams/:teamId/webhooks'],
  addWebhook: ['POST', '/teams/:teamId/webhooks'],
  rotateWebhook: ['POST', '/teams/:teamId/webhooks/:pluginId/rotate'],
  removeWebhook: ['DELETE', '/teams/:teamId/webhooks/:pluginId', 'nothing'],
  surface: ['GET', '/teams/:teamId/surface'],
} as const satisfies Readonly<Record<string, CloudAddress>>;

export type CloudMethod = Method | 'PATCH';

export type CloudAddress = readonly [method: CloudMethod, path: `/${string}`, kind?: ReplyKind];

export type CloudRouteName = keyof typeof CLOUD_ADDRESSES;

export type CloudPathOf<Name extends CloudRouteName> = (typeof CLOUD_ADDRESSES)[Name][1];

export type CloudKindOf<Name extends CloudRouteName> =
  (typeof CLOUD_ADDRESSES)[Name] extends readonly [CloudMethod, string, infer Kind] ? Kind : 'json';
