import Type from 'typebox';
import { section } from './fieldSchemas.ts';

const keptNote = 'Kept by the runner.';
const writtenNote = 'Written at most once a minute, and at its stop.';

export const CoachMode = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description: 'New jobs are interactive unless params.interactive says otherwise.',
    }),
    graduateAfterRuns: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 5,
      description: 'Jobs after which the dashboard offers to end the learning phase.',
    }),
    totalRuns: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      description: `Number of jobs so far. ${keptNote} ${writtenNote}`,
    }),
    lastRunAt: Type.Optional(
      Type.String({ maxLength: 64, description: `Time of the last job, ISO 8601. ${keptNote}` }),
    ),
    graduatedAt: Type.Optional(
      Type.String({
        maxLength: 64,
        description: `When the learning phase ended, ISO 8601. ${keptNote}`,
      }),
    ),
  },
  { ...section, title: 'Learning phase of a team' },
);
