import Type from 'typebox';
import { MAX_PROPOSAL_FILES } from '../../../base/agents/proposals.ts';
import { closed, describe, nullable } from '../kit/schemaKit.ts';
import { OverlayRepository } from './team.ts';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Path = Type.String({ minLength: 1, maxLength: 512 });
/** Longest text of a file of the overlay, characters. */
const MAX_TEXT_CHARS = 1024 * 1024;
const FileText = Type.String({ maxLength: MAX_TEXT_CHARS });
const Reason = Type.String({ minLength: 1, maxLength: 1_000 });

/** Most pull requests that a runner is given at a time; the others follow. */
export const MAX_OVERLAY_PULLS = 20;

/** Names what is asked for: the same proposal can need a further pull request after one was closed. */
const PULL_KEY = {
  hash: describe(Hash, 'Hash of the proposal.'),
  attempt: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Number of the pull request for the same proposal, from 1.',
  }),
};

/** A pull request that a runner can open, or follows. */
export const OverlayPull = Type.Object({
  proposalId: Type.String({ pattern: '^[0-9a-z]{16}$' }),
  ...PULL_KEY,
  repository: OverlayRepository,
  isMine: Type.Boolean({ description: 'Whether the runner has taken it.' }),
  number: nullable(Type.Integer({ minimum: 1 }), 'Its number at the forge; null = not opened yet.'),
});
export type OverlayPull = Type.Static<typeof OverlayPull>;

/** Reply of GET /runner/overlay/pulls. */
export const OverlayPullList = Type.Object({
  pulls: Type.Array(OverlayPull, { maxItems: MAX_OVERLAY_PULLS }),
  isWaiting: Type.Boolean({ description: 'Whether to ask again within a minute.' }),
});

/** Reply of GET /runner/overlay/pulls/:proposalId. */
export const OverlayPullContent = Type.Object({
  description: Type.String({ description: 'Of the proposal; its first line is the title.' }),
  jobId: nullable(Type.String(), 'The job whose agent proposes it; null = a person.'),
  author: Type.String({ description: 'Who has asked for it.' }),
  files: Type.Array(
    Type.Object({
      path: describe(Path, 'Below the folder of the overlay.'),
      base: nullable(FileText, 'The text that it is for.'),
      text: nullable(FileText, 'The proposed text.'),
    }),
    { maxItems: MAX_PROPOSAL_FILES },
  ),
});
export type OverlayPullContent = Type.Static<typeof OverlayPullContent>;

/** Body of POST /runner/overlay/pulls/:proposalId. */
export const OverlayPullReport = Type.Union([
  Type.Object({ ...PULL_KEY, state: Type.Literal('taken') }, closed),
  Type.Object(
    {
      ...PULL_KEY,
      state: Type.Literal('open'),
      number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
      url: Type.String({ minLength: 1, maxLength: 2_000, description: 'Its page at the forge.' }),
    },
    closed,
  ),
  Type.Object(
    {
      ...PULL_KEY,
      state: Type.Enum(['unable', 'closed', 'conflicted'], {
        description:
          'unable: this runner cannot open it, another one may. closed: without a merge. conflicted: the texts cannot be joined with those of the branch.',
      }),
      reason: Reason,
    },
    closed,
  ),
  Type.Object(
    {
      ...PULL_KEY,
      state: Type.Literal('merged'),
      files: Type.Array(
        Type.Object({ path: Path, text: nullable(FileText, 'null = no such file.') }, closed),
        {
          minItems: 1,
          maxItems: MAX_PROPOSAL_FILES,
          description: 'The files of the proposal as the branch has them.',
        },
      ),
    },
    closed,
  ),
]);
export type OverlayPullReport = Type.Static<typeof OverlayPullReport>;

/** Reply of POST /runner/overlay/pulls/:proposalId. */
export const OverlayPullClaim = Type.Object({
  isTaken: Type.Boolean({
    description: 'false = it is not wanted any more, or another runner has it.',
  }),
});
