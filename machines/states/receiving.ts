import type { JobContext } from '../jobContext.ts';
import type { EventOf } from '../jobEvents.ts';
import { log } from '../jobLog.ts';
import { eventRow, prOverPatch } from '../jobRows.ts';

type Message = EventOf<'job.message'>;
type Received = EventOf<'forge.event'>;

const putEvent = {
  type: 'row.put' as const,
  params: ({ context, event }: { context: JobContext; event: Received }) => eventRow(context, event),
};

const news = ({ event }: Received): string => `${event.kind} on ${event.prId} by ${event.author}`;

/** A message goes into the inbox; whoever reads it next is decided by the state. */
export const receiveMessage = [
  'receiveMessage' as const,
  'storeMessage' as const,
  log<Message>('message', (_context, { author }) => `message of ${author} for the next session`),
] as const;

/** An event of a pull request that stays open. */
export const receiveEvent = [
  'receiveEvent' as const,
  putEvent,
  log<Received>('event', (_context, event) => news(event)),
] as const;

/** Merged or closed: the mapping says so from now on. */
export const receiveOver = [
  ...receiveEvent,
  { type: 'row.patch' as const, params: ({ event }: { event: Received }) => prOverPatch(event.event) },
] as const;

/** In every state that has ended: events wake nobody, but what has become of a pull request is written down. */
export const noteOver = {
  guard: 'ownPrOver' as const,
  actions: [
    'noteOver' as const,
    { type: 'row.patch' as const, params: ({ event }: { event: Received }) => prOverPatch(event.event) },
    log<Received>('event', (_context, event) => news(event)),
  ],
} as const;

/** In every state that has not ended: what comes in is kept, in the order of its coming. */
export const intoInbox = {
  'job.message': { actions: receiveMessage },
  'forge.event': [
    { guard: 'ownPrOver', actions: receiveOver },
    { guard: 'ownPr', actions: receiveEvent },
  ],
} as const;
