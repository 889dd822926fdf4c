import { by, type JobChange, type Patch } from './change.ts';
import type { JobContext, Unread } from './jobContext.ts';
import { messageRow, supersededPatch } from './jobRows.ts';
import { NO_SETBACKS } from './rules/contextOf.ts';

const oneLess = (unread: Unread): Unread => ({ ...unread, messages: Math.max(0, unread.messages - 1) });

/** The context once nobody has to be given inbox item `n` any more. */
const withoutItem = ({ inbox, given, unread }: JobContext, n: number): Patch => {
  if (n > inbox.drained) return { unread: oneLess(unread) };
  // It was part of the kickoff: a session that is cut short must not give it back as unread.
  return given === null ? {} : { given: { ...given, unread: oneLess(given.unread) } };
};

/** Changes by messages of people, and by what becomes of them. */
export const messageChanges = {
  receiveMessage: by(['job.message'], (context, { replaces }) => {
    const { inbox, unread } = context;
    const before: Patch = replaces === undefined ? {} : withoutItem(context, replaces);
    const counted = before.unread ?? unread;
    return {
      context: {
        ...before,
        inbox: { ...inbox, arrived: inbox.arrived + 1 },
        unread: { ...counted, messages: counted.messages + 1 },
      },
    };
  }),
  noteAcknowledged: by(['message.acknowledged'], (context, { n }) => ({
    context: { ...withoutItem(context, n), setbacks: NO_SETBACKS },
  })),
  /** To be taken after the message was counted. */
  storeMessage: by(['job.message'], (context, event) => ({
    effects: [
      { type: 'row.put', params: messageRow(context, event) },
      ...(event.replaces === undefined
        ? []
        : [{ type: 'row.patch' as const, params: supersededPatch(context, event.replaces, event.id) }]),
    ],
  })),
} satisfies Record<string, JobChange>;
