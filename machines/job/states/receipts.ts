import type { JobContext } from '../jobContext.ts';
import type { EventOf } from '../jobEvents.ts';
import { buildDeliveredPatch } from '../rows.ts';

type DeliveredEvent = EventOf<'message.delivered'>;

/** In every state: a message's receipts may come after the session that was given it. */
export const receipts = {
  'message.offered': { actions: 'noteOffered' },
  'message.delivered': {
    actions: {
      type: 'row.patch',
      params: ({ context, event }: { context: JobContext; event: DeliveredEvent }) =>
        buildDeliveredPatch(context, event),
    },
  },
  'message.acknowledged': { actions: 'noteAcknowledged' },
} as const;
