import Type from 'typebox';
import { Pinned, Trust } from './evidence.ts';
import { Cost } from './intake.ts';
import { Usage } from '../session/usage.ts';
import { nullable } from '../kit/schemaKit.ts';

/**
 * Frames of POST /intake/stream and GET /intake/sessions/:sessionId/stream: JSON on message frames
 * of server-sent events, `id:` is `<turn>.<n>`.
 */
export const TokenFrame = Type.Object({ type: Type.Literal('token'), text: Type.String() });
export const ThinkingFrame = Type.Object({ type: Type.Literal('thinking'), text: Type.String() });
/**
 * A look-up begins. `n` counts them within the turn, `round` the times that the model was asked and
 * looked something up. The text before it ends its line: what follows begins one.
 */
export const ToolStartFrame = Type.Object({
  type: Type.Literal('tool_start'),
  id: Type.String(),
  name: Type.String(),
  target: Type.String(),
  n: Type.Integer(),
  round: Type.Integer(),
});
export const ToolEndFrame = Type.Object({
  type: Type.Literal('tool_end'),
  id: Type.String(),
  name: Type.String(),
  target: Type.String(),
  n: Type.Integer(),
  round: Type.Integer(),
  ok: Type.Boolean(),
  ms: Type.Integer(),
  /** Id of the evidence. */
  evidence: Type.String(),
  trust: Trust,
  chars: Type.Integer(),
});
/** The turn is over. */
export const DoneFrame = Type.Object({
  type: Type.Literal('done'),
  /** As in the stored turn: `done` or `interrupted`. */
  state: Type.Enum(['done', 'interrupted']),
  rounds: Type.Integer(),
  usage: Type.Optional(Usage),
  contextTokens: Type.Optional(Type.Integer()),
  /** Tokens of all turns, in and out. */
  sessionTokens: Type.Optional(Type.Integer()),
  /** Turns of the conversation. */
  turns: Type.Optional(Type.Integer()),
  cost: Type.Optional(Cost),
  /** The executor has no chat: the turn ran as a session of its own. */
  fallback: Type.Boolean(),
  pinned: nullable(Pinned),
});
/** The turn has failed; what came until then is kept. */
export const ErrorFrame = Type.Object({
  type: Type.Literal('error'),
  message: Type.String(),
  reason: Type.Optional(Type.String()),
});
/**
 * Frames that are not in the specification. `turn`: one begins, with what the developer said.
 * `again`: the answer since the last look-up is void and comes again. `note`: a line for people.
 * `gap`: frames are no longer kept, read the conversation again. `idle`: nothing runs.
 */
export const TurnFrame = Type.Object({
  type: Type.Literal('turn'),
  n: Type.Integer(),
  message: Type.String(),
});
export const AgainFrame = Type.Object({ type: Type.Literal('again') });
export const NoteFrame = Type.Object({ type: Type.Literal('note'), text: Type.String() });
export const ChatGapFrame = Type.Object({ type: Type.Literal('gap') });
export const IdleFrame = Type.Object({ type: Type.Literal('idle') });

export const IntakeFrame = Type.Union([
  TokenFrame,
  ThinkingFrame,
  ToolStartFrame,
  ToolEndFrame,
  DoneFrame,
  ErrorFrame,
  TurnFrame,
  AgainFrame,
  NoteFrame,
  ChatGapFrame,
  IdleFrame,
]);
export type IntakeFrame = Type.Static<typeof IntakeFrame>;
