import Type from 'typebox';
import { LOOP_RULES } from '../../../shared/limits/loopLimits.ts';
import { describeMembers } from '../kit/describeMembers.ts';

/** What a job has gone round in without progress. */
export const DetectedLoop = describeMembers(
  Type.Object({
    rule: Type.Enum([...LOOP_RULES]),
    times: Type.Integer(),
    phases: Type.Array(Type.String()),
    what: Type.Optional(Type.String()),
  }),
  {
    rule: 'What stayed the same: the state of the work, the failing tests, or what an event led to.',
    times: 'How many laps.',
    phases: 'The phases of the last lap, in order; the last one leads to the first again.',
    what: 'The first failing test, or the event that woke it; left out for the state of the work.',
  },
);
export type DetectedLoop = Type.Static<typeof DetectedLoop>;
