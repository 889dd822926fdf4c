import type { EventOf } from './jobEvents.ts';
import { log } from './jobLog.ts';
import { answerRow, prRow } from './jobRows.ts';
import { jobSetup } from './jobSetup.ts';
import { contextOf } from './rules/contextOf.ts';
import { ended } from './states/ended.ts';
import { parked } from './states/parked.ts';
import { queued } from './states/queued.ts';
import { working } from './states/working.ts';
import type { JobContext } from './jobContext.ts';

const MAX_MICROSTEPS = 100;

const answer = {
  type: 'row.put' as const,
  params: ({ context, event }: { context: JobContext; event: EventOf<'forge.wrote'> }) => answerRow(context, event.key, event.ok, event.result),
};

export const jobMachine = jobSetup.createMachine({
  id: 'job',
  context: ({ input }) => contextOf(input),
  options: { maxIterations: MAX_MICROSTEPS },
  initial: 'queued',
  on: {
    'forge.wrote': [
      {
        guard: 'ownPrWritten',
        actions: [
          'endWrite',
          'storePr',
          answer,
          {
            type: 'row.put',
            params: ({ context, event }) => {
              if (!event.pr) throw new Error('a pull request was written but is missing');
              return prRow(context, event.pr);
            },
          },
          log<EventOf<'forge.wrote'>>('forge', (_context, { operation, pr }) => `${operation}: ${pr?.prId} is ${pr?.state} (${pr?.url})`),
        ],
      },
      { actions: ['endWrite', answer] },
    ],
    'effect.givenUp': [
      {
        guard: 'givenUpWrite',
        actions: [
          'endWrite',
          { type: 'row.put', params: ({ context, event }) => answerRow(context, event.key ?? '', false, { error: event.error }) },
          log<EventOf<'effect.givenUp'>>('control', (_context, { error }) => `a write to the forge was given up: ${error}`),
        ],
      },
      { actions: log<EventOf<'effect.givenUp'>>('control', (_context, { effect, error }) => `${effect} was given up: ${error}`) },
    ],
    'insight.remove': {
      actions: { type: 'row.drop', params: ({ context, event }) => ({ table: 'insights', key: { job_id: context.id, id: event.id } }) },
    },
  },
  states: { queued, working, parked, ended },
});
