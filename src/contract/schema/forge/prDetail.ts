import Type from 'typebox';
import { describe, nullable } from '../kit/schemaKit.ts';
import { PrMapping } from './pr.ts';

/** A pull request as its forge shows it in a list. */
export const PrStatus = Type.Object({
  ...PrMapping.properties,
  body: Type.String({ description: 'Its text.' }),
  author: Type.String({ description: 'The account that opened it.' }),
  approvals: Type.Array(Type.String(), { description: 'Accounts whose approval is valid.' }),
  mergeable: nullable(
    Type.Boolean(),
    'Whether it can be merged now; null for one that is not open, where it is not known yet, and in lists.',
  ),
  comments: Type.Integer({ description: 'How many comments it has.' }),
  createdAt: Type.String({ description: 'When it was opened.' }),
});
export type PrStatus = Type.Static<typeof PrStatus>;

export const PrComment = Type.Object({
  id: Type.String({ description: 'Its id at the forge.' }),
  author: Type.String({ description: 'The account that wrote it.' }),
  body: Type.String({ description: 'Its text, untrusted.' }),
  inReplyTo: nullable(Type.String(), 'Id of the comment that it answers; null for one of its own.'),
  at: Type.String({ description: 'When it was written.' }),
});
export type PrComment = Type.Static<typeof PrComment>;

/** One result of CI for the newest commit. `neutral`: neither good nor bad (skipped, cancelled). */
export const PrCheck = Type.Object({
  name: Type.String({ description: 'Its name.' }),
  state: Type.Enum(['pending', 'passed', 'failed', 'neutral'], {
    description: 'Its result; neutral is neither good nor bad, such as skipped or cancelled.',
  }),
  url: Type.String({ description: 'Its page; empty where it has none.' }),
});
export type PrCheck = Type.Static<typeof PrCheck>;

/**
 * Comments at a place in the code; the first one began it. `line` is null for a whole file or a
 * line that is gone.
 */
export const ReviewThread = Type.Object({
  id: Type.String({ description: 'Its id at the forge.' }),
  path: Type.String({ description: 'The file.' }),
  line: nullable(Type.Integer(), 'The line; null for a whole file or a line that is gone.'),
  side: Type.Optional(
    Type.Enum(['before', 'after'], {
      description:
        'Where the line is counted, before or after the change; left out = after it, or unknown.',
    }),
  ),
  resolved: Type.Boolean({ description: 'Whether it is resolved.' }),
  commentIds: Type.Array(Type.String(), {
    description: 'Ids of its comments, which are in `thread`.',
  }),
});
export type ReviewThread = Type.Static<typeof ReviewThread>;

/**
 * What the checks of the newest commit amount to. `green`: at least one passed, and none failed,
 * was stopped or is still running. `none`: no check was reported. `unreadable`: the token may not
 * read all of them, and none of those it can read failed; never to be taken for green.
 */
export const PrChecks = Type.Object({
  state: Type.Enum(['green', 'red', 'pending', 'none', 'unreadable'], {
    description:
      'green: at least one passed and none failed, was stopped or is still running. none: no check was reported. unreadable: the token may not read all of them.',
  }),
  reason: Type.String({
    description: 'Why they cannot be read, with the missing permission; empty where they can.',
  }),
});
export type PrChecks = Type.Static<typeof PrChecks>;

/** The forge's own answer to whether it would merge the pull request now. */
export const PrMergeState = Type.Object({
  word: Type.String({
    description:
      'As the forge writes it: GitHub `mergeable_state`, GitLab `detailed_merge_status`; Bitbucket: the first merge check in the way, or `clean`.',
  }),
  clean: Type.Boolean({
    description:
      'True if the word means that every check and review that the forge requires is present.',
  }),
});
export type PrMergeState = Type.Static<typeof PrMergeState>;

/** What a forge answers about a pull request beside the pull request itself. */
export const PrPart = Type.Enum(['comments', 'reviews', 'threads', 'checks', 'mergeability']);
export type PrPart = Type.Static<typeof PrPart>;

/** A part that could not be read, or not wholly. What needs it waits. */
export const UnreadPart = Type.Object({
  parts: Type.Array(PrPart, { description: 'What is missing or incomplete.' }),
  why: Type.String({ description: 'A clause about the pull request.' }),
});
export type UnreadPart = Type.Static<typeof UnreadPart>;

/** One pull request with all that was said about it. */
export const PrDetail = Type.Object({
  ...PrStatus.properties,
  headCommit: Type.String({
    description:
      'Newest commit of its branch; Bitbucket gives 12 characters of it. Empty where the forge does not say.',
  }),
  headApprovals: Type.Array(Type.String(), {
    description: 'Accounts whose approval is valid and was given to exactly `headCommit`.',
  }),
  approvalsProblem: Type.Optional(
    Type.String({
      description:
        'Why the forge does not show who has approved, so that the lists of approvals are empty; left out = it shows them.',
    }),
  ),
  changesRequested: Type.Array(Type.String(), {
    description:
      'Accounts whose latest decision, about whatever commit, is that changes are requested, and whose review was not dismissed.',
  }),
  checksState: describe(PrChecks, 'Over all checks.'),
  requiredChecks: describe(
    PrChecks,
    'Over the checks that the base branch requires; the same as `checksState` on a forge that does not tell them apart.',
  ),
  mergeState: nullable(
    PrMergeState,
    'null for a pull request that is not open, or where the forge does not say.',
  ),
  mergeRefusal: Type.Optional(
    Type.String({
      description:
        'Why svc would refuse to merge it now although `mergeable` is true, and what to do: files of a work tree that has the base checked out (local forge); left out = nothing is known to be in the way.',
    }),
  ),
  thread: Type.Array(PrComment, { description: 'Every comment, oldest first.' }),
  checks: Type.Array(PrCheck, { description: 'Results of CI for the newest commit.' }),
  reviewThreads: Type.Array(ReviewThread, { description: 'Comments at places in the code.' }),
  unread: Type.Optional(
    Type.Array(UnreadPart, {
      description:
        'What could not be read of it this time, and is read again later; left out = everything was read.',
    }),
  ),
});
export type PrDetail = Type.Static<typeof PrDetail>;
