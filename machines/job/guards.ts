import type { JobContext } from './jobContext.ts';
import type { JobEvent, ToolEvent } from './jobEvents.ts';
import { gateOf } from './gateChanges.ts';
import { approvalProblems, subRunsAreOpen } from './rules/approval.ts';
import { REJECT } from '../../src/domain/resumeKeys.ts';
import {
  approvalBefore,
  approvalSkipped,
  needsApproval,
  skippedBySwitch,
} from './rules/checkpoints.ts';
import {
  hasSubRunsLeft,
  inParkPhase,
  isConversion,
  isPastResumption,
  mayWaitHere,
  parkPhaseOf,
} from './rules/coordination.ts';
import { SESSION_FAULTS } from '../../src/domain/sessionFaults.ts';
import { isTemporary } from '../../src/domain/temporaryCodes.ts';
import { failsJob } from './rules/failsJob.ts';
import { countVisit } from './rules/laps.ts';
import { jsonBytes, MAX_DEATHS } from './rules/limits.ts';
import { MAX_OUTAGE_WAITS } from './rules/outage.ts';
import { MAX_WORKFLOW_BYTES } from '../../src/domain/jobLimits.ts';
import { concernsReference } from './rules/references.ts';
import { nextPhase, phaseNamed, phaseThatReads } from './rules/phases.ts';
import { beginRefused } from './rules/monitors.ts';
import { rerunProblems } from './rules/rerun.ts';
import { isUnasked } from './rules/unaskedKinds.ts';
import { isCurrent, toolProblems } from './rules/toolProblems.ts';
import { isLimitOver } from './rules/unattended.ts';
import { changesState, isHeld, wakeAlready, wakesTo } from './rules/wakeMatch.ts';

interface Args {
  context: JobContext;
  event: JobEvent;
}

type Test = (args: Args) => boolean;

const isToolEvent = (event: JobEvent): event is Extract<JobEvent, ToolEvent> =>
  event.type.startsWith('tool.');

/**
 * One rule for every tool; each has a name of its own so that a refusal says what that tool needs.
 */
const toolFits: Test = ({ context, event }) =>
  isToolEvent(event) && toolProblems(context, event).length === 0;

const phaseOf = ({ workflow, phase }: JobContext) => phaseNamed(workflow, phase);

const answersVisit: Test = ({ context, event }) =>
  'visit' in event && event.visit === context.visit;

/** What a preparation comes to. */
const prepared = ({ context, event }: Args): 'gone' | 'agentless' | 'ready' | null => {
  if (event.type !== 'phase.prepared' || event.visit !== context.visit) return null;
  const phase = phaseNamed(event.workflow, context.phase);
  if (!phase) return 'gone';
  return phase.agent === null ? 'agentless' : 'ready';
};

const ownEventKind = ({ context, event }: Args): string | null => {
  if (event.type !== 'forge.event') return null;
  const { kind, prId } = event.event;
  const isOwn =
    context.prs.some((pr) => pr.prId === prId) || concernsReference(context.params, event.event);
  return isOwn && !isUnasked(kind, context) ? kind : null;
};

const wakes: Test = (args) => {
  const { context, event } = args;
  if (ownEventKind(args) === null || event.type !== 'forge.event' || isHeld(event)) return false;
  return wakesTo(context, event.event) !== null;
};

const paused: Test = ({ context: { stop, signals } }) =>
  stop?.reason === 'pause_turn' && !signals.newSession;
const movesOn: Test = ({ context: { signals } }) =>
  signals.switch !== null || signals.goto !== null;
const isAwaiting: Test = ({ context: { signals } }) => signals.await !== null;
const hasNewSession: Test = ({ context: { newSessions, limits } }) =>
  newSessions < limits.sessionsPerVisit;
const asksNewSession: Test = (args) =>
  !movesOn(args) &&
  (args.context.signals.newSession !== null || (paused(args) && hasNewSession(args)));
const limitOver: Test = ({ context, event }) => isLimitOver(context, event);
const holds: Test = ({ context }) => needsApproval(context) || skippedBySwitch(context) !== null;
const hasUnreadFor: Test = ({ context }) =>
  context.unread.messages > 0 && phaseThatReads(context.workflow, context.phase) !== undefined;
/** Merged or closed leads out of the phase that awaited, and that one has to be approved first. */
const leavesUnapproved = (context: JobContext, target: string): boolean =>
  needsApproval(context) && target !== context.approvals.at && context.unread.messages === 0;
/**
 * An agentless phase is approved when its sub-runs have ended; what an agent has planned comes
 * before they begin.
 */
const plansUnapproved = (context: JobContext): boolean =>
  phaseOf(context)?.agent !== null && needsApproval(context);
/**
 * The phase that has waited for its sub-runs has to be approved before resumePhase; one that
 * resumePhase comes back to has not.
 */
const resumesUnapproved = (context: JobContext): boolean =>
  needsApproval(context) &&
  approvalBefore(context, context.workflow.coordinator?.resumePhase ?? '') === context.approvals.at;
const ownWrite: Test = ({ context, event }) => {
  if (event.type !== 'forge.wrote' || !event.pr) return false;
  const { pr, operation } = event;
  return operation === 'create_pr' || context.prs.some(({ prId }) => prId === pr.prId);
};

/** All guards of the job chart, by name; their descriptions are in guardNotes.ts. */
export const jobGuards = {
  currentSession: ({ context, event }) =>
    event.type === 'session.ended' && isCurrent(context, event),
  workItemsFit: toolFits,
  workItemUpdateFits: toolFits,
  paramsFit: toolFits,
  newSessionAllowed: toolFits,
  gotoFits: toolFits,
  awaitFits: toolFits,
  switchFits: toolFits,
  writeFits: toolFits,
  coordinationFits: toolFits,
  callFits: toolFits,

  phaseGone: (args) => prepared(args) === 'gone',
  workflowTooLarge: (args) =>
    answersVisit(args) &&
    args.event.type === 'phase.prepared' &&
    jsonBytes(args.event.workflow) > MAX_WORKFLOW_BYTES,
  beginRefused: ({ context, event }) =>
    event.type === 'phase.prepared' &&
    event.visit === context.visit &&
    beginRefused(context, event.workflow) !== null,
  preparedAgentless: (args) => prepared(args) === 'agentless',
  preparedReady: (args) => prepared(args) === 'ready',
  preparationAnswered: answersVisit,
  limitOver,
  preparedTooLate: (args) => prepared(args) === 'ready' && limitOver(args),
  cutAtLimit: (args) => args.context.stop?.reason === 'interrupted' && limitOver(args),
  newSessionTooLate: (args) => asksNewSession(args) && limitOver(args),

  sessionBroke: ({ context: { stop } }) => failsJob(stop),
  sessionRetries: ({ context: { stop, setbacks } }) =>
    stop?.fault !== undefined &&
    SESSION_FAULTS[stop.fault].leads === 'outage' &&
    (setbacks.faults ?? 0) < MAX_OUTAGE_WAITS,
  sessionRepairable: ({ context: { stop } }) => stop?.reason === 'error',
  preparationRetries: (args) =>
    args.event.type === 'phase.unprepared' &&
    args.event.retry === true &&
    (args.context.setbacks.outages ?? 0) < MAX_OUTAGE_WAITS &&
    answersVisit(args),
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
  judgingDue: (args) => {
    const { stop, judged, visit } = args.context;
    const isOver = stop?.reason === 'end_turn' && stop.judge !== undefined;
    return isOver && judged?.visit !== visit && !(asksNewSession(args) && !isAwaiting(args));
  },
  flagPauses: ({ context: { judged, visit } }) => judged?.visit === visit && judged.pauses,
  currentJudgement: ({ context, event }) =>
    event.type === 'phase.judged' && isCurrent(context, event),
  externalAsked: ({ context: { signals } }) => signals.await?.external !== undefined,
  awaitAsked: isAwaiting,
  wokenInVain: ({ context }) =>
    context.signals.await !== null && countVisit(context, 'waits').progress.circle !== undefined,
  goesInCircles: ({ context: { progress } }) => progress?.circle !== undefined,
  newSessionAsked: asksNewSession,
  sessionsUsedUp: (args) => !movesOn(args) && paused(args) && !hasNewSession(args),
  messageAtCheckpoint: (args) => holds(args) && hasUnreadFor(args),
  checkpointHolds: holds,
  checkpointPasses: (args) =>
    phaseOf(args.context)?.interactive_checkpoint === true && !holds(args),
  approvalMissing: ({ context }) => {
    const { next, approvals } = context;
    return (
      next !== null &&
      !next.sameVisit &&
      approvals.at !== null &&
      approvalBefore(context, next.phase) === approvals.at
    );
  },
  approvalSkipped: (args) =>
    args.event.type === 'phase.prepared' &&
    answersVisit(args) &&
    args.context.session === 0 &&
    approvalSkipped(args.context, args.event.workflow) !== null,

  waitsForSubRuns: ({ context }) => subRunsAreOpen(context) && !plansUnapproved(context),
  subRunsAreOpen: ({ context }) => subRunsAreOpen(context),
  settledUnapproved: ({ context }) => resumesUnapproved(context),
  overUnapproved: ({ context }) => context.subRuns === 'settled' && resumesUnapproved(context),
  subRunsUnfinalized: ({ context }) => inParkPhase(context) && context.subRuns === 'collecting',
  subRunsSettled: ({ context: { subRuns } }) => subRuns === 'settled',
  subRunsOver: ({ context }) =>
    inParkPhase(context) && (context.subRuns === 'settled' || context.subRuns === 'over'),
  waitsAgain: ({ context }) => hasSubRunsLeft(context) && mayWaitHere(context),
  waitsAgainAfterwards: ({ context }) => hasSubRunsLeft(context) && isPastResumption(context),
  waitsAgainAtOnce: ({ context }) => mayWaitHere(context),
  reopenedMeanwhile: ({ context: { subRuns, workflow } }) =>
    subRuns === 'reopened' && parkPhaseOf(workflow) !== null,
  coordinates: ({ context: { workflow } }) => parkPhaseOf(workflow) !== null,
  pausedWhileSubRuns: ({ context: { pausedFrom } }) => pausedFrom === 'subRuns',

  convertAsked: ({ context }) => isConversion(context),
  switchAsked: ({ context: { signals } }) => signals.switch !== null,
  gotoAsked: ({ context: { signals } }) => signals.goto !== null,
  phaseFollows: ({ context: { workflow, phase } }) => nextPhase(workflow, phase) !== undefined,
  messageUnread: hasUnreadFor,
  gatePasses: ({ context }) => gateOf(context) === 'passed',
  gateFails: ({ context }) => gateOf(context) === 'failed',

  stoppingToCancel: ({ context: { stopFor } }) => stopFor === 'cancel',
  stoppingToPause: ({ context: { stopFor } }) => stopFor === 'pause',

  approvalFits: ({ context, event }) =>
    event.type === 'job.resume' && approvalProblems(context, event).length === 0,
  rejected: ({ context: { eventKey } }) => eventKey === REJECT,
  wokenUnapproved: ({ context }) => {
    const { awaited, unread } = context;
    const woken = awaited === null ? null : wakeAlready(awaited, unread, context);
    return woken !== null && leavesUnapproved(context, woken.phase);
  },
  wokenAlready: ({ context }) =>
    context.awaited !== null && wakeAlready(context.awaited, context.unread, context) !== null,
  wakes,
  wakesUnapproved: (args) =>
    wakes(args) &&
    changesState(ownEventKind(args)) &&
    args.event.type === 'forge.event' &&
    leavesUnapproved(args.context, wakesTo(args.context, args.event.event) ?? ''),
  wakesAsOver: (args) => wakes(args) && changesState(ownEventKind(args)),
  ownPr: (args) => ownEventKind(args) !== null,
  ownPrOver: (args) => changesState(ownEventKind(args)),
  nextIsSet: ({ context: { next } }) => next !== null,
  pausedWhileAwaiting: ({ context: { pausedFrom } }) => pausedFrom === 'event',
  pausedWhileExternal: ({ context: { pausedFrom } }) => pausedFrom === 'external',
  pausedWhileJudging: ({ context: { pausedFrom } }) => pausedFrom === 'judging',
  pausedInWait: ({ context: { pausedFrom } }) =>
    pausedFrom === 'event' || pausedFrom === 'external',
  rerunFits: ({ context, event }) =>
    event.type === 'job.rerun' && rerunProblems(context, event.phase).length === 0,

  ownPrWritten: ownWrite,
  writeUndecided: ({ event }) => event.type === 'forge.wrote' && event.result.code === 'undecided',
  givenUpPreparation: (args) =>
    args.event.type === 'effect.givenUp' &&
    args.event.effect === 'phase.prepare' &&
    answersVisit(args),
  outagePassable: (args) =>
    args.event.type === 'effect.givenUp' &&
    args.event.effect === 'phase.prepare' &&
    isTemporary(args.event.code) &&
    (args.context.setbacks.outages ?? 0) < MAX_OUTAGE_WAITS &&
    answersVisit(args),
  givenUpSession: ({ context, event }) =>
    event.type === 'effect.givenUp' &&
    event.effect === 'session.open' &&
    isCurrent(context, { visit: event.visit ?? -1, session: event.session ?? -1 }),
  givenUpJudgement: ({ context, event }) =>
    event.type === 'effect.givenUp' &&
    event.effect === 'phase.judge' &&
    isCurrent(context, { visit: event.visit ?? -1, session: event.session ?? -1 }),
  givenUpWrite: ({ event }) =>
    event.type === 'effect.givenUp' && event.effect === 'forge.write' && event.key !== null,
} satisfies Record<string, Test>;

export type JobGuard = keyof typeof jobGuards;
