import Type from 'typebox';
import { IsoTime } from './isoTime.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/**
 * How a message was given to a session: with its `kickoff`, `folded` into the turn that ran, as its
 * `next-turn`, or as the next turn after an `interrupt` of the one that ran.
 */
export const MessageWay = Type.Enum(['kickoff', 'folded', 'next-turn', 'interrupt']);
export type MessageWay = Type.Static<typeof MessageWay>;

/** One message given to one run of a session; at most one for each run. */
export const MessageOffer = Type.Object({
  phase: nullable(Type.String()),
  visit: Type.Integer(),
  session: Type.Integer(),
  /**
   * Counts the runs of this session that were given messages: a restart of the runner begins
   * another.
   */
  attempt: Type.Integer(),
  how: MessageWay,
  /** What the agent was doing when it was interrupted for the message; null = it was not. */
  interrupted: nullable(Type.String()),
  offeredAt: IsoTime,
  /** When it became part of what the model is asked; null = not, as far as is known. */
  deliveredAt: nullable(IsoTime),
  /** When the model began its answer to it; null = it has not. */
  acknowledgedAt: nullable(IsoTime),
});
export type MessageOffer = Type.Static<typeof MessageOffer>;

/**
 * `queued`: kept, with no session. `offered`: given to the session that runs. `delivered`: part of
 * what the model is asked. Final are `acknowledged`: an agent has read it; `superseded`: a later
 * message replaced it before any agent had it; `expired`: the job ended before. A job that is run
 * again makes an expired message `queued` again.
 */
export const MessageState = Type.Enum([
  'queued',
  'offered',
  'delivered',
  'acknowledged',
  'superseded',
  'expired',
]);
export type MessageState = Type.Static<typeof MessageState>;

/** A message with its receipt. */
export const MessageReceipt = Type.Object({
  id: Type.String(),
  /** When the runner took it. */
  at: IsoTime,
  author: Type.String(),
  text: Type.String(),
  state: MessageState,
  /** Since when it is in that state. */
  since: IsoTime,
  /** Id of the message that replaced it; null = none. */
  supersededBy: nullable(Type.String()),
  /** Oldest first. More than one: the session that had it died before an agent had read it. */
  offers: Type.Array(MessageOffer),
});
export type MessageReceipt = Type.Static<typeof MessageReceipt>;

/**
 * Reply of GET /jobs/:jobId/messages: a page, oldest first; how many there are in all is in
 * X-Total-Count.
 */
export const MessageList = Type.Array(MessageReceipt);
