import Type from 'typebox';
import { describeMembers } from '../kit/describeMembers.ts';
import { PrMapping } from './pr.ts';
import { nullable } from '../kit/nullable.ts';

/** A pull request as its forge shows it in a list. */
export const PrStatus = describeMembers(
  Type.Object({
    ...PrMapping.properties,
    body: Type.String(),
    author: Type.String(),
    approvals: Type.Array(Type.String()),
    mergeable: nullable(Type.Boolean()),
    comments: Type.Integer(),
    createdAt: Type.String(),
  }),
  {
    body: 'Its text.',
    author: 'The account that opened it.',
    approvals: 'Accounts whose approval is valid.',
    mergeable:
      'Whether it can be merged now; null for one that is not open, where it is not known yet, and in lists.',
    comments: 'How many comments it has.',
    createdAt: 'When it was opened.',
  },
);
export type PrStatus = Type.Static<typeof PrStatus>;

export const PrComment = describeMembers(
  Type.Object({
    id: Type.String(),
    author: Type.String(),
    body: Type.String(),
    inReplyTo: nullable(Type.String()),
    at: Type.String(),
  }),
  {
    id: 'Its id at the forge.',
    author: 'The account that wrote it.',
    body: 'Its text, untrusted.',
    inReplyTo: 'Id of the comment that it answers; null for one of its own.',
    at: 'When it was written.',
  },
);
export type PrComment = Type.Static<typeof PrComment>;

/** One result of CI for the newest commit. `neutral`: neither good nor bad (skipped, cancelled). */
export const PrCheck = describeMembers(
  Type.Object({
    name: Type.String(),
    state: Type.Enum(['pending', 'passed', 'failed', 'neutral']),
    url: Type.String(),
  }),
  {
    name: 'Its name.',
    state: 'Its result; neutral is neither good nor bad, such as skipped or cancelled.',
    url: 'Its page; empty where it has none.',
  },
);
export type PrCheck = Type.Static<typeof PrCheck>;

/**
 * Comments at a place in the code; the first one began it. `line` is null for a whole file or a
 * line that is gone.
 */
export const ReviewThread = describeMembers(
  Type.Object({
    id: Type.String(),
    path: Type.String(),
    line: nullable(Type.Integer()),
    side: Type.Optional(Type.Enum(['before', 'after'])),
    resolved: Type.Boolean(),
    commentIds: Type.Array(Type.String()),
  }),
  {
    id: 'Its id at the forge.',
    path: 'The file.',
    line: 'The line; null for a whole file or a line that is gone.',
    side: 'Where the line is counted, before or after the change; left out = after it, or unknown.',
    resolved: 'Whether it is resolved.',
    commentIds: 'Ids of its comments, which are in `thread`.',
  },
);
export type ReviewThread = Type.Static<typeof ReviewThread>;

/**
 * What the checks of the newest commit amount to. `green`: at least one passed, and none failed,
 * was stopped or is still running. `none`: no check was reported. `unreadable`: the token may not
 * read all of them, and none of those it can read failed; never to be taken for green.
 */
export const PrChecks = describeMembers(
  Type.Object({
    state: Type.Enum(['green', 'red', 'pending', 'none', 'unreadable']),
    reason: Type.String(),
  }),
  {
    state:
      'green: at least one passed and none failed, was stopped or is still running. none: no check was reported. unreadable: the token may not read all of them.',
    reason: 'Why they cannot be read, with the missing permission; empty where they can.',
  },
);
export type PrChecks = Type.Static<typeof PrChecks>;

/** The forge's own answer to whether it would merge the pull request now. */
export const PrMergeState = describeMembers(
  Type.Object({
    word: Type.String(),
    clean: Type.Boolean(),
  }),
  {
    word: 'As the forge writes it: GitHub `mergeable_state`, GitLab `detailed_merge_status`; Bitbucket: the first merge check in the way, or `clean`.',
    clean: 'True if the word means that every check and review that the forge requires is present.',
  },
);
export type PrMergeState = Type.Static<typeof PrMergeState>;

/** What a forge answers about a pull request beside the pull request itself. */
export const PrPart = Type.Enum(['comments', 'reviews', 'threads', 'checks', 'mergeability']);
export type PrPart = Type.Static<typeof PrPart>;

/** A part that could not be read, or not wholly. What needs it waits. */
export const UnreadPart = describeMembers(
  Type.Object({
    parts: Type.Array(PrPart),
    why: Type.String(),
  }),
  {
    parts: 'What is missing, or not whole.',
    why: 'A clause about the pull request.',
  },
);
export type UnreadPart = Type.Static<typeof UnreadPart>;

/** One pull request with all that was said about it. */
export const PrDetail = describeMembers(
  Type.Object({
    ...PrStatus.properties,
    headCommit: Type.String(),
    headApprovals: Type.Array(Type.String()),
    approvalsProblem: Type.Optional(Type.String()),
    changesRequested: Type.Array(Type.String()),
    checksState: PrChecks,
    requiredChecks: PrChecks,
    mergeState: nullable(PrMergeState),
    mergeRefusal: Type.Optional(Type.String()),
    thread: Type.Array(PrComment),
    checks: Type.Array(PrCheck),
    reviewThreads: Type.Array(ReviewThread),
    unread: Type.Optional(Type.Array(UnreadPart)),
  }),
  {
    headCommit:
      'Newest commit of its branch; Bitbucket gives 12 characters of it. Empty where the forge does not say.',
    headApprovals: 'Accounts whose approval is valid and was given to exactly `headCommit`.',
    approvalsProblem:
      'Why the forge does not show who has approved, so that the lists of approvals are empty; left out = it shows them.',
    changesRequested:
      'Accounts whose latest decision, about whatever commit, is that changes are requested, and whose review was not dismissed.',
    checksState: 'Over all checks.',
    requiredChecks:
      'Over the checks that the base branch requires; the same as `checksState` on a forge that does not tell them apart.',
    mergeState: 'null for a pull request that is not open, or where the forge does not say.',
    mergeRefusal:
      'Why svc would refuse to merge it now although `mergeable` is true, and what to do: files of a work tree that has the base checked out (local forge); left out = nothing is known to be in the way.',
    thread: 'Every comment, oldest first.',
    checks: 'Results of CI for the newest commit.',
    reviewThreads: 'Comments at places in the code.',
    unread:
      'What could not be read of it this time, and is read again later; left out = everything was read.',
  },
);
export type PrDetail = Type.Static<typeof PrDetail>;
