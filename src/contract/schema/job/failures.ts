import Type from 'typebox';
import { describeMembers } from '../kit/describeMembers.ts';

const Count = Type.Integer({ minimum: 0 });

/** What the number of failed jobs consists of. A sub-run that escalated is in both. */
export const Failures = describeMembers(
  Type.Object({ failed: Count, subRuns: Count, escalated: Count }),
  {
    failed: 'Jobs and sub-runs that failed or escalated.',
    subRuns: 'How many of them are sub-runs.',
    escalated: 'How many of them escalated.',
  },
);
