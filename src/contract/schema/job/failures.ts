import Type from 'typebox';
import { describe } from '../kit/schemaKit.ts';

const Count = Type.Integer({ minimum: 0 });

/** What the number of failed jobs consists of. A sub-run that escalated is in both. */
export const Failures = Type.Object({
  failed: describe(Count, 'Jobs and sub-runs that failed or escalated.'),
  subRuns: describe(Count, 'How many of them are sub-runs.'),
  escalated: describe(Count, 'How many of them escalated.'),
});
