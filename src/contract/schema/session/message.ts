import Type from 'typebox';
import { describe, IsoTime, nullable } from '../kit/schemaKit.ts';

/**
 * How a message was given to a session: with its `kickoff`, `folded` into the turn that ran, as its
 * `next-turn`, or as the next turn after an `interrupt` of the one that ran.
 */
export const MessageWay = Type.Enum(['kickoff', 'folded', 'next-turn', 'interrupt']);
export type MessageWay = Type.Static<typeof MessageWay>;

/** One message given to one run of a session; at most one for each run. */
export const MessageOffer = Type.Object({
  phase: nullable(Type.String(), 'The phase of the session; null = none.'),
  visit: Type.Integer({ description: 'The visit of that phase.' }),
  session: Type.Integer({ description: 'The session within the visit.' }),
  attempt: Type.Integer({
    description:
      'Counts the runs of this session that were given messages: a restart of the runner begins another.',
  }),
  how: describe(
    MessageWay,
    'With the kickoff, folded into the turn that ran, as the next turn, or after an interrupt of the turn that ran.',
  ),
  interrupted: nullable(
    Type.String(),
    'What the agent was doing when it was interrupted for the message; null = it was not.',
  ),
  offeredAt: describe(IsoTime, 'When it was given to the session.'),
  deliveredAt: nullable(
    IsoTime,
    'When it became part of what the model is asked; null = not, as far as is known.',
  ),
  acknowledgedAt: nullable(IsoTime, 'When the model began its answer to it; null = it has not.'),
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
  id: Type.String({ description: 'Its id.' }),
  at: describe(IsoTime, 'When the runner took it.'),
  author: Type.String({ description: 'Who wrote it.' }),
  text: Type.String({ description: 'Its text.' }),
  state: describe(
    MessageState,
    'queued: kept. offered: given to a session. delivered: part of what the model is asked. Final: acknowledged, superseded by a later one, or expired with the job.',
  ),
  since: describe(IsoTime, 'Since when it is in that state.'),
  supersededBy: nullable(Type.String(), 'Id of the message that replaced it; null = none.'),
  offers: Type.Array(MessageOffer, {
    description:
      'Oldest first. More than one: the session that had it died before an agent had read it.',
  }),
});
export type MessageReceipt = Type.Static<typeof MessageReceipt>;

/**
 * Reply of GET /jobs/:jobId/messages: a page, oldest first; how many there are in all is in
 * X-Total-Count.
 */
export const MessageList = Type.Array(MessageReceipt);
