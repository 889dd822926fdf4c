/** What a proposal is about; decides which paths its files may have. */
export const PROPOSAL_KINDS = ['memory', 'skill', 'agent', 'workflow'] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

/** Where a proposal can go: the team's folder, or the repository of the job. */
export const PROPOSAL_LAYERS = ['tenant', 'repo'] as const;
export type ProposalLayer = (typeof PROPOSAL_LAYERS)[number];

/** States of the chart `proposal`; the last three are its ends. */
export const PROPOSAL_STATES = [
  'draft',
  'open',
  'approved',
  'applying',
  'conflicted',
  'applied',
  'rejected',
  'superseded',
] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** States in which a proposal waits for a person to approve, apply or reject it. */
export const WAITING_PROPOSALS = [
  'open',
  'approved',
  'conflicted',
] as const satisfies readonly ProposalState[];

export const isWaitingProposal = (state: ProposalState): boolean =>
  WAITING_PROPOSALS.some((one) => one === state);

/** What a warning is about, the gravest first. */
export const PROPOSAL_WARNINGS = ['runs', 'widens', 'weakens', 'hides', 'large'] as const;
export type ProposalWarningKind = (typeof PROPOSAL_WARNINGS)[number];

export const MAX_PROPOSAL_FILES = 20;
export const MAX_PROPOSAL_FILE_CHARS = 64 * 1024;
/** Most characters of all texts of a proposal together. */
export const MAX_PROPOSAL_CHARS = 256 * 1024;
/** Longest description, characters. */
export const MAX_PROPOSAL_DESCRIPTION = 8_000;
/** Most proposals of one job that no person has decided about. */
export const MAX_OPEN_PROPOSALS = 20;
/** Entries of a list of proposals: default, and at most. */
export const DEFAULT_PROPOSALS = 50;
export const MAX_PROPOSALS = 200;
