import type { JobContext } from '../jobContext.ts';
import type { EventOf } from '../jobEvents.ts';
import { log } from '../jobLog.ts';
import { acknowledgedPatch, deliveredPatch, offerRow, readPatch } from '../jobRows.ts';

type Offered = EventOf<'message.offered'>;
type Delivered = EventOf<'message.delivered'>;
type Acknowledged = EventOf<'message.acknowledged'>;

const WAYS: Readonly<Record<Offered['how'], string>> = {
  kickoff: 'with the kickoff of the session',
  folded: 'within the turn that runs',
  'next-turn': 'as the next turn',
  interrupt: 'after an interrupt',
};

/** In every state: what becomes of a message outlives the session that was given it. */
export const receipts = {
  'message.offered': {
    actions: [
      { type: 'row.put', params: ({ context, event }: { context: JobContext; event: Offered }) => offerRow(context, event) },
      log<Offered>(
        'message',
        (_context, { how, interrupted }) =>
          `a message is given to the agent ${WAYS[how]}${interrupted === null ? '' : ` (it was interrupted: ${interrupted})`}`,
      ),
    ],
  },
  'message.delivered': {
    actions: {
      type: 'row.patch',
      params: ({ context, event }: { context: JobContext; event: Delivered }) => deliveredPatch(context, event),
    },
  },
  'message.acknowledged': {
    actions: [
      'noteAcknowledged',
      {
        type: 'row.patch',
        params: ({ context, event }: { context: JobContext; event: Acknowledged }) => acknowledgedPatch(context, event),
      },
      {
        type: 'row.patch',
        params: ({ context, event }: { context: JobContext; event: Acknowledged }) => readPatch(context, event),
      },
      log<Acknowledged>('message', () => 'the agent has read the message'),
    ],
  },
} as const;
