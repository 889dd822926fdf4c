import Type from 'typebox';
import { IsoTime } from './isoTime.ts';
import { PrMapping } from './pr.ts';
import { SubRunSpec } from './subRun.ts';
import { Usage } from './usage.ts';
import { WorkItem, WorkItemStatus } from './workItem.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Artefact = Type.Object({
  id: Type.String(),
  /** plan-md, report-md, pr-link, or a kind of the author's own. */
  kind: Type.String(),
  title: Type.String(),
  mime: Type.String(),
  /** Bytes. */
  size: Type.Integer(),
  sha256: Type.String(),
  phase: Type.String(),
  visit: Type.Integer(),
  at: IsoTime,
});
export type Artefact = Type.Static<typeof Artefact>;

export const Insight = Type.Object({
  id: Type.String(),
  /** Free category such as convention, pitfall, contract-drift. */
  category: Type.String(),
  text: Type.String(),
  phase: Type.String(),
  at: IsoTime,
});
export type Insight = Type.Static<typeof Insight>;

export const PhaseUsage = Type.Object({
  phase: Type.String(),
  visit: Type.Integer(),
  session: Type.Integer(),
  usage: Usage,
});
export type PhaseUsage = Type.Static<typeof PhaseUsage>;

/** One visit of a phase, for the timeline. */
export const PhaseVisit = Type.Object({
  visit: Type.Integer(),
  phase: Type.String(),
  status: Type.String(),
  startedAt: IsoTime,
  endedAt: nullable(IsoTime),
  sessions: Type.Integer(),
  /** sha256 of the overlay that this visit ran with. */
  overlayHash: nullable(Type.String()),
  /** How it ended: advanced, goto, await_event, approval, escalated, failed, … */
  outcome: nullable(Type.String()),
  /**
   * How the approver of its checkpoint came in: `token`, `login`, `open`, `autoApprove` (params),
   * `developer` (svc 0.2), or null.
   */
  approvedBy: nullable(Type.String()),
});
export type PhaseVisit = Type.Static<typeof PhaseVisit>;

export const WorkflowSwitch = Type.Object({
  at: IsoTime,
  from: Type.String(),
  to: Type.String(),
  fromPhase: Type.String(),
  toPhase: Type.String(),
  reason: Type.String(),
  by: Type.Union([
    Type.Literal('switch_workflow'),
    Type.Literal('convert_to_workflow'),
    Type.Literal('convert_to_campaign'),
  ]),
});
export type WorkflowSwitch = Type.Static<typeof WorkflowSwitch>;

export const ParkKind = Type.Union([
  Type.Literal('approval'),
  Type.Literal('event'),
  Type.Literal('developer'),
  Type.Literal('paused'),
  Type.Literal('subRuns'),
  Type.Literal('halted'),
  /** The model's endpoint takes no more requests for a while; the job continues by itself. */
  Type.Literal('quota'),
  /** Something outside of svc that a person reports, by a resume or a message. */
  Type.Literal('external'),
]);
export type ParkKind = Type.Static<typeof ParkKind>;

/**
 * Why a job is parked; null in the job while it is not. `until`: when it continues by itself, with
 * `quota`.
 */
export const Parked = Type.Object({
  kind: ParkKind,
  since: IsoTime,
  reason: Type.String(),
  until: Type.Optional(IsoTime),
});
export type Parked = Type.Static<typeof Parked>;

/**
 * What of a complete campaign did not succeed, and how that is said: `complete, 1 sub-run failed`.
 */
export const SubRunFailures = Type.Object({
  failed: Type.Integer(),
  escalated: Type.Integer(),
  text: Type.String(),
});
export type SubRunFailures = Type.Static<typeof SubRunFailures>;

export const JobSummary = Type.Object({
  id: Type.String(),
  type: Type.String(),
  status: Type.String(),
  phase: Type.String(),
  workflowPath: Type.String(),
  parentJobId: nullable(Type.String()),
  parked: nullable(Parked),
  ended: Type.Boolean(),
  /** Only of a complete job with sub-runs that failed or escalated. */
  subRunFailures: Type.Optional(SubRunFailures),
  description: Type.String(),
  repoSlug: nullable(Type.String()),
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type JobSummary = Type.Static<typeof JobSummary>;

/** What a person approves at a checkpoint. */
export const Approval = Type.Object({
  phase: Type.String(),
  /**
   * sha256 over everything in `covers`; goes back with the resume. Any change of what is covered is
   * another one.
   */
  shown: Type.String(),
  /**
   * True where another version was shown before at this checkpoint: a resume must then name
   * `shown`.
   */
  shownRequired: Type.Boolean(),
  /** The plan; null where none was posted. */
  artefactId: nullable(Type.String()),
  covers: Type.Object({
    plan: nullable(Type.Object({ artefactId: Type.String(), sha256: Type.String() })),
    workItems: Type.Array(
      Type.Object({ id: Type.String(), title: Type.String(), status: WorkItemStatus }),
    ),
    /** The transition that follows; `phase` null = the job completes. */
    follows: Type.Object({ workflowPath: Type.String(), phase: nullable(Type.String()) }),
    /**
     * Names of the registered sub-runs; `subRuns` of the job has their whole specs, which are
     * covered.
     */
    subRuns: Type.Array(Type.String()),
  }),
});
export type Approval = Type.Static<typeof Approval>;

/** The whole job as GET /jobs/:jobId gives it. */
export const Job = Type.Object({
  ...JobSummary.properties,
  tenantId: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
  interactive: Type.Boolean(),
  visit: Type.Integer(),
  workItems: Type.Array(WorkItem),
  currentWorkItem: nullable(Type.String()),
  prMappings: Type.Array(PrMapping),
  awaitingPrId: nullable(Type.String()),
  artefacts: Type.Array(Artefact),
  insights: Type.Array(Insight),
  tokenUsage: Type.Array(PhaseUsage),
  phases: Type.Array(PhaseVisit),
  pendingPrompt: nullable(Type.String()),
  escalationMessage: nullable(Type.String()),
  escalationHistory: Type.Array(Type.String()),
  decisionRecords: Type.Array(Type.Unknown()),
  workflowPathHistory: Type.Array(WorkflowSwitch),
  /** What is to be approved, while the job waits for approval. */
  approval: nullable(Approval),
  subRuns: Type.Array(SubRunSpec),
  aggregatedSiblingInsights: Type.Array(Insight),
  campaignChildren: Type.Array(SubRunSpec),
  campaignParentId: nullable(Type.String()),
  campaignAggregatedInsights: Type.Array(Insight),
  /** Dotted paths of the chart's current states. */
  state: Type.Array(Type.String()),
  journalLength: Type.Integer(),
});
export type Job = Type.Static<typeof Job>;
