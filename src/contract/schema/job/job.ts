import Type from 'typebox';
import { Approval } from './approval.ts';
import { BrokenRow } from './brokenRow.ts';
import { DecisionRecord } from '../policy/decisionRecord.ts';
import { Parked } from './parked.ts';
import { describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import { LastOutput } from '../session/lastOutput.ts';
import { PhaseUsage, SessionConfinement } from '../session/sessionRecords.ts';
import { PrMapping } from '../forge/pr.ts';
import { SubRunSpec } from './subRun.ts';
import { WorkItem } from './workItem.ts';
import { JobCost } from '../policy/costs.ts';
import { JobNeeds, Snoozed } from './jobNeeds.ts';

export { Ask, JobNeeds, NeedsGroup } from './jobNeeds.ts';

export const Artefact = Type.Object({
  id: Type.String({ description: 'Its id.' }),
  kind: Type.String({ description: "plan-md, report-md, pr-link, or a kind of the author's own." }),
  title: Type.String({ description: 'Its title.' }),
  mime: Type.String({ description: 'MIME type of the content.' }),
  size: Type.Integer({ description: 'Bytes of the content.' }),
  sha256: Type.String({ description: 'Hash of the content.' }),
  phase: Type.String({ description: 'The phase in which it was posted.' }),
  visit: Type.Integer({ description: 'The visit of that phase.' }),
  at: describe(IsoTime, 'When it was posted.'),
  removedAt: Type.Optional(
    describe(IsoTime, 'When retention removed its content; left out = it exists.'),
  ),
});
export type Artefact = Type.Static<typeof Artefact>;

export const Insight = Type.Object({
  id: Type.String({ description: 'Its id.' }),
  category: Type.String({
    description: 'A free word such as convention, pitfall or contract-drift.',
  }),
  text: Type.String({ description: 'What was learned.' }),
  phase: Type.String({ description: 'The phase in which it was written.' }),
  at: describe(IsoTime, 'When it was written.'),
});
export type Insight = Type.Static<typeof Insight>;

/** One visit of a phase, for the timeline. */
export const PhaseVisit = Type.Object({
  visit: Type.Integer({ description: 'Number of the visit, counted over the whole job.' }),
  phase: Type.String({ description: 'The phase.' }),
  status: Type.String({ description: 'The status that the job showed.' }),
  startedAt: describe(IsoTime, 'When the visit began.'),
  endedAt: nullable(IsoTime, 'When it ended; null while it lasts.'),
  sessions: Type.Integer({ description: 'How many sessions it had.' }),
  overlayHash: nullable(Type.String(), 'Hash (SHA-256) of the overlay that the visit ran with.'),
  outcome: nullable(
    Type.String(),
    'How it ended: advanced, goto, await_event, approval, escalated, failed and others; null while it lasts.',
  ),
  approvedBy: nullable(
    Type.String(),
    'How the approver of its checkpoint came in: token, login, open, member (of the team), autoApprove (params), developer (svc 0.2), or null.',
  ),
  approvedPerson: Type.Optional(
    Type.String({ description: 'Name of the member of the team who approved it.' }),
  ),
});
export type PhaseVisit = Type.Static<typeof PhaseVisit>;

export const WorkflowSwitch = Type.Object({
  at: describe(IsoTime, 'When it was switched.'),
  from: Type.String({ description: 'The workflow before.' }),
  to: Type.String({ description: 'The workflow after.' }),
  fromPhase: Type.String({ description: 'The phase before.' }),
  toPhase: Type.String({ description: 'The phase after.' }),
  reason: Type.String({ description: 'The reason that the agent gave.' }),
  by: Type.Union(
    [
      Type.Literal('switch_workflow'),
      Type.Literal('convert_to_workflow'),
      Type.Literal('convert_to_campaign'),
    ],
    { description: 'The tool that switched.' },
  ),
});
export type WorkflowSwitch = Type.Static<typeof WorkflowSwitch>;

export { Parked, ParkKind } from './parked.ts';

/**
 * What of a complete campaign did not succeed, and how that is said: `complete, 1 sub-run failed`.
 */
export const SubRunFailures = Type.Object({
  failed: Type.Integer({ description: 'How many sub-runs failed.' }),
  escalated: Type.Integer({ description: 'How many escalated.' }),
  text: Type.String({ description: 'Both in words, such as `complete, 1 sub-run failed`.' }),
});
export type SubRunFailures = Type.Static<typeof SubRunFailures>;

/** How a job has ended, with what has become of its pull requests. */
export const JobEnding = Type.Object({
  text: Type.String({
    description:
      'All of it in words, such as `complete, 1 pull request still open (local:shop#2)`.',
  }),
  openPrs: Type.Array(Type.String(), {
    description: 'Ids of its pull requests that are still open.',
  }),
  mergedPrs: Type.Integer({ description: 'How many of them were merged.' }),
  closedPrs: Type.Integer({ description: 'How many were closed without a merge.' }),
  unchanged: Type.Optional(
    Type.Literal(true, {
      description:
        'Only of a complete job on a repository that opened no pull request and has no sub-runs: it changed nothing.',
    }),
  ),
});
export type JobEnding = Type.Static<typeof JobEnding>;

/** A line of a job's log as lists show it. */
const LastLine = Type.Object({
  at: describe(IsoTime, 'When it came.'),
  line: Type.String({ description: 'The line, at most 200 characters.' }),
});

export const JobSummary = Type.Object({
  id: Type.String({ description: 'Its id.' }),
  type: Type.String({ description: 'Kind of the job, such as job.' }),
  status: Type.String({ description: 'The status that people see.' }),
  phase: Type.String({ description: 'The current phase.' }),
  workflowPath: Type.String({ description: 'The workflow that it follows.' }),
  parentJobId: nullable(Type.String(), 'The job whose sub-run it is; null = none.'),
  parked: nullable(Parked, 'Why it waits; null while it does not.'),
  ended: Type.Boolean({ description: 'Whether it is over.' }),
  needs: nullable(
    JobNeeds,
    'What it needs a person for; null = nothing. A job that was dismissed needs no one, nor does a sub-run whose campaign asks for it.',
  ),
  snoozed: Type.Optional(
    describe(Snoozed, 'That what it needs a person for was put off; left out = it was not.'),
  ),
  since: describe(IsoTime, 'Since when it has been queued, working, waiting or ended.'),
  reason: nullable(
    Type.String(),
    'Why it waits, why no queued job starts while a disk is low, why it failed or escalated, which of its pull requests it has left open, that none was merged, or that it opened none, at most 500 characters; null = none of these, or it gave no reason.',
  ),
  subRunFailures: Type.Optional(
    describe(SubRunFailures, 'Only of a complete job with sub-runs that failed or escalated.'),
  ),
  ending: Type.Optional(describe(JobEnding, 'How it has ended; left out until it has.')),
  lastLine: Type.Optional(
    describe(
      LastLine,
      'The last output of its agent, in GET /jobs and its stream, while a session is running; left out = not known.',
    ),
  ),
  cost: Type.Optional(
    describe(
      JobCost,
      'Cost of models for it, and for its sub-runs if it is not a sub-run itself; left out while nothing was used.',
    ),
  ),
  rating: Type.Optional(
    Type.Object(
      {
        goal: Type.Number({ description: 'Probability that the work serves the objective.' }),
        flagged: Type.Boolean({ description: 'Whether the phase is flagged.' }),
      },
      {
        description:
          'How the decision layer has rated the newest phase that it rated; left out = none.',
      },
    ),
  ),
  description: Type.String({ description: 'The request.' }),
  repoSlug: nullable(Type.String(), 'The repository; null = none.'),
  createdBy: Type.Optional(
    Type.String({
      description: 'The member of the team who asked for it; left out = no name is known.',
    }),
  ),
  reviewers: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The first 20 names in its parameter `reviewers`; left out = none.',
    }),
  ),
  createdAt: describe(IsoTime, 'When it was created.'),
  updatedAt: describe(IsoTime, 'When it last changed.'),
  broken: Type.Optional(
    Type.Array(BrokenRow, {
      description:
        'Rows of it that cannot be read; what they hold is empty here. Left out = all can be read. `svc doctor --fix` repairs them.',
    }),
  ),
});
export type JobSummary = Type.Static<typeof JobSummary>;

/** The OpenTelemetry trace of a job. */
export const JobTrace = Type.Object({
  id: Type.String({ description: 'Its id: 32 hexadecimal digits.' }),
  url: nullable(
    Type.String(),
    'Where people see it, as `traces.link` says; null = no link is configured.',
  ),
});
export type JobTrace = Type.Static<typeof JobTrace>;

/** The whole job as GET /jobs/:jobId gives it. */
export const Job = Type.Object({
  ...JobSummary.properties,
  tenantId: Type.String({ description: 'The tenant of the runner.' }),
  params: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The parameters that it was created with.',
  }),
  interactive: Type.Boolean({ description: 'Whether the decision layer may ask a person.' }),
  visit: Type.Integer({ description: 'Number of the current visit of a phase.' }),
  workItems: Type.Array(WorkItem, { description: 'Its work items, in order.' }),
  currentWorkItem: nullable(Type.String(), 'Id of the work item in progress; null = none.'),
  prMappings: Type.Array(PrMapping, { description: 'Its pull requests.' }),
  awaitingPrId: nullable(Type.String(), 'The pull request that it waits for; null = none.'),
  artefacts: Type.Array(Artefact, { description: 'What its agents have posted.' }),
  insights: Type.Array(Insight, { description: 'What its agents have learned.' }),
  tokenUsage: Type.Array(PhaseUsage, { description: 'Tokens of each session that reported them.' }),
  unreported: Type.Integer({
    description:
      'Sessions of the job that ended without a report of tokens: how many they used is unknown.',
  }),
  sandboxes: Type.Optional(
    Type.Array(SessionConfinement, {
      description:
        'What confined each session for which a sandbox was wanted; left out where there was none.',
    }),
  ),
  phases: Type.Array(PhaseVisit, { description: 'Every visit of a phase, in order.' }),
  pendingPrompt: nullable(
    Type.String(),
    'What the next session begins with besides its kickoff; null = nothing.',
  ),
  escalationMessage: nullable(Type.String(), 'What an agent asks a person; null = nothing.'),
  escalationHistory: Type.Array(Type.String(), { description: 'Earlier such messages.' }),
  lastOutput: Type.Optional(
    describe(
      LastOutput,
      'The last output of its agent, if the job has failed or escalated, or waits because its session failed; left out = not known.',
    ),
  ),
  decisionRecords: Type.Array(DecisionRecord, {
    description: 'Records of the decision layer about it: the newest 200, oldest first.',
  }),
  workflowPathHistory: Type.Array(WorkflowSwitch, { description: 'Every switch of the workflow.' }),
  approval: nullable(Approval, 'What is to be approved, while the job waits for approval.'),
  subRuns: Type.Array(SubRunSpec, { description: 'Its sub-runs.' }),
  aggregatedSiblingInsights: Type.Array(Insight, {
    description: 'Insights of earlier sub-runs of the same parent.',
  }),
  campaignChildren: Type.Array(SubRunSpec, {
    description: 'The same as `subRuns`, under its older name.',
  }),
  campaignParentId: nullable(Type.String(), 'The same as `parentJobId`, under its older name.'),
  campaignAggregatedInsights: Type.Array(Insight, {
    description: 'The same as `aggregatedSiblingInsights`, under its older name.',
  }),
  state: Type.Array(Type.String(), { description: "Dotted paths of the chart's current states." }),
  journalLength: Type.Integer({ description: 'Lines of its journal.' }),
  trace: Type.Optional(describe(JobTrace, 'Its trace; left out = traces are off.')),
});
export type Job = Type.Static<typeof Job>;
