import Type from 'typebox';
import { OwnCaps } from '../policy/budget.ts';
import { nullable } from '../kit/schemaKit.ts';

const Clause = Type.Object({
  fact: Type.String(),
  since: Type.Optional(Type.String()),
  not: Type.Optional(Type.Literal(true)),
});

const ref = {
  id: Type.String(),
  from: Type.Optional(
    Type.Union([
      Type.Literal('configuration'),
      Type.Literal('base'),
      Type.Literal('tenant'),
      Type.Literal('repo'),
      Type.Literal('inherited'),
    ]),
  ),
};

/** A rule about every job of a workflow, as `src/base/invariants/invariant.ts` describes it. */
const Invariant = Type.Union([
  Type.Object({ ...ref, never: Type.String(), unless: Type.Array(Type.Array(Clause)) }),
  Type.Object({ ...ref, visits: Type.String(), atMost: Type.Integer({ minimum: 1 }) }),
  Type.Object({ ...ref, tool: Type.String(), onlyIn: Type.Array(Type.String()) }),
]);

/** One phase of a workflow as the front matter declares it, with every default filled in. */
export const PhaseDefinition = Type.Object({
  name: Type.String(),
  /** Path of the agent markdown in the overlay; null = no session in this phase. */
  agent: nullable(Type.String()),
  /** Alias such as planning or coding; null = the executor's default. */
  model: nullable(Type.String()),
  status: Type.String(),
  interactive_checkpoint: Type.Boolean(),
  /** Executor plugin id; null = llm.defaultProvider. */
  provider: nullable(Type.String()),
  /** Obligations that replace the default ones of the decision layer; null = the default ones. */
  obligations: nullable(Type.Array(Type.String())),
  /** The only tools that the phase's agent has; left out = all. */
  tools: Type.Optional(Type.Array(Type.String())),
});
export type PhaseDefinition = Type.Static<typeof PhaseDefinition>;

export const FailurePolicy = Type.Union([
  Type.Literal('halt-on-failure'),
  Type.Literal('continue'),
]);
export type FailurePolicy = Type.Static<typeof FailurePolicy>;

export const Coordinator = Type.Object({
  enabled: Type.Boolean(),
  parkPhase: nullable(Type.String()),
  parkStatus: nullable(Type.String()),
  resumePhase: nullable(Type.String()),
  subRunWorkflowPath: nullable(Type.String()),
  subRunParamsDefault: Type.Record(Type.String(), Type.Unknown()),
  maxParallelSubRuns: Type.Integer({ minimum: 1 }),
  failurePolicy: FailurePolicy,
  forwardSiblingInsights: Type.Boolean(),
});
export type Coordinator = Type.Static<typeof Coordinator>;

/** What the job chart needs of a workflow: small, and the same shape for every workflow. */
export const WorkflowTable = Type.Object({
  initial_phase: Type.String(),
  initial_status: Type.String(),
  phases: Type.Array(PhaseDefinition),
  coordinator: nullable(Coordinator),
  /**
   * What its agents may write to besides their job's own repository and ticket (`parseWritesTo.ts`);
   * left out = nothing.
   */
  writesTo: Type.Optional(Type.Array(Type.String())),
  /** Caps of its jobs, which only tighten those of the configuration; left out = none. */
  budget: Type.Optional(OwnCaps),
  /** Rules that its jobs are held to; left out = none. */
  invariants: Type.Optional(Type.Array(Invariant)),
});
export type WorkflowTable = Type.Static<typeof WorkflowTable>;

/** Entry of GET /workflows. */
export const WorkflowEntry = Type.Object({
  id: Type.String(),
  label: Type.String(),
  description: Type.String(),
  workflowPath: Type.String(),
  /** Who would run each phase as things are configured now. */
  phases: Type.Array(
    Type.Object({
      name: Type.String(),
      status: Type.String(),
      /** Whether it ends with a checkpoint, which waits for an approval. */
      checkpoint: Type.Boolean(),
      /** Executor plugin id; null = no session in this phase. */
      provider: nullable(Type.String()),
      /** null = the executor's own choice. */
      model: nullable(Type.String()),
      reasoningEffort: nullable(Type.String()),
    }),
  ),
  coordinator: nullable(
    Type.Object({
      subRunWorkflowPath: nullable(Type.String()),
      maxParallelSubRuns: Type.Integer(),
      failurePolicy: FailurePolicy,
    }),
  ),
  createParams: Type.Object({
    required: Type.Array(Type.String()),
    optional: Type.Array(Type.String()),
  }),
  /**
   * Why no job can follow it: its errors, each as `file:line:column message`. Left out = it has
   * none. Phases are then those that could be read; `svc workflow lint` says how to fix it.
   */
  problem: Type.Optional(Type.String()),
});
export type WorkflowEntry = Type.Static<typeof WorkflowEntry>;
