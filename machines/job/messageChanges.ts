import { onJobEvent, type JobChange, type JobEffect, type Patch } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { UnreadInbox } from './unreadInbox.ts';
import type { EventOf } from './jobEvents.ts';
import { createLogEffect } from './log.ts';
import {
  buildAcknowledgedPatch,
  toMessageRow,
  toOfferRow,
  buildMessageReadPatch,
  buildSupersededPatch,
} from './rows.ts';
import { NO_SETBACKS } from './rules/createJobContext.ts';
import { resetLoops } from './rules/loops.ts';
import { recordFacts } from './rules/monitors.ts';

const WAYS: Readonly<Record<EventOf<'message.offered'>['how'], string>> = {
  kickoff: 'with the kickoff of the session',
  folded: 'within the current turn',
  'next-turn': 'as the next turn',
  interrupt: 'after an interrupt',
};

const decrementUnreadMessages = (unread: UnreadInbox): UnreadInbox => ({
  ...unread,
  messages: Math.max(0, unread.messages - 1),
});

/** The context after inbox item `n` no longer has to be given to an agent. */
const dropUnreadItem = ({ inbox, given, unread }: JobContext, n: number): Patch => {
  if (n > inbox.drained) return { unread: decrementUnreadMessages(unread) };
  // The kickoff included the item: a session that is cut short must not give it back as unread.
  return given === null
    ? {}
    : { given: { ...given, unread: decrementUnreadMessages(given.unread) } };
};

export const messageChanges = {
  /** Stores the message under its number and marks the one that it replaces. */
  receiveMessage: onJobEvent(['job.message'], (context, event) => {
    const { inbox, unread } = context;
    const { replaces } = event;
    const n = inbox.arrived + 1;
    const before: Patch = replaces === undefined ? {} : dropUnreadItem(context, replaces);
    const messageRow: JobEffect = { type: 'row.put', params: toMessageRow(context, event, n) };
    const unreadCounts = before.unread ?? unread;
    return {
      context: {
        ...before,
        ...recordFacts(context, ['person']),
        ...resetLoops(context),
        inbox: { ...inbox, arrived: n },
        unread: { ...unreadCounts, messages: unreadCounts.messages + 1 },
      },
      effects:
        replaces === undefined
          ? [messageRow]
          : [
              messageRow,
              { type: 'row.patch', params: buildSupersededPatch(context, replaces, event.id) },
            ],
    };
  }),
  noteOffered: onJobEvent(['message.offered'], (context, event) => {
    const { how, interrupted } = event;
    const cut = interrupted === null ? '' : ` (it was interrupted: ${interrupted})`;
    return {
      effects: [
        { type: 'row.put', params: toOfferRow(context, event) },
        createLogEffect(
          context,
          event,
          'message',
          `a message is given to the agent ${WAYS[how]}${cut}`,
        ),
      ],
    };
  }),
  noteAcknowledged: onJobEvent(['message.acknowledged'], (context, event) => ({
    context: { ...dropUnreadItem(context, event.n), setbacks: NO_SETBACKS },
    effects: [
      { type: 'row.patch', params: buildAcknowledgedPatch(context, event) },
      { type: 'row.patch', params: buildMessageReadPatch(context, event) },
      createLogEffect(context, event, 'message', 'the agent has read the message'),
    ],
  })),
} satisfies Record<string, JobChange>;
