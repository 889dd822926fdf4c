import Type from 'typebox';
import type { ReplyKind } from './addresses.ts';

interface NamedReply {
  status?: number;
  reply?: Type.TSchema;
  mime?: string;
}

const TEXT = Type.String();
const TEXT_MIMES: ReadonlyMap<ReplyKind, string> = new Map([
  ['text', 'text/plain'],
  ['events', 'text/event-stream'],
]);

/** Status, schema and media type of a route's reply: what its entry names, else what its kind has. */
export const completeReply = (kind: ReplyKind, { status, reply, mime }: NamedReply) => ({
  status: status ?? (kind === 'nothing' ? 204 : 200),
  reply: kind === 'nothing' ? null : (reply ?? TEXT),
  mime: mime ?? TEXT_MIMES.get(kind) ?? 'application/json',
});
