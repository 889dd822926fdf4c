export { jobChart, toPublicStatus } from './job/jobChart.ts';
export type { JobContext, JobInput, SubRunOf } from './job/jobContext.ts';
export type { SessionContinuation } from './job/sessionContinuation.ts';
export { BUDGET_TIMER } from './job/setbackChanges.ts';
export { DURATION_TIMERS } from './durationTimers.ts';
export type { JobEvent, PersonEvent, ToolEvent } from './job/jobEvents.ts';
export type { JobAnswer, JobPorts, LeftoverItems } from './job/ports.ts';
export type { PrProblem } from './job/jobContext.ts';
export type { UnreadInbox } from './job/unreadInbox.ts';
export {
  collectApprovalContent,
  hashApprovalContent,
  findApprovalProblems,
  mustNameVersion,
  addSpecToHash,
} from './job/rules/approval.ts';
export { describeCompletion } from './job/rules/completionGate.ts';
export { describeCurrentWait, listFollowedNames } from './job/rules/describeEventWait.ts';
export { findCallRefusal, alignMonitors, mergeSwitchedTable } from './job/rules/monitors.ts';
export { findRerunProblems } from './job/rules/findRerunProblems.ts';
export { WAITS_FOR_EVENT } from './job/states/parked.ts';
export {
  buildBatchPrompt,
  countBatchItems,
  MAX_BATCH_ITEMS,
  buildPendingPrompt,
  buildReminderPrompt,
} from './job/rules/buildBatchPrompt.ts';
export { addUnread } from './job/rules/joinUnread.ts';
export { toEventKind } from './job/rules/eventKey.ts';
export { describeFallback, usesFallback, applyFallback } from './job/rules/fallback.ts';
export { describeInboxItems, describeResumeKey } from './job/rules/describeInboxItems.ts';
export {
  buildCodingPreflight,
  describeGatePrs,
  type Kickoff,
  selectPrsToAsk,
  type SeenPr,
} from './job/rules/prNotes.ts';
export { listPrProblems, findWaitProblems } from './job/rules/findWaitProblems.ts';
export { isHoldable, wouldWake } from './job/rules/wakeMatch.ts';
export { hasOpenCheckpoint } from './job/rules/phases.ts';
export { toReference, listReferences } from './job/rules/references.ts';
export { parseStatus } from './job/rules/toStatusName.ts';
export { type RatingFacts, collectRatingFacts } from './job/rules/collectRatingFacts.ts';
export { flattenUntrustedText, quoteUntrustedText } from './job/rules/quoteUntrustedText.ts';
export { revealHiddenText } from './job/rules/revealHiddenText.ts';
export { findToolProblems } from './job/rules/findToolProblems.ts';
export { type WriteFacts, type WritePlace, findWriteProblem } from './job/rules/writeAccess.ts';
export { readUnattendedLimit } from './job/rules/unattended.ts';
export { findCurrentWorkItem } from './job/rules/workItems.ts';
export { findApprovalBeyondVisit } from './job/rules/checkpoints.ts';
export { findParkPhase } from './job/rules/coordination.ts';
export { findCommandProblem, findSpecProblem } from './subRuns/findCommandProblem.ts';
export { findCriticalPath } from './subRuns/findCriticalPath.ts';
export {
  type Graph,
  isTerminalMark,
  readMark,
  createGraph,
  toSubRunStatus,
} from './subRuns/graph.ts';
export { findGraphProblems, findStrandingSubRuns } from './subRuns/findGraphProblems.ts';
export type { ReviewAnswer, ReviewPorts } from './review/ports.ts';
export type { ReviewInput } from './review/review.ts';
export { toReviewActorId, reviewChart } from './review/reviewChart.ts';
export { toSubRunRow } from './subRuns/subRunRows.ts';
export { subRunsChart } from './subRuns/subRunsChart.ts';
export { intakeMachine } from './intake/intake.ts';
export type { IntakeEvent } from './intake/intakeEvents.ts';
export type { TurnEnd } from './intake/ports.ts';
export { liveCharts } from './liveCharts.ts';
export type { ProposalAnswer, ProposalPorts } from './proposal/ports.ts';
export { toProposalActorId, proposalChart } from './proposal/proposalChart.ts';
export type { ProposalInput } from './proposal/proposalContext.ts';
export type { QuotaPorts } from './quota/ports.ts';
export {
  decideAfterFailure,
  closeAfterHit,
  mustEndSessions,
  isAccountClosed,
  isAccountUsedUp,
  readQuotaContext,
  quotaChart,
} from './quota/quotaChart.ts';
export { START_MS } from './quota/failureStreak.ts';
export type { AccountClosure, QuotaContext, QuotaFailure } from './quota/quotaContext.ts';
export { HEADLESS_USE, MOST_USE, computeUsedShare } from './quota/closeForHit.ts';
export type { ScheduleAnswer, SchedulePorts } from './schedule/ports.ts';
export type { ScheduledEnd, ScheduleInput } from './schedule/scheduleContext.ts';
export {
  readScheduleContext,
  scheduleChart,
  toScheduleActorId,
} from './schedule/scheduleChart.ts';
export { steeringMachine } from './steering/steering.ts';
export type { SteeringEvent } from './steering/steeringEvents.ts';
export { pollerMachine } from './poller/poller.ts';
export type { PollOutcome } from './poller/ports.ts';
export {
  toDispatcherId,
  type SubRunsContext,
  type SubRunsInput,
} from './subRuns/subRunsContext.ts';
export type { SubRunsPorts } from './subRuns/ports.ts';
export type { BeforeSkip, CommandEvent, SubRunsEvent } from './subRuns/subRunsEvents.ts';
