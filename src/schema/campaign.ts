import Type from 'typebox';
import { Insight } from './job.ts';
import { SubRunSpec, SubRunsState } from './subRun.ts';
import { Usage } from './usage.ts';
import { FailurePolicy } from './workflow.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A sub-run as GET /jobs/:jobId/sub-runs shows it. */
export const SubRunView = Type.Object({
  ...SubRunSpec.properties,
  /** What it waits for, in words; null once it has ended. */
  waitsFor: nullable(Type.String()),
  /** Public status of its job; null before it has one. */
  jobStatus: nullable(Type.String()),
  /** Summed over the sessions of its job. */
  tokens: Usage,
});
export type SubRunView = Type.Static<typeof SubRunView>;

/** The graph of a parent's sub-runs. */
export const Campaign = Type.Object({
  jobId: Type.String(),
  state: SubRunsState,
  /** What the whole waits for, in one sentence, with what a person can do. */
  waitsFor: Type.String(),
  maxParallelSubRuns: Type.Integer(),
  failurePolicy: FailurePolicy,
  subRuns: Type.Array(SubRunView),
  /** Names along the chain that decides when the whole is done, in order. */
  criticalPath: Type.Array(Type.String()),
  /** Insights of category contract-drift of parent and sub-runs. */
  contractDrift: Type.Array(
    Type.Object({ ...Insight.properties, subRun: nullable(Type.String()) }),
  ),
  /** Parent and sub-runs together. */
  tokens: Usage,
});
export type Campaign = Type.Static<typeof Campaign>;
