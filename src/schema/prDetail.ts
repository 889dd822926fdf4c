import Type from 'typebox';
import { PrMapping } from './pr.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A pull request as its forge shows it in a list. */
export const PrStatus = Type.Object({
  ...PrMapping.properties,
  body: Type.String(),
  author: Type.String(),
  approvals: Type.Array(Type.String()),
  /** Whether it can be merged now; null for one that is not open, where it is not known yet, and in lists. */
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

/** Comments at a place in the code; the first one began it. `line` is null for a whole file or a line that is gone. */
export const ReviewThread = Type.Object({
  id: Type.String(),
  path: Type.String(),
  line: nullable(Type.Integer()),
  resolved: Type.Boolean(),
  /** Ids of its comments, which stand in `thread`. */
  commentIds: Type.Array(Type.String()),
});
export type ReviewThread = Type.Static<typeof ReviewThread>;

/** One pull request with all that was said about it. */
export const PrDetail = Type.Object({
  ...PrStatus.properties,
  /** Every comment, oldest first. */
  thread: Type.Array(PrComment),
  checks: Type.Array(PrCheck),
  reviewThreads: Type.Array(ReviewThread),
});
export type PrDetail = Type.Static<typeof PrDetail>;
