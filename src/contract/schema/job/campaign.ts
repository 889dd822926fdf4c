import Type from 'typebox';
import { UNREPORTED } from '../policy/costs.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { Insight } from './job.ts';
import { LastOutput } from '../session/lastOutput.ts';
import { SubRunSpec, SubRunsState } from './subRun.ts';
import { Usage } from '../session/usage.ts';
import { FailurePolicy } from '../workflow/workflow.ts';
import { nullable } from '../kit/nullable.ts';

/** A sub-run as GET /jobs/:jobId/sub-runs shows it. */
export const SubRunView = describeMembers(
  Type.Object({
    ...SubRunSpec.properties,
    waitsFor: nullable(Type.String()),
    jobStatus: nullable(Type.String()),
    canUnskip: Type.Boolean(),
    lastOutput: Type.Optional(LastOutput),
    tokens: Usage,
    unreported: Type.Integer(),
  }),
  {
    waitsFor: 'What it waits for, in words; null once it has ended.',
    jobStatus: 'Status of its job; null before it has one.',
    canUnskip: 'Whether a person has skipped it and that can be undone now.',
    lastOutput: 'What its agent wrote last, where its job has failed or escalated.',
    tokens: 'Summed over the sessions of its job.',
    unreported: UNREPORTED,
  },
);
export type SubRunView = Type.Static<typeof SubRunView>;

/** The graph of a parent's sub-runs. */
export const Campaign = describeMembers(
  Type.Object({
    jobId: Type.String(),
    state: SubRunsState,
    waitsFor: Type.String(),
    maxParallelSubRuns: Type.Integer(),
    failurePolicy: FailurePolicy,
    subRuns: Type.Array(SubRunView),
    criticalPath: Type.Array(Type.String()),
    contractDrift: Type.Array(
      Type.Object({ ...Insight.properties, subRun: nullable(Type.String()) }),
    ),
    tokens: Usage,
    unreported: Type.Integer(),
  }),
  {
    jobId: 'The parent.',
    state: 'State of the whole.',
    waitsFor: 'What the whole waits for, in one sentence, with what a person can do.',
    maxParallelSubRuns: 'How many sub-runs run at once.',
    failurePolicy: 'What happens after a failed sub-run.',
    subRuns: 'The sub-runs, in the order of their registration.',
    criticalPath: 'Names along the chain that decides when the whole is done, in order.',
    contractDrift: 'Insights of category contract-drift of parent and sub-runs.',
    tokens: 'Parent and sub-runs together.',
    unreported: UNREPORTED,
  },
);
export type Campaign = Type.Static<typeof Campaign>;
