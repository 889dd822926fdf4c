export { jobChart, publicStatus } from './job/jobChart.ts';
export type { JobContext, JobInput, SubRunOf } from './job/jobContext.ts';
export type { Continued } from './job/setback.ts';
export { BUDGET_TIMER } from './job/setbackChanges.ts';
export type { JobEvent, PersonEvent, ToolEvent } from './job/jobEvents.ts';
export type { JobAnswer, JobPorts, LeftOver } from './job/ports.ts';
export type { PrProblem } from './job/jobContext.ts';
export type { Unread } from './job/unread.ts';
export {
  approvalContent,
  approvalHash,
  approvalProblems,
  shownIsRequired,
  withSpec,
} from './job/rules/approval.ts';
export { completeText } from './job/rules/completeText.ts';
export { awaitedNames, followedBy } from './job/rules/awaitedText.ts';
export { callRefused, monitorsFor, switchedTable } from './job/rules/monitors.ts';
export { rerunProblems } from './job/rules/rerun.ts';
export { WAITS_FOR_EVENT } from './job/states/parked.ts';
export {
  batchPrompt,
  batchSize,
  MAX_BATCH_ITEMS,
  pendingPrompt,
  reminderPrompt,
} from './job/rules/batchPrompt.ts';
export { addUnread } from './job/rules/countUnread.ts';
export { eventKindIn } from './job/rules/eventKey.ts';
export { fallbackText, fallsBack, phaseRun } from './job/rules/fallback.ts';
export { happenedText, resumedText } from './job/rules/happened.ts';
export {
  codingPreflight,
  gateStates,
  type Kickoff,
  prsToAsk,
  type SeenPr,
} from './job/rules/prNotes.ts';
export { prProblems, waitProblems } from './job/rules/waitProblems.ts';
export { isHoldable, wouldWake } from './job/rules/wakeMatch.ts';
export { holdsForApproval } from './job/rules/phases.ts';
export { referenceOf, referencesOf } from './job/rules/references.ts';
export { parseStatus } from './job/rules/statusName.ts';
export { type JudgedFacts, judgedFacts } from './job/rules/judgedFacts.ts';
export { inOneLine, quoted } from './job/rules/quoted.ts';
export { visibleText } from './job/rules/visibleText.ts';
export { toolProblems } from './job/rules/toolProblems.ts';
export { type WriteFacts, type WritePlace, writeProblem } from './job/rules/writeAccess.ts';
export { unattendedUntil } from './job/rules/unattended.ts';
export { currentWorkItem } from './job/rules/workItems.ts';
export { approvalBeyond } from './job/rules/checkpoints.ts';
export { parkPhaseOf } from './job/rules/coordination.ts';
export { commandProblem, specProblem } from './subRuns/commandProblem.ts';
export { criticalPath } from './subRuns/criticalPath.ts';
export {
  type Graph,
  isTerminal,
  markAt,
  newGraph,
  statusOf,
} from './subRuns/graph.ts';
export { graphProblems, stranding } from './subRuns/graphProblems.ts';
export type { ReviewAnswer, ReviewPorts } from './review/ports.ts';
export type { ReviewInput } from './review/review.ts';
export { reviewActorId, reviewChart } from './review/reviewChart.ts';
export { subRunRow } from './subRuns/subRunRows.ts';
export { subRunsChart } from './subRuns/subRunsChart.ts';
export { intakeMachine } from './intake/intake.ts';
export type { IntakeEvent } from './intake/intakeEvents.ts';
export type { TurnEnd } from './intake/ports.ts';
export { liveCharts } from './liveCharts.ts';
export type { ProposalAnswer, ProposalPorts } from './proposal/ports.ts';
export { proposalActorId, proposalChart } from './proposal/proposalChart.ts';
export type { ProposalInput } from './proposal/proposalContext.ts';
export type { QuotaPorts } from './quota/ports.ts';
export {
  afterFailure,
  closedAfter,
  endsSessions,
  isClosed,
  isUsedUp,
  poolOfState,
  quotaChart,
} from './quota/quotaChart.ts';
export { START_MS } from './quota/failing.ts';
export type { Closed, QuotaContext, QuotaFailure } from './quota/quotaContext.ts';
export { HEADLESS_USE, MOST_USE, usedAt } from './quota/reset.ts';
export { steeringMachine } from './steering/steering.ts';
export type { SteeringEvent } from './steering/steeringEvents.ts';
export { pollerMachine } from './poller/poller.ts';
export type { PollOutcome } from './poller/ports.ts';
export { dispatcherId, type SubRunsContext, type SubRunsInput } from './subRuns/subRunsContext.ts';
export type { SubRunsPorts } from './subRuns/ports.ts';
export type { BeforeSkip, CommandEvent, SubRunsEvent } from './subRuns/subRunsEvents.ts';
