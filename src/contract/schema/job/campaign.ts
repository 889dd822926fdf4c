import Type from 'typebox';
import { UNREPORTED } from '../policy/costs.ts';
import { describe, nullable } from '../kit/schemaKit.ts';
import { Insight } from './job.ts';
import { LastOutput } from '../session/lastOutput.ts';
import { SubRunSpec, SubRunsState } from './subRun.ts';
import { Usage } from '../session/usage.ts';
import { FailurePolicy } from '../workflow/workflow.ts';

/** A sub-run as GET /jobs/:jobId/sub-runs shows it. */
export const SubRunView = Type.Object({
  ...SubRunSpec.properties,
  waitsFor: nullable(Type.String(), 'What it waits for, in words; null once it has ended.'),
  jobStatus: nullable(Type.String(), 'Status of its job; null before it has one.'),
  canUnskip: Type.Boolean({
    description: 'Whether a person has skipped it and that can be undone now.',
  }),
  lastOutput: Type.Optional(
    describe(LastOutput, 'What its agent wrote last, where its job has failed or escalated.'),
  ),
  tokens: describe(Usage, 'Summed over the sessions of its job.'),
  unreported: Type.Integer({ description: UNREPORTED }),
});
export type SubRunView = Type.Static<typeof SubRunView>;

/** The graph of a parent's sub-runs. */
export const Campaign = Type.Object({
  jobId: Type.String({ description: 'The parent.' }),
  state: describe(SubRunsState, 'State of the whole.'),
  waitsFor: Type.String({
    description: 'What the campaign waits for, in one sentence, with what a person can do.',
  }),
  maxParallelSubRuns: Type.Integer({ description: 'How many sub-runs run at once.' }),
  failurePolicy: describe(FailurePolicy, 'What happens after a failed sub-run.'),
  subRuns: Type.Array(SubRunView, {
    description: 'The sub-runs, in the order of their registration.',
  }),
  criticalPath: Type.Array(Type.String(), {
    description: 'Names along the chain that decides when the campaign is done, in order.',
  }),
  contractDrift: Type.Array(
    Type.Object({ ...Insight.properties, subRun: nullable(Type.String()) }),
    { description: 'Insights of category contract-drift of parent and sub-runs.' },
  ),
  tokens: describe(Usage, 'Parent and sub-runs together.'),
  unreported: Type.Integer({ description: UNREPORTED }),
});
export type Campaign = Type.Static<typeof Campaign>;
