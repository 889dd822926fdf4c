import type { EventOf } from '../jobEvents.ts';
import { writeLogLine } from '../log.ts';
import { buildUndecidedPatch } from '../rows.ts';

/** Closes the write in the ledger too if the kernel gave it up. */
const closeWrite = {
  type: 'row.patch' as const,
  params: ({ event }: { event: EventOf<'forge.wrote'> }) => buildUndecidedPatch(event),
};

/** A write with an unknown outcome while no agent works: a person must check it. */
export const endOnUndecidedWrite = {
  'forge.wrote': {
    guard: 'writeUndecided' as const,
    target: '#job.ended.escalated' as const,
    actions: ['endWrite' as const, closeWrite, 'escalateUndecided' as const],
  },
};

/** The same while an agent works: its turn ends first. */
export const noteUndecidedWrite = {
  'forge.wrote': {
    guard: 'writeUndecided' as const,
    actions: ['endWrite' as const, closeWrite, 'noteUndecided' as const],
  },
};

/** The same after the job has ended: only the log records it. */
export const logLateUndecidedWrite = {
  guard: 'writeUndecided' as const,
  actions: [
    'endWrite' as const,
    closeWrite,
    writeLogLine<EventOf<'forge.wrote'>>('forge', (_context, { result }) => String(result.error)),
  ],
};
