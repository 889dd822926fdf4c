import type { EventOf } from '../jobEvents.ts';
import { writeLogLine } from '../log.ts';
import type { JobContext } from '../jobContext.ts';
import { buildPrStatePatch } from '../rows.ts';

type Message = EventOf<'job.message'>;

/** A message goes into the inbox; the state decides which agent reads it. */
export const receiveMessage = [
  'receiveMessage' as const,
  writeLogLine<Message>(
    'message',
    (_context, { author }) => `message of ${author} for the next session`,
  ),
] as const;

/** Merged, closed or reopened: the mapping records it. */
export const receivePrEnd = [
  'receiveEvent' as const,
  {
    type: 'row.patch' as const,
    params: ({ context, event }: { context: JobContext; event: EventOf<'forge.event'> }) =>
      buildPrStatePatch(context, event.event),
  },
] as const;

/** In every ended state: the state of a pull request is recorded, but wakes nothing. */
export const notePrEnd = { guard: 'ownPrOver', actions: 'noteOver' } as const;

/** In every state that has not ended: incoming items are kept in order of arrival. */
export const inboxTransitions = {
  'job.message': { actions: receiveMessage },
  'forge.event': [
    { guard: 'ownPrOver', actions: receivePrEnd },
    { guard: 'ownPr', actions: 'receiveEvent' },
  ],
} as const;
