import Type from 'typebox';
import { LAP_RULES } from '../domain/lapLimits.ts';
import { described } from './described.ts';

/** What a job has gone round in without progress. */
export const Circle = described(
  Type.Object({
    rule: Type.Enum([...LAP_RULES]),
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
export type Circle = Type.Static<typeof Circle>;
