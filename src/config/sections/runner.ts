import Type from 'typebox';
import { section } from './fieldSchemas.ts';

export const RunnerSection = Type.Object(
  {
    maxConcurrentJobs: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: 2,
      description: 'Jobs that run at the same time.',
    }),
    sessionMinutes: Type.Integer({
      minimum: 1,
      maximum: 1440,
      default: 60,
      description: 'Maximum duration of an agent session, in minutes.',
    }),
    sessionOutputBytes: Type.Integer({
      minimum: 1024,
      maximum: 1_073_741_824,
      default: 16_777_216,
      description: 'Maximum output of one session, in bytes; each line counts 64 bytes extra.',
    }),
    stopGraceSeconds: Type.Integer({
      minimum: 0,
      maximum: 300,
      default: 5,
      description: 'Time between the polite and the forced end of a session, in seconds.',
    }),
  },
  { ...section, title: 'Jobs and sessions' },
);
