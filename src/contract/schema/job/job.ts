import Type from 'typebox';
import { Approval } from './approval.ts';
import { BrokenRow } from './brokenRow.ts';
import { DecisionRecord } from '../policy/decisionRecord.ts';
import { Parked } from './parked.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { IsoTime } from '../kit/isoTime.ts';
import { LastOutput } from '../session/lastOutput.ts';
import { PhaseUsage, SessionConfinement } from '../session/sessionRecords.ts';
import { PrMapping } from '../forge/pr.ts';
import { SubRunSpec } from './subRun.ts';
import { WorkItem } from './workItem.ts';
import { JobCost } from '../policy/costs.ts';
import { JobNeeds } from './jobNeeds.ts';
import { nullable } from '../kit/nullable.ts';

export { Ask, JobNeeds, NeedsGroup } from './jobNeeds.ts';

export const Artefact = describeMembers(
  Type.Object({
    id: Type.String(),
    kind: Type.String(),
    title: Type.String(),
    mime: Type.String(),
    size: Type.Integer(),
    sha256: Type.String(),
    phase: Type.String(),
    visit: Type.Integer(),
    at: IsoTime,
    removedAt: Type.Optional(IsoTime),
  }),
  {
    id: 'Its id.',
    kind: "plan-md, report-md, pr-link, or a kind of the author's own.",
    title: 'Its title.',
    mime: 'MIME type of the content.',
    size: 'Bytes of the content.',
    sha256: 'Hash of the content.',
    phase: 'The phase in which it was posted.',
    visit: 'The visit of that phase.',
    at: 'When it was posted.',
    removedAt: 'When retention removed its content; left out = it exists.',
  },
);
export type Artefact = Type.Static<typeof Artefact>;

export const Insight = describeMembers(
  Type.Object({
    id: Type.String(),
    category: Type.String(),
    text: Type.String(),
    phase: Type.String(),
    at: IsoTime,
  }),
  {
    id: 'Its id.',
    category: 'A free word such as convention, pitfall or contract-drift.',
    text: 'What was learned.',
    phase: 'The phase in which it was written.',
    at: 'When it was written.',
  },
);
export type Insight = Type.Static<typeof Insight>;

/** One visit of a phase, for the timeline. */
export const PhaseVisit = describeMembers(
  Type.Object({
    visit: Type.Integer(),
    phase: Type.String(),
    status: Type.String(),
    startedAt: IsoTime,
    endedAt: nullable(IsoTime),
    sessions: Type.Integer(),
    overlayHash: nullable(Type.String()),
    outcome: nullable(Type.String()),
    approvedBy: nullable(Type.String()),
  }),
  {
    visit: 'Number of the visit, counted over the whole job.',
    phase: 'The phase.',
    status: 'The status that the job showed.',
    startedAt: 'When the visit began.',
    endedAt: 'When it ended; null while it lasts.',
    sessions: 'How many sessions it had.',
    overlayHash: 'Hash (SHA-256) of the overlay that the visit ran with.',
    outcome:
      'How it ended: advanced, goto, await_event, approval, escalated, failed and others; null while it lasts.',
    approvedBy:
      'How the approver of its checkpoint came in: token, login, open, autoApprove (params), developer (svc 0.2), or null.',
  },
);
export type PhaseVisit = Type.Static<typeof PhaseVisit>;

export const WorkflowSwitch = describeMembers(
  Type.Object({
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
  }),
  {
    from: 'The workflow before.',
    at: 'When it was switched.',
    to: 'The workflow after.',
    fromPhase: 'The phase before.',
    toPhase: 'The phase after.',
    reason: 'The reason that the agent gave.',
    by: 'The tool that switched.',
  },
);
export type WorkflowSwitch = Type.Static<typeof WorkflowSwitch>;

export { Parked, ParkKind } from './parked.ts';

/**
 * What of a complete campaign did not succeed, and how that is said: `complete, 1 sub-run failed`.
 */
export const SubRunFailures = describeMembers(
  Type.Object({
    failed: Type.Integer(),
    escalated: Type.Integer(),
    text: Type.String(),
  }),
  {
    failed: 'How many sub-runs failed.',
    escalated: 'How many escalated.',
    text: 'Both in words, such as `complete, 1 sub-run failed`.',
  },
);
export type SubRunFailures = Type.Static<typeof SubRunFailures>;

/** How a job has ended, with what has become of its pull requests. */
export const JobEnding = describeMembers(
  Type.Object({
    text: Type.String(),
    openPrs: Type.Array(Type.String()),
    mergedPrs: Type.Integer(),
    closedPrs: Type.Integer(),
    unchanged: Type.Optional(Type.Literal(true)),
  }),
  {
    text: 'All of it in words, such as `complete, 1 pull request still open (local:shop#2)`.',
    openPrs: 'Ids of its pull requests that are still open.',
    mergedPrs: 'How many of them were merged.',
    closedPrs: 'How many were closed without a merge.',
    unchanged:
      'Only of a complete job on a repository that opened no pull request and has no sub-runs: it changed nothing.',
  },
);
export type JobEnding = Type.Static<typeof JobEnding>;

/** A line of a job's log as lists show it. */
const LastLine = describeMembers(Type.Object({ at: IsoTime, line: Type.String() }), {
  at: 'When it came.',
  line: 'The line, at most 200 characters.',
});

export const JobSummary = describeMembers(
  Type.Object({
    id: Type.String(),
    type: Type.String(),
    status: Type.String(),
    phase: Type.String(),
    workflowPath: Type.String(),
    parentJobId: nullable(Type.String()),
    parked: nullable(Parked),
    ended: Type.Boolean(),
    needs: nullable(JobNeeds),
    since: IsoTime,
    reason: nullable(Type.String()),
    subRunFailures: Type.Optional(SubRunFailures),
    ending: Type.Optional(JobEnding),
    lastLine: Type.Optional(LastLine),
    cost: Type.Optional(JobCost),
    rating: Type.Optional(
      describeMembers(Type.Object({ goal: Type.Number(), flagged: Type.Boolean() }), {
        goal: 'Probability that the work serves the objective.',
        flagged: 'Whether the phase is flagged.',
      }),
    ),
    description: Type.String(),
    repoSlug: nullable(Type.String()),
    createdAt: IsoTime,
    updatedAt: IsoTime,
    broken: Type.Optional(Type.Array(BrokenRow)),
  }),
  {
    id: 'Its id.',
    type: 'Kind of the job, such as job.',
    status: 'The status that people see.',
    phase: 'The current phase.',
    workflowPath: 'The workflow that it follows.',
    parentJobId: 'The job whose sub-run it is; null = none.',
    parked: 'Why it waits; null while it does not.',
    ended: 'Whether it is over.',
    needs:
      'What it needs a person for; null = nothing. A job that was dismissed needs no one, nor does a sub-run whose campaign asks for it.',
    since: 'Since when it is queued, works, waits or is over.',
    reason:
      'Why it waits, why no queued job starts while a disk is low, why it failed or escalated, which of its pull requests it has left open, that none was merged, or that it opened none, at most 500 characters; null = none of these, or it gave no reason.',
    ending: 'How it has ended; left out until it has.',
    subRunFailures: 'Only of a complete job with sub-runs that failed or escalated.',
    lastLine:
      'What its agent wrote last, in GET /jobs and its stream, while a session of it is at work; left out = nothing of it is known.',
    cost: 'What models have cost for it, and for its sub-runs where it is no sub-run itself; left out while nothing was used.',
    rating: 'How the decision layer has rated the newest phase that it rated; left out = none.',
    description: 'The request.',
    repoSlug: 'The repository; null = none.',
    createdAt: 'When it was created.',
    updatedAt: 'When it last changed.',
    broken:
      'Rows of it that cannot be read; what they hold is empty here. Left out = all can be read. `svc doctor --fix` repairs them.',
  },
);
export type JobSummary = Type.Static<typeof JobSummary>;

/** The whole job as GET /jobs/:jobId gives it. */
export const Job = describeMembers(
  Type.Object({
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
    unreported: Type.Integer(),
    sandboxes: Type.Optional(Type.Array(SessionConfinement)),
    phases: Type.Array(PhaseVisit),
    pendingPrompt: nullable(Type.String()),
    escalationMessage: nullable(Type.String()),
    escalationHistory: Type.Array(Type.String()),
    lastOutput: Type.Optional(LastOutput),
    decisionRecords: Type.Array(DecisionRecord),
    workflowPathHistory: Type.Array(WorkflowSwitch),
    approval: nullable(Approval),
    subRuns: Type.Array(SubRunSpec),
    aggregatedSiblingInsights: Type.Array(Insight),
    campaignChildren: Type.Array(SubRunSpec),
    campaignParentId: nullable(Type.String()),
    campaignAggregatedInsights: Type.Array(Insight),
    state: Type.Array(Type.String()),
    journalLength: Type.Integer(),
  }),
  {
    tenantId: 'The tenant of the runner.',
    params: 'The parameters that it was created with.',
    interactive: 'Whether the decision layer may ask a person.',
    visit: 'Number of the current visit of a phase.',
    workItems: 'Its work items, in order.',
    currentWorkItem: 'Id of the work item in progress; null = none.',
    prMappings: 'Its pull requests.',
    awaitingPrId: 'The pull request that it waits for; null = none.',
    artefacts: 'What its agents have posted.',
    insights: 'What its agents have learned.',
    tokenUsage: 'Tokens of each session that reported them.',
    unreported:
      'Sessions of the job that ended without a report of tokens: how many they used is unknown.',
    sandboxes:
      'What confined each session for which a sandbox was wanted; left out where there was none.',
    phases: 'Every visit of a phase, in order.',
    pendingPrompt: 'What the next session begins with besides its kickoff; null = nothing.',
    escalationMessage: 'What an agent asks a person; null = nothing.',
    escalationHistory: 'Earlier such messages.',
    lastOutput:
      'What its agent wrote last, while the job has failed or escalated, or waits since its session failed; left out = nothing of it is known.',
    decisionRecords: 'What the decision layer has made of it: the newest 200, oldest first.',
    workflowPathHistory: 'Every switch of the workflow.',
    approval: 'What is to be approved, while the job waits for approval.',
    subRuns: 'Its sub-runs.',
    aggregatedSiblingInsights: 'What earlier sub-runs of the same parent have learned.',
    campaignChildren: 'The same as `subRuns`, under its older name.',
    campaignParentId: 'The same as `parentJobId`, under its older name.',
    campaignAggregatedInsights: 'The same as `aggregatedSiblingInsights`, under its older name.',
    state: "Dotted paths of the chart's current states.",
    journalLength: 'Lines of its journal.',
  },
);
export type Job = Type.Static<typeof Job>;
