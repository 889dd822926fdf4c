import type { EventOf } from '../jobEvents.ts';
import { writeLogLine } from '../log.ts';
import { buildUndecidedPatch } from '../rows.ts';

/** The ledger of writes is closed too if the kernel gave the write up. */
const closeWrite = {
  type: 'row.patch' as const,
  params: ({ event }: { event: EventOf<'forge.wrote'> }) => buildUndecidedPatch(event),
};

/**
 * A write with an unknown outcome, answered while no agent is at work: a person has to check it.
 */
export const endOnUndecidedWrite = {
  'forge.wrote': {
    guard: 'writeUndecided' as const,
    target: '#job.ended.escalated' as const,
    actions: ['endWrite' as const, closeWrite, 'escalateUndecided' as const],
  },
};

/** The same while an agent is at work: it ends its turn first. */
export const noteUndecidedWrite = {
  'forge.wrote': {
    guard: 'writeUndecided' as const,
    actions: ['endWrite' as const, closeWrite, 'noteUndecided' as const],
  },
};

/** The same after the job has ended: its log records it. */
export const logLateUndecidedWrite = {
  guard: 'writeUndecided' as const,
  actions: [
    'endWrite' as const,
    closeWrite,
    writeLogLine<EventOf<'forge.wrote'>>('forge', (_context, { result }) => String(result.error)),
  ],
};
