import type { JobContext, SessionStop } from './jobContext.ts';
import type { JobEvent, ToolEvent } from './jobEvents.ts';
import { decideGate } from './gateChanges.ts';
import { findApprovalProblems, hasOpenSubRuns } from './rules/approval.ts';
import { REJECT } from '../../src/base/jobs/resumeKeys.ts';
import {
  findApprovalBefore,
  findSkippedCheckpoint,
  needsApproval,
  findCheckpointSkippedBySwitch,
} from './rules/checkpoints.ts';
import {
  hasSubRunsLeft,
  isInParkPhase,
  isConversion,
  isPastResumption,
  mayWaitHere,
  findParkPhase,
} from './rules/coordination.ts';
import { SESSION_FAULTS } from '../../src/base/errors/sessionFaults.ts';
import { isTemporary } from '../../src/base/errors/temporaryCodes.ts';
import { countVisit } from './rules/loops.ts';
import { countJsonBytes, MAX_DEATHS } from './rules/limits.ts';
import { MAX_OUTAGE_WAITS } from './rules/outage.ts';
import { MAX_WORKFLOW_BYTES } from '../../src/base/limits/jobLimits.ts';
import { isReferenceComment } from './rules/references.ts';
import { findNextPhase, findPhase, findReadingPhase } from './rules/phases.ts';
import { findVisitRefusal } from './rules/monitors.ts';
import { findRerunProblems } from './rules/findRerunProblems.ts';
import { isFromCurrentSession, findToolProblems } from './rules/findToolProblems.ts';
import { isLimitOver } from './rules/unattended.ts';
import {
  isPrStateChange,
  isHeldEvent,
  findEarlierWake,
  findWokenPhase,
} from './rules/wakeMatch.ts';

/** Reported whenever all checks are green: too often for a job that has not asked for it. */
const BY_NAME_ONLY = 'check_passed';

/**
 * Whether an event is ignored: its kind must be asked for by name, and neither the present or last
 * wait nor the session's requested wait names it.
 */
export const isUnaskedEvent = (
  kind: string,
  { awaited, signals }: Pick<JobContext, 'awaited' | 'signals'>,
): boolean =>
  kind === BY_NAME_ONLY &&
  ![awaited?.kinds, signals.await?.kinds].some((kinds) => kinds?.includes(kind) === true);

/**
 * Whether a session's end fails the job: a limit of time or output, or an exit code of the agent's
 * program. Ends stored by svc 0.2 have no fault and count as such.
 */
const mustFailJob = (stop: Pick<SessionStop, 'reason' | 'fault'> | null): boolean =>
  stop?.reason === 'limit' ||
  (stop?.reason === 'error' && SESSION_FAULTS[stop.fault ?? 'own-exit'].leads === 'fail');

interface Args {
  context: JobContext;
  event: JobEvent;
}

type Test = (args: Args) => boolean;

const isToolEvent = (event: JobEvent): event is Extract<JobEvent, ToolEvent> =>
  event.type.startsWith('tool.');

/** Tools share this rule; each has its own guard name, so that refusals can name its needs. */
const acceptsToolCall: Test = ({ context, event }) =>
  isToolEvent(event) && findToolProblems(context, event).length === 0;

const findCurrentPhase = ({ workflow, phase }: JobContext) => findPhase(workflow, phase);

const isForCurrentVisit: Test = ({ context, event }) =>
  'visit' in event && event.visit === context.visit;

const classifyPreparation = ({ context, event }: Args): 'gone' | 'agentless' | 'ready' | null => {
  if (event.type !== 'phase.prepared' || event.visit !== context.visit) return null;
  const phase = findPhase(event.workflow, context.phase);
  if (!phase) return 'gone';
  return phase.agent === null ? 'agentless' : 'ready';
};

const findOwnEventKind = ({ context, event }: Args): string | null => {
  if (event.type !== 'forge.event') return null;
  const { kind, prId } = event.event;
  const isOwn =
    context.prs.some((pr) => pr.prId === prId) || isReferenceComment(context.params, event.event);
  return isOwn && !isUnaskedEvent(kind, context) ? kind : null;
};

const isWakingEvent: Test = (args) => {
  const { context, event } = args;
  if (findOwnEventKind(args) === null || event.type !== 'forge.event' || isHeldEvent(event))
    return false;
  return findWokenPhase(context, event.event) !== null;
};

const hasPausedTurn: Test = ({ context: { stop, signals } }) =>
  stop?.reason === 'pause_turn' && !signals.newSession;
const hasNextStepSignal: Test = ({ context: { signals } }) =>
  signals.switch !== null || signals.goto !== null;
const isAwaitAsked: Test = ({ context: { signals } }) => signals.await !== null;
const hasSessionsLeft: Test = ({ context: { newSessions, limits } }) =>
  newSessions < limits.sessionsPerVisit;
const needsNewSession: Test = (args) =>
  !hasNextStepSignal(args) &&
  (args.context.signals.newSession !== null || (hasPausedTurn(args) && hasSessionsLeft(args)));
const isUnattendedLimitOver: Test = ({ context, event }) => isLimitOver(context, event);
const hasHoldingCheckpoint: Test = ({ context }) =>
  needsApproval(context) || findCheckpointSkippedBySwitch(context) !== null;
const hasReadableMessage: Test = ({ context }) =>
  context.unread.messages > 0 && findReadingPhase(context.workflow, context.phase) !== undefined;
/** An event would leave a phase that must be approved first. */
const wouldLeaveUnapproved = (context: JobContext, target: string): boolean =>
  needsApproval(context) && target !== context.approvals.at && context.unread.messages === 0;
/** An agentless phase is approved after its sub-runs; an agent's plan before they begin. */
const needsPlanApproval = (context: JobContext): boolean =>
  findCurrentPhase(context)?.agent !== null && needsApproval(context);
/** The waiting phase must be approved first, unless resumePhase is what it returns to. */
const needsApprovalToResume = (context: JobContext): boolean =>
  needsApproval(context) &&
  findApprovalBefore(context, context.workflow.coordinator?.resumePhase ?? '') ===
    context.approvals.at;
const isOwnPrWrite: Test = ({ context, event }) => {
  if (event.type !== 'forge.wrote' || !event.pr) return false;
  const { pr, operation } = event;
  return operation === 'create_pr' || context.prs.some(({ prId }) => prId === pr.prId);
};

export const jobGuards = {
  currentSession: ({ context, event }) =>
    event.type === 'session.ended' && isFromCurrentSession(context, event),
  workItemsFit: acceptsToolCall,
  workItemUpdateFits: acceptsToolCall,
  paramsFit: acceptsToolCall,
  newSessionAllowed: acceptsToolCall,
  gotoFits: acceptsToolCall,
  awaitFits: acceptsToolCall,
  switchFits: acceptsToolCall,
  writeFits: acceptsToolCall,
  coordinationFits: acceptsToolCall,
  callFits: acceptsToolCall,

  phaseGone: (args) => classifyPreparation(args) === 'gone',
  workflowTooLarge: (args) =>
    isForCurrentVisit(args) &&
    args.event.type === 'phase.prepared' &&
    countJsonBytes(args.event.workflow) > MAX_WORKFLOW_BYTES,
  beginRefused: ({ context, event }) =>
    event.type === 'phase.prepared' &&
    event.visit === context.visit &&
    findVisitRefusal(context, event.workflow) !== null,
  preparedAgentless: (args) => classifyPreparation(args) === 'agentless',
  preparedReady: (args) => classifyPreparation(args) === 'ready',
  preparationAnswered: isForCurrentVisit,
  limitOver: isUnattendedLimitOver,
  preparedTooLate: (args) => classifyPreparation(args) === 'ready' && isUnattendedLimitOver(args),
  cutAtLimit: (args) => args.context.stop?.reason === 'interrupted' && isUnattendedLimitOver(args),
  newSessionTooLate: (args) => needsNewSession(args) && isUnattendedLimitOver(args),

  sessionBroke: ({ context: { stop } }) => mustFailJob(stop),
  sessionRetries: ({ context: { stop, setbacks } }) =>
    stop?.fault !== undefined &&
    SESSION_FAULTS[stop.fault].leads === 'outage' &&
    (setbacks.faults ?? 0) < MAX_OUTAGE_WAITS,
  sessionRepairable: ({ context: { stop } }) => stop?.reason === 'error',
  preparationRetries: (args) =>
    args.event.type === 'phase.unprepared' &&
    args.event.retry === true &&
    (args.context.setbacks.outages ?? 0) < MAX_OUTAGE_WAITS &&
    isForCurrentVisit(args),
  escalateAsked: ({ context: { signals } }) => signals.escalate !== null,
  diskLow: ({ context: { stop } }) => stop?.reason === 'interrupted' && stop.disk !== undefined,
  sessionCut: ({ context: { stop } }) => stop?.reason === 'interrupted',
  quotaReached: ({ context: { stop } }) => stop?.reason === 'quota',
  budgetReached: ({ context: { stop } }) =>
    stop?.reason === 'interrupted' && stop.budget !== undefined,
  agentDied: ({ context: { stop, setbacks } }) =>
    stop?.reason === 'died' && setbacks.deaths < MAX_DEATHS,
  agentKeepsDying: ({ context: { stop } }) => stop?.reason === 'died',
  heldByRule: ({ context: { stop } }) => stop?.held !== undefined && stop.reason !== 'limit',
  agentStuck: ({ context: { stop } }) => stop?.reason === 'stuck',
  ratingDue: (args) => {
    const { stop, judged, visit } = args.context;
    const isOver = stop?.reason === 'end_turn' && stop.judge !== undefined;
    return isOver && judged?.visit !== visit && !(needsNewSession(args) && !isAwaitAsked(args));
  },
  flagPauses: ({ context: { judged, visit } }) => judged?.visit === visit && judged.pauses,
  currentRating: ({ context, event }) =>
    event.type === 'phase.judged' && isFromCurrentSession(context, event),
  externalAsked: ({ context: { signals } }) => signals.await?.external !== undefined,
  awaitAsked: isAwaitAsked,
  wokenInVain: ({ context }) =>
    context.signals.await !== null && countVisit(context, 'waits').progress.circle !== undefined,
  isLooping: ({ context: { progress } }) => progress?.circle !== undefined,
  newSessionAsked: needsNewSession,
  sessionsUsedUp: (args) =>
    !hasNextStepSignal(args) && hasPausedTurn(args) && !hasSessionsLeft(args),
  messageAtCheckpoint: (args) => hasHoldingCheckpoint(args) && hasReadableMessage(args),
  checkpointHolds: hasHoldingCheckpoint,
  checkpointPasses: (args) =>
    findCurrentPhase(args.context)?.interactive_checkpoint === true && !hasHoldingCheckpoint(args),
  approvalMissing: ({ context }) => {
    const { next, approvals } = context;
    return (
      next !== null &&
      !next.sameVisit &&
      approvals.at !== null &&
      findApprovalBefore(context, next.phase) === approvals.at
    );
  },
  approvalSkipped: (args) =>
    args.event.type === 'phase.prepared' &&
    isForCurrentVisit(args) &&
    args.context.session === 0 &&
    findSkippedCheckpoint(args.context, args.event.workflow) !== null,

  waitsForSubRuns: ({ context }) => hasOpenSubRuns(context) && !needsPlanApproval(context),
  subRunsAreOpen: ({ context }) => hasOpenSubRuns(context),
  settledUnapproved: ({ context }) => needsApprovalToResume(context),
  overUnapproved: ({ context }) => context.subRuns === 'settled' && needsApprovalToResume(context),
  subRunsUnfinalized: ({ context }) => isInParkPhase(context) && context.subRuns === 'collecting',
  subRunsSettled: ({ context: { subRuns } }) => subRuns === 'settled',
  subRunsOver: ({ context }) =>
    isInParkPhase(context) && (context.subRuns === 'settled' || context.subRuns === 'over'),
  waitsAgain: ({ context }) => hasSubRunsLeft(context) && mayWaitHere(context),
  waitsAgainAfterwards: ({ context }) => hasSubRunsLeft(context) && isPastResumption(context),
  waitsAgainAtOnce: ({ context }) => mayWaitHere(context),
  reopenedMeanwhile: ({ context: { subRuns, workflow } }) =>
    subRuns === 'reopened' && findParkPhase(workflow) !== null,
  coordinates: ({ context: { workflow } }) => findParkPhase(workflow) !== null,
  pausedWhileSubRuns: ({ context: { pausedFrom } }) => pausedFrom === 'subRuns',

  convertAsked: ({ context }) => isConversion(context),
  switchAsked: ({ context: { signals } }) => signals.switch !== null,
  gotoAsked: ({ context: { signals } }) => signals.goto !== null,
  phaseFollows: ({ context: { workflow, phase } }) => findNextPhase(workflow, phase) !== undefined,
  messageUnread: hasReadableMessage,
  gatePasses: ({ context }) => decideGate(context) === 'passed',
  gateFails: ({ context }) => decideGate(context) === 'failed',

  stoppingToCancel: ({ context: { stopFor } }) => stopFor === 'cancel',
  stoppingToPause: ({ context: { stopFor } }) => stopFor === 'pause',

  approvalFits: ({ context, event }) =>
    event.type === 'job.resume' && findApprovalProblems(context, event).length === 0,
  rejected: ({ context: { eventKey } }) => eventKey === REJECT,
  wokenUnapproved: ({ context }) => {
    const { awaited, unread } = context;
    const woken = awaited === null ? null : findEarlierWake(awaited, unread, context);
    return woken !== null && wouldLeaveUnapproved(context, woken.phase);
  },
  wokenAlready: ({ context }) =>
    context.awaited !== null && findEarlierWake(context.awaited, context.unread, context) !== null,
  wakes: isWakingEvent,
  wakesUnapproved: (args) =>
    isWakingEvent(args) &&
    isPrStateChange(findOwnEventKind(args)) &&
    args.event.type === 'forge.event' &&
    wouldLeaveUnapproved(args.context, findWokenPhase(args.context, args.event.event) ?? ''),
  wakesAsOver: (args) => isWakingEvent(args) && isPrStateChange(findOwnEventKind(args)),
  ownPr: (args) => findOwnEventKind(args) !== null,
  ownPrOver: (args) => isPrStateChange(findOwnEventKind(args)),
  nextIsSet: ({ context: { next } }) => next !== null,
  pausedWhileAwaiting: ({ context: { pausedFrom } }) => pausedFrom === 'event',
  pausedWhileExternal: ({ context: { pausedFrom } }) => pausedFrom === 'external',
  pausedWhileRating: ({ context: { pausedFrom } }) => pausedFrom === 'judging',
  pausedInWait: ({ context: { pausedFrom } }) =>
    pausedFrom === 'event' || pausedFrom === 'external',
  rerunFits: ({ context, event }) =>
    event.type === 'job.rerun' && findRerunProblems(context, event.phase).length === 0,

  ownPrWritten: isOwnPrWrite,
  writeUndecided: ({ event }) => event.type === 'forge.wrote' && event.result.code === 'undecided',
  givenUpPreparation: (args) =>
    args.event.type === 'effect.givenUp' &&
    args.event.effect === 'phase.prepare' &&
    isForCurrentVisit(args),
  outagePassable: (args) =>
    args.event.type === 'effect.givenUp' &&
    args.event.effect === 'phase.prepare' &&
    isTemporary(args.event.code) &&
    (args.context.setbacks.outages ?? 0) < MAX_OUTAGE_WAITS &&
    isForCurrentVisit(args),
  givenUpSession: ({ context, event }) =>
    event.type === 'effect.givenUp' &&
    event.effect === 'session.open' &&
    isFromCurrentSession(context, { visit: event.visit ?? -1, session: event.session ?? -1 }),
  givenUpRating: ({ context, event }) =>
    event.type === 'effect.givenUp' &&
    event.effect === 'phase.judge' &&
    isFromCurrentSession(context, { visit: event.visit ?? -1, session: event.session ?? -1 }),
  givenUpWrite: ({ event }) =>
    event.type === 'effect.givenUp' && event.effect === 'forge.write' && event.key !== null,
} satisfies Record<string, Test>;

export type JobGuard = keyof typeof jobGuards;
