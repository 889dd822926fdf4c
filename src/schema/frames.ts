import Type from 'typebox';

/** Event names of GET /jobs/:jobId/stream. `id:` is the frame's number; `bye` and `gap` have none. */
export const FrameKind = Type.Union([Type.Literal('log'), Type.Literal('state'), Type.Literal('usage'), Type.Literal('artefact')]);
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
  parked: Type.Union([Type.Object({ kind: Type.String(), since: Type.String(), reason: Type.String() }), Type.Null()]),
  ended: Type.Boolean(),
});
export type StateFrame = Type.Static<typeof StateFrame>;
