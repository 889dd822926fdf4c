import { by, type JobChange, type JobEffect, type Patch } from './change.ts';
import type { JobContext } from './jobContext.ts';
import type { Unread } from './unread.ts';
import type { EventOf } from './jobEvents.ts';
import { line } from './log.ts';
import { acknowledgedPatch, messageRow, offerRow, readPatch, supersededPatch } from './rows.ts';
import { NO_SETBACKS } from './rules/contextOf.ts';
import { withoutLaps } from './rules/laps.ts';
import { happened } from './rules/monitors.ts';

const WAYS: Readonly<Record<EventOf<'message.offered'>['how'], string>> = {
  kickoff: 'with the kickoff of the session',
  folded: 'within the current turn',
  'next-turn': 'as the next turn',
  interrupt: 'after an interrupt',
};

const oneLess = (unread: Unread): Unread => ({
  ...unread,
  messages: Math.max(0, unread.messages - 1),
});

/** The context once inbox item `n` no longer has to be given to an agent. */
const withoutItem = ({ inbox, given, unread }: JobContext, n: number): Patch => {
  if (n > inbox.drained) return { unread: oneLess(unread) };
  // It was part of the kickoff: a session that is cut short must not give it back as unread.
  return given === null ? {} : { given: { ...given, unread: oneLess(given.unread) } };
};

/** Changes by messages of people, and by what becomes of them. */
export const messageChanges = {
  /** Counts the message and stores it under its number; the one that it replaces is marked. */
  receiveMessage: by(['job.message'], (context, event) => {
    const { inbox, unread } = context;
    const { replaces } = event;
    const n = inbox.arrived + 1;
    const before: Patch = replaces === undefined ? {} : withoutItem(context, replaces);
    const stored: JobEffect = { type: 'row.put', params: messageRow(context, event, n) };
    const counted = before.unread ?? unread;
    return {
      context: {
        ...before,
        ...happened(context, ['person']),
        ...withoutLaps(context),
        inbox: { ...inbox, arrived: n },
        unread: { ...counted, messages: counted.messages + 1 },
      },
      effects:
        replaces === undefined
          ? [stored]
          : [stored, { type: 'row.patch', params: supersededPatch(context, replaces, event.id) }],
    };
  }),
  noteOffered: by(['message.offered'], (context, event) => {
    const { how, interrupted } = event;
    const cut = interrupted === null ? '' : ` (it was interrupted: ${interrupted})`;
    return {
      effects: [
        { type: 'row.put', params: offerRow(context, event) },
        line(context, event, 'message', `a message is given to the agent ${WAYS[how]}${cut}`),
      ],
    };
  }),
  noteAcknowledged: by(['message.acknowledged'], (context, event) => ({
    context: { ...withoutItem(context, event.n), setbacks: NO_SETBACKS },
    effects: [
      { type: 'row.patch', params: acknowledgedPatch(context, event) },
      { type: 'row.patch', params: readPatch(context, event) },
      line(context, event, 'message', 'the agent has read the message'),
    ],
  })),
} satisfies Record<string, JobChange>;
