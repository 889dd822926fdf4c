import Type from 'typebox';
import { PrMapping } from './pr.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A pull request as its forge shows it in a list. */
export const PrStatus = Type.Object({
  ...PrMapping.properties,
  body: Type.String(),
  author: Type.String(),
  approvals: Type.Array(Type.String()),
  /**
   * Whether it can be merged now; null for one that is not open, where it is not known yet, and in
   * lists.
   */
  mergeable: nullable(Type.Boolean()),
  comments: Type.Integer(),
  createdAt: Type.String(),
});
export type PrStatus = Type.Static<typeof PrStatus>;

export const PrComment = Type.Object({
  id: Type.String(),
  author: Type.String(),
  /** Untrusted text. */
  body: Type.String(),
  /** Id of the comment that it answers; null for one of its own. */
  inReplyTo: nullable(Type.String()),
  at: Type.String(),
});
export type PrComment = Type.Static<typeof PrComment>;

/** One result of CI for the newest commit. `neutral`: neither good nor bad (skipped, cancelled). */
export const PrCheck = Type.Object({
  name: Type.String(),
  state: Type.Enum(['pending', 'passed', 'failed', 'neutral']),
  url: Type.String(),
});
export type PrCheck = Type.Static<typeof PrCheck>;

/**
 * Comments at a place in the code; the first one began it. `line` is null for a whole file or a
 * line that is gone.
 */
export const ReviewThread = Type.Object({
  id: Type.String(),
  path: Type.String(),
  line: nullable(Type.Integer()),
  resolved: Type.Boolean(),
  /** Ids of its comments, which are in `thread`. */
  commentIds: Type.Array(Type.String()),
});
export type ReviewThread = Type.Static<typeof ReviewThread>;

/**
 * What the checks of the newest commit amount to. `green`: at least one passed, and none failed,
 * was stopped or is still running. `none`: no check was reported. `unreadable`: the token may not
 * read all of them, and none of those it can read failed; never to be taken for green.
 */
export const PrChecks = Type.Object({
  state: Type.Enum(['green', 'red', 'pending', 'none', 'unreadable']),
  /** Why they cannot be read, with the missing permission; empty where they can. */
  reason: Type.String(),
});
export type PrChecks = Type.Static<typeof PrChecks>;

/** The forge's own answer to whether it would merge the pull request now. */
export const PrMergeState = Type.Object({
  /**
   * As the forge writes it: GitHub `mergeable_state`, GitLab `detailed_merge_status`; Bitbucket:
   * the first merge check in the way, or `clean`.
   */
  word: Type.String(),
  /** True if the word means that every check and review that the forge requires is present. */
  clean: Type.Boolean(),
});
export type PrMergeState = Type.Static<typeof PrMergeState>;

/** One pull request with all that was said about it. */
export const PrDetail = Type.Object({
  ...PrStatus.properties,
  /**
   * Newest commit of its branch; Bitbucket gives 12 characters of it. Empty where the forge does
   * not say.
   */
  headCommit: Type.String(),
  /** Accounts whose approval is valid and was given to exactly `headCommit`. */
  headApprovals: Type.Array(Type.String()),
  /** Over all checks. */
  checksState: PrChecks,
  /**
   * Over the checks that the base branch requires; the same as `checksState` on a forge that does
   * not tell them apart.
   */
  requiredChecks: PrChecks,
  /** null for a pull request that is not open, or where the forge does not say. */
  mergeState: nullable(PrMergeState),
  /** Every comment, oldest first. */
  thread: Type.Array(PrComment),
  checks: Type.Array(PrCheck),
  reviewThreads: Type.Array(ReviewThread),
});
export type PrDetail = Type.Static<typeof PrDetail>;
