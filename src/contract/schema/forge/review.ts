import Type from 'typebox';
import { MAX_COMMENT_CHARS, MAX_REVIEW_COMMENTS } from '../../../base/limits/inputLimits.ts';
import { describe, IsoTime, nullable, closed } from '../kit/schemaKit.ts';
import { PrDetail } from './prDetail.ts';

/** What a reviewer decides. `comment`: nothing, only remarks. */
export const ReviewVerdict = Type.Enum(['approve', 'request_changes', 'comment']);
export type ReviewVerdict = Type.Static<typeof ReviewVerdict>;

/** Which side of the diff a line number counts on: before the change, or after it. */
export const DiffSide = Type.Enum(['before', 'after']);
export type DiffSide = Type.Static<typeof DiffSide>;

/** Query of GET /jobs/:jobId/pull-requests/:prId/picture. */
export const PictureQuery = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 4_096, description: 'Path in the repository.' }),
    commit: Type.String({
      pattern: '^[0-9a-f]{40}$',
      description: 'Newest commit of the pull request, as a read gives it.',
    }),
    side: DiffSide,
  },
  closed,
);
export type PictureQuery = Type.Static<typeof PictureQuery>;

/** The newest commit that the person has seen: the whole hash as a read gives it. */
const SeenHead = Type.String({
  pattern: '^[0-9a-f]{12,64}$',
  description:
    '`headCommit` of the pull request that the person has read. Refused with 409 if it is no longer the newest commit.',
});

const Reviewer = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^(?![sS][vV][cC]:)[^\\u0000-\\u001f\\u007f]+$',
  description: 'The person. Default: developer. A name of a job (svc:...) is refused.',
});

export const ReviewCommentBody = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'The file, as the diff names it after the change.',
    }),
    line: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The line; the last one of several.' }),
    ),
    startLine: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The first line of several. Default: `line`.' }),
    ),
    side: Type.Optional(DiffSide),
    body: Type.String({ maxLength: MAX_COMMENT_CHARS, description: 'The comment, in Markdown.' }),
    suggestion: Type.Optional(
      Type.String({
        maxLength: MAX_COMMENT_CHARS,
        description: 'Text to replace the lines with, as a suggestion block. Only on side `after`.',
      }),
    ),
    replyTo: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Id of a comment of `thread`, to answer in its thread; `line` is then left out.',
      }),
    ),
  },
  closed,
);
export type ReviewCommentBody = Type.Static<typeof ReviewCommentBody>;

/** Body of POST .../review. */
export const ReviewBody = Type.Object(
  {
    head: SeenHead,
    verdict: Type.Optional(ReviewVerdict),
    body: Type.Optional(
      Type.String({ maxLength: MAX_COMMENT_CHARS, description: 'Text of the review as a whole.' }),
    ),
    comments: Type.Optional(Type.Array(ReviewCommentBody, { maxItems: MAX_REVIEW_COMMENTS })),
    author: Type.Optional(Reviewer),
  },
  closed,
);
export type ReviewBody = Type.Static<typeof ReviewBody>;

/** Body of POST .../approve-in-svc. */
export const ApproveInSvcBody = Type.Object(
  { head: SeenHead, author: Type.Optional(Reviewer) },
  closed,
);
export type ApproveInSvcBody = Type.Static<typeof ApproveInSvcBody>;

/** The outcome of one part of a review at the forge. */
export const ReviewPartState = Type.Enum(['queued', 'sent', 'rejected', 'undecided']);
export type ReviewPartState = Type.Static<typeof ReviewPartState>;

export const ReviewedComment = Type.Object({
  path: Type.String({ description: 'The file.' }),
  line: nullable(
    Type.Integer(),
    'The line; null for an answer and for a comment on the whole file.',
  ),
  state: describe(
    ReviewPartState,
    'queued: not sent yet. sent: at the forge. rejected: the forge does not take it. undecided: it is unknown whether the forge has it.',
  ),
  reason: nullable(Type.String(), 'Why it was rejected or is undecided; null otherwise.'),
});
export type ReviewedComment = Type.Static<typeof ReviewedComment>;

export const ReviewedVerdict = Type.Object({
  state: Type.Union([ReviewPartState, Type.Literal('none'), Type.Literal('elsewhere')], {
    description:
      'As for a comment. none: there was no verdict. elsewhere: svc cannot give it with its account; a person gives it on the page `url`.',
  }),
  reason: nullable(Type.String(), 'Why it is not `sent`; null otherwise.'),
  url: nullable(
    Type.String(),
    'Page of the forge where a person can give the verdict; null unless it is `elsewhere`.',
  ),
});
export type ReviewedVerdict = Type.Static<typeof ReviewedVerdict>;

/** A review as it was sent, with the outcome of it. */
export const Review = Type.Object({
  id: Type.String({ description: 'Its id.' }),
  jobId: Type.String({ description: 'The job that owns the pull request.' }),
  prId: Type.String({ description: 'The pull request.' }),
  author: Type.String({ description: 'The person.' }),
  head: Type.String({ description: 'The commit that was reviewed.' }),
  at: describe(IsoTime, 'When the runner took it.'),
  verdict: describe(ReviewVerdict, 'What the person decided.'),
  body: Type.String({ description: 'Text of the review as a whole.' }),
  state: Type.Enum(['queued', 'sent', 'partly', 'failed'], {
    description:
      'queued: on its way to the forge. sent: the forge has all of it. partly: see `comments` and `given`. failed: the forge has nothing of it.',
  }),
  problem: nullable(
    Type.String(),
    'Why the forge does not have it yet, or not at all; null otherwise.',
  ),
  agentToldOf: Type.Boolean({
    description: "Whether it is in the job's inbox; false where the job has ended.",
  }),
  given: describe(ReviewedVerdict, 'The outcome of the verdict.'),
  comments: Type.Array(ReviewedComment, {
    description: 'The outcome of each comment, in the order of the request.',
  }),
});
export type Review = Type.Static<typeof Review>;
export const ReviewList = Type.Array(Review);

/** Reply of POST .../threads/:threadId/resolve and unresolve. */
export const ResolvedThread = Type.Object({
  id: Type.String({ description: 'The thread.' }),
  resolved: Type.Boolean({ description: 'Whether it is resolved now.' }),
});
export type ResolvedThread = Type.Static<typeof ResolvedThread>;

/** An approval that svc keeps and no forge has. It counts for exactly its commit. */
export const SvcApproval = Type.Object({
  person: Type.String({ description: 'Who has approved.' }),
  head: Type.String({ description: 'The commit that was approved.' }),
  at: describe(IsoTime, 'When.'),
  current: Type.Boolean({
    description: 'Whether this is still the newest commit; an earlier one does not count.',
  }),
});
export type SvcApproval = Type.Static<typeof SvcApproval>;

/** Reply of GET /jobs/:jobId/pull-requests/:prId: as its forge shows it, and what svc adds. */
export const JobPullRequest = Type.Object({
  ...PrDetail.properties,
  verdicts: Type.Array(ReviewVerdict, {
    description: 'What a review through svc can decide here; `comment` is always among them.',
  }),
  verdictsElsewhere: nullable(
    Type.String(),
    'Why approve or request_changes is not among `verdicts`; a person gives it on the page `url`. Null: both are.',
  ),
  resolvable: Type.Boolean({ description: 'Whether review threads can be resolved through svc.' }),
  svcApprovals: Type.Array(SvcApproval, {
    description: 'Approvals that svc keeps and no forge has, newest first.',
  }),
  conflicts: nullable(
    Type.Array(Type.String()),
    'Files that both branches changed so that git cannot merge them; empty: it can be merged. Null: it is not known.',
  ),
  rebaseRequest: nullable(
    Type.String(),
    'A message to the job that asks its agent to resolve the conflicts, to be edited and sent by POST /jobs/{jobId}/message. Null: no conflict is known.',
  ),
  reviews: Type.Array(Review, { description: 'Reviews that were sent through svc, newest first.' }),
});
export type JobPullRequest = Type.Static<typeof JobPullRequest>;
