import Type from 'typebox';
import {
  MAX_PROPOSAL_DESCRIPTION,
  MAX_PROPOSAL_FILES,
  PROPOSAL_KINDS,
  PROPOSAL_STATES,
} from '../../../base/agents/proposals.ts';
import { Limit, Offset } from '../kit/page.ts';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Version = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });

/** Most findings, and most simulated workflows, that a runner sends with a proposal. */
const MAX_SENT_CHECKS = 100;
/** Longest text of a file of the overlay, characters. */
const MAX_BASE_CHARS = 1024 * 1024;
/** Longest path of a file, characters. */
const MAX_PATH_CHARS = 512;
/** Largest body with a proposal, bytes: its own texts, and those of the files that it changes. */
export const MAX_SENT_PROPOSAL_BYTES = 12 * 1024 * 1024;

/** Body of PUT /runner/proposals/:proposalId. */
export const SentProposal = Type.Object(
  {
    kind: Type.Enum([...PROPOSAL_KINDS]),
    description: Type.String({ minLength: 1, maxLength: MAX_PROPOSAL_DESCRIPTION }),
    files: Type.Array(
      Type.Object({
        path: Type.String({ minLength: 1, maxLength: MAX_PATH_CHARS }),
        base: nullable(Type.String({ maxLength: MAX_BASE_CHARS }), 'The text that it is for.'),
        text: nullable(Type.String({ maxLength: MAX_BASE_CHARS }), 'The proposed text.'),
      }),
      { minItems: 1, maxItems: MAX_PROPOSAL_FILES },
    ),
    hash: describe(Hash, 'Hash of the content, as the runner has computed it.'),
    jobId: nullable(Type.String({ minLength: 1, maxLength: 128 }), 'null = a person proposes it.'),
    phase: nullable(Type.String({ maxLength: 200 })),
    at: describe(IsoTime, 'When it was proposed.'),
    simulated: Type.Array(
      Type.Object({
        path: Type.String({ maxLength: MAX_PATH_CHARS }),
        outcome: Type.String({ maxLength: 100 }),
        says: Type.String({ maxLength: 2_000 }),
      }),
      { maxItems: MAX_SENT_CHECKS, description: 'Its workflows, as the runner has played them.' },
    ),
  },
  closed,
);
export type SentProposal = Type.Static<typeof SentProposal>;

/** Body of POST /teams/:teamId/intelligence/proposals. */
export const ProposeFileBody = Type.Object(
  {
    description: Type.String({ minLength: 1, maxLength: MAX_PROPOSAL_DESCRIPTION }),
    text: nullable(Type.String({ maxLength: MAX_BASE_CHARS }), 'The text; null = it is removed.'),
    etag: nullable(
      Type.String({ minLength: 1, maxLength: 200 }),
      'ETag of the text that it changes; null = the overlay has no such file.',
    ),
  },
  closed,
);
export type ProposeFileBody = Type.Static<typeof ProposeFileBody>;

/** Reply to a runner about a proposal that it has sent. */
export const SentProposalState = Type.Object({
  id: Type.String(),
  hash: Hash,
  state: Type.Enum([...PROPOSAL_STATES]),
  author: nullable(Type.String(), 'Who has decided last; null = no one.'),
  reason: nullable(Type.String(), 'Why it was rejected; null = no reason was given.'),
});
export type SentProposalState = Type.Static<typeof SentProposalState>;

/** One file of a version. */
const VersionFile = Type.Object({
  path: Type.String(),
  sha256: describe(Hash, 'SHA-256 of its bytes, under which it is read.'),
  bytes: Type.Integer({ minimum: 0 }),
});

const VERSION_FACTS = {
  version: describe(Version, 'Its number; 0 = the team has no overlay yet.'),
  at: nullable(IsoTime, 'When it was made; null for version 0.'),
  author: nullable(Type.String(), 'Who made it; null for version 0.'),
  proposalId: nullable(Type.String(), 'The proposal that was applied; else null.'),
  restores: nullable(Version, 'The older version whose files it has again; else null.'),
};

/** A version of the overlay of a team, without its files. */
const OverlayVersionSummary = Type.Object({
  ...VERSION_FACTS,
  fileCount: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0, description: 'Of all files together.' }),
});
export type OverlayVersionSummary = Type.Static<typeof OverlayVersionSummary>;

export const OverlayVersionList = Type.Array(OverlayVersionSummary);

/** A version of the overlay of a team. */
export const OverlayVersion = Type.Object({
  ...VERSION_FACTS,
  files: Type.Array(VersionFile, { description: 'By path.' }),
});
export type OverlayVersion = Type.Static<typeof OverlayVersion>;

export const DEFAULT_VERSIONS = 50;
export const MAX_VERSIONS = 200;

/** Query of GET /teams/:teamId/overlay/versions. */
export const OverlayVersionsQuery = Type.Object(
  {
    limit: Type.Optional(Limit(MAX_VERSIONS, DEFAULT_VERSIONS)),
    offset: Type.Optional(Offset),
  },
  closed,
);

/** Query of GET /teams/:teamId/overlay/versions/:version/diff. */
export const OverlayDiffQuery = Type.Object(
  {
    from: Type.Optional(
      describe(Version, 'The version to compare with. Default: the one before it.'),
    ),
  },
  closed,
);

/** Reply of GET /teams/:teamId/overlay/versions/:version/diff. */
export const OverlayDiff = Type.Object({
  from: Version,
  to: Version,
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      change: Type.Enum(['added', 'changed', 'removed']),
      diff: Type.String({
        description: 'As git shows it; empty for a file that is no text.',
      }),
    }),
  ),
  isCut: Type.Boolean({ description: 'More files differ than are shown.' }),
});
export type OverlayDiff = Type.Static<typeof OverlayDiff>;

/** Body of POST /teams/:teamId/overlay/restore. */
export const RestoreOverlayBody = Type.Object(
  {
    version: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version whose files count again.',
    }),
    newest: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The newest version, as you have seen it. With another one nothing is done.',
    }),
  },
  closed,
);
export type RestoreOverlayBody = Type.Static<typeof RestoreOverlayBody>;

/** Query of GET /runner/overlay. */
export const RunnerOverlayQuery = Type.Object(
  {
    known: Type.Optional(describe(Version, 'The version that the runner has.')),
  },
  closed,
);

/** Reply of GET /runner/overlay. */
export const RunnerOverlay = Type.Object({
  version: describe(Version, 'The newest one; 0 = the team has no overlay.'),
  files: nullable(Type.Array(VersionFile), 'null = the runner has this version.'),
});
export type RunnerOverlay = Type.Static<typeof RunnerOverlay>;
