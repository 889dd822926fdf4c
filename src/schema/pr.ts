import Type from 'typebox';

export const PrState = Type.Union([Type.Literal('open'), Type.Literal('merged'), Type.Literal('closed')]);
export type PrState = Type.Static<typeof PrState>;

/** A pull request that a job owns. Unique by (forge, repo, number). */
export const PrMapping = Type.Object({
  /** `<forge>:<repo>#<number>`; the id that tools and work items use. */
  prId: Type.String(),
  forge: Type.String(),
  repo: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  head: Type.String(),
  base: Type.String(),
  url: Type.String(),
  state: PrState,
  /** Work item it was opened for. */
  workItem: Type.Union([Type.String(), Type.Null()]),
  /** ISO 8601; set by the merge. */
  mergedAt: Type.Union([Type.String(), Type.Null()]),
});
export type PrMapping = Type.Static<typeof PrMapping>;

/** What can happen to a pull request and wake its job. */
export const PrEventKind = Type.Union([
  Type.Literal('approved'),
  Type.Literal('changes_requested'),
  Type.Literal('commented'),
  /** A comment at a place in the code. */
  Type.Literal('review_thread'),
  /** CI: one of the checks of the newest commit has failed. */
  Type.Literal('check_failed'),
  /** CI: all checks of the newest commit are green. Told each time they become so, only to jobs whose await_event names this kind. */
  Type.Literal('check_passed'),
  /** It cannot be merged any more without somebody's work. */
  Type.Literal('conflict'),
  Type.Literal('merged'),
  Type.Literal('closed'),
]);
export type PrEventKind = Type.Static<typeof PrEventKind>;

/** One thing that happened to a pull request, as every forge reports it to us. */
export const PrEvent = Type.Object({
  kind: PrEventKind,
  forge: Type.String(),
  repo: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  prId: Type.String(),
  author: Type.String(),
  /** Text of the comment or review, untrusted; empty where there is none. */
  text: Type.String(),
  url: Type.String(),
  /** Id of the event at the forge; a second delivery with the same one does nothing. */
  externalId: Type.String(),
  /** Epoch ms at the forge. */
  happenedAt: Type.Integer(),
});
export type PrEvent = Type.Static<typeof PrEvent>;
