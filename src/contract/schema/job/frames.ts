import Type from 'typebox';

/**
 * Event names of GET /jobs/:jobId/stream. `id:` is the frame's number; `bye` and `gap` have none.
 */
export const FrameKind = Type.Union([
  Type.Literal('log'),
  Type.Literal('state'),
  Type.Literal('usage'),
  Type.Literal('artefact'),
]);
export type FrameKind = Type.Static<typeof FrameKind>;

/** Data of a `log` frame. */
export const LogFrame = Type.Object({
  /** ISO 8601. */
  at: Type.String(),
  phase: Type.String(),
  visit: Type.Integer(),
  /** Who speaks. */
  from: Type.Union([Type.Literal('agent'), Type.Literal('runner'), Type.Literal('tool')]),
  /** Tag in brackets such as control or completion-gate; null = none. */
  tag: Type.Union([Type.String(), Type.Null()]),
  line: Type.String(),
});
export type LogFrame = Type.Static<typeof LogFrame>;

/** Data of a `state` frame. */
export const StateFrame = Type.Object({
  at: Type.String(),
  /** Event that led here. */
  event: Type.String(),
  status: Type.String(),
  phase: Type.String(),
  visit: Type.Integer(),
  state: Type.Array(Type.String()),
  parked: Type.Union([
    Type.Object({ kind: Type.String(), since: Type.String(), reason: Type.String() }),
    Type.Null(),
  ]),
  ended: Type.Boolean(),
  /** Only of a complete campaign with sub-runs that failed or escalated: how that is said. */
  incomplete: Type.Optional(Type.String()),
});
export type StateFrame = Type.Static<typeof StateFrame>;

/**
 * Data of `bye`, the stream's last event: the job has ended and all is sent, the runner stops (come
 * back later), or all of the past is sent and nothing else was asked for.
 */
export const ByeFrame = Type.Object({
  reason: Type.Union([Type.Literal('ended'), Type.Literal('stopping'), Type.Literal('caught-up')]),
});
export type ByeFrame = Type.Static<typeof ByeFrame>;

/**
 * Data of `gap`: frames that this connection does not carry. `slow-reader`: the stream is cut here,
 * ask again with the last id that was read. `trimmed`: they are no longer kept, the stream
 * continues with `next`.
 */
export const GapFrame = Type.Object({
  reason: Type.Union([Type.Literal('slow-reader'), Type.Literal('trimmed')]),
  /** Number of the last frame before the gap. */
  after: Type.Integer(),
  /** Number of the first frame behind it; null = not known. */
  next: Type.Union([Type.Integer(), Type.Null()]),
});
export type GapFrame = Type.Static<typeof GapFrame>;
