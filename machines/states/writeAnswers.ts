import type { JobContext } from '../jobContext.ts';
import type { EventOf } from '../jobEvents.ts';
import { answerRow } from '../jobRows.ts';

/** Keeps the answer of a write for the tool that asked. */
export const keepAnswer = {
  type: 'row.put' as const,
  params: ({ context, event }: { context: JobContext; event: EventOf<'forge.wrote'> }) =>
    answerRow(context, event.key, event.ok, event.result),
};

/** A write of which nobody can tell whether it was done, answered while no agent is at work: a person has to look. */
export const undecidedEnds = {
  'forge.wrote': {
    guard: 'writeUndecided' as const,
    target: '#job.ended.escalated' as const,
    actions: ['endWrite' as const, keepAnswer, 'escalateUndecided' as const],
  },
};

/** The same while an agent is at work: it ends its turn first. */
export const undecidedIsNoted = {
  'forge.wrote': { guard: 'writeUndecided' as const, actions: ['endWrite' as const, keepAnswer, 'noteUndecided' as const] },
};
