import Type from 'typebox';
import { LOOP_RULES } from '../../../base/limits/loopLimits.ts';

/** The phases that a job has repeated without progress. */
export const DetectedLoop = Type.Object({
  rule: Type.Enum([...LOOP_RULES], {
    description:
      'What stayed the same: the state of the work, the failing tests, or what an event led to.',
  }),
  times: Type.Integer({ description: 'How many laps.' }),
  phases: Type.Array(Type.String(), {
    description: 'The phases of the last loop, in order; the last one leads to the first again.',
  }),
  what: Type.Optional(
    Type.String({
      description:
        'The first failing test, or the event that woke it; left out for the state of the work.',
    }),
  ),
});
export type DetectedLoop = Type.Static<typeof DetectedLoop>;
