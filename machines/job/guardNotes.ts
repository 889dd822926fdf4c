import type { GuardNote } from '../../src/kernel/chart.ts';
import type { JobGuard } from './guards.ts';

const CURRENT =
  'the call comes from the session that runs now (that of a phase that is over is refused), no invariant of the workflow forbids it';

const describeEventGuard = (says: string): GuardNote => ({ readsEvent: true, says });
const describeContextGuard = (says: string): GuardNote => ({ readsEvent: false, says });

/** What each guard means to people and agents; the sentence is true when the guard passes. */
export const jobGuardNotes: Readonly<Record<JobGuard, GuardNote>> = {
  currentSession: describeEventGuard('the answer belongs to the session that runs now'),
  workItemsFit: describeEventGuard(
    `${CURRENT}, the ids of the work items differ, at most one of them is in-progress, and the list is not too large`,
  ),
  workItemUpdateFits: describeEventGuard(
    `${CURRENT}, the work item exists, and no other one is in-progress beside it`,
  ),
  paramsFit: describeEventGuard(
    `${CURRENT}, none of the keys is reserved for the runner or a person, and params take at most 16 KiB`,
  ),
  newSessionAllowed: describeEventGuard(
    `${CURRENT}, and the visit has not used up its new sessions`,
  ),
  gotoFits: describeEventGuard(
    `${CURRENT}, the workflow has that phase, and no unapproved checkpoint comes before it`,
  ),
  awaitFits: describeEventGuard(
    `${CURRENT}, something can wake the job, and the workflow has the resumePhase, where one is given, and no unapproved checkpoint comes before it`,
  ),
  switchFits: describeEventGuard(
    `${CURRENT}, and the workflow switched to has the phase and is not too large`,
  ),
  writeFits: describeEventGuard(
    `${CURRENT}, the write was not asked for before, and not too many writes or pull requests are open`,
  ),
  coordinationFits: describeEventGuard(
    `${CURRENT}, the workflow has coordinator.enabled true (a sub-run also params.epicAllowed), no sub-run is to run again first, finalize_sub_runs was not taken in this visit, and nothing was registered while it checked`,
  ),
  callFits: describeEventGuard(CURRENT),

  phaseGone: describeEventGuard(
    'the phase is no longer in the workflow that was resolved for this visit',
  ),
  workflowTooLarge: describeEventGuard("the workflow's table is too large"),
  beginRefused: describeEventGuard('a rule of the workflow forbids that this phase begins now'),
  preparedAgentless: describeEventGuard('this visit is prepared and its phase has no agent'),
  limitOver: describeEventGuard('the job works unattended and its time is over'),
  preparedTooLate: describeEventGuard(
    'this visit is prepared, but the time of the job, which works unattended, is over',
  ),
  cutAtLimit: describeEventGuard(
    'the session was interrupted, and the time of the job, which works unattended, is over',
  ),
  newSessionTooLate: describeEventGuard(
    'the agent has asked for a new session, but the time of the job, which works unattended, is over',
  ),
  preparedReady: describeEventGuard('this visit is prepared and its phase has an agent'),
  preparationAnswered: describeEventGuard('the answer belongs to the visit that is being prepared'),

  sessionBroke: describeContextGuard(
    'the program of the agent ended with an exit code of its own, or the session at a limit',
  ),
  sessionRetries: describeContextGuard(
    'the session ended with an error that svc can try again by itself, and has not tried too often',
  ),
  sessionRepairable: describeContextGuard(
    'the session ended with an error that a person can repair',
  ),
  preparationRetries: describeEventGuard(
    'what keeps this visit from being prepared can be repaired, and has not been tried again too often',
  ),
  escalateAsked: describeContextGuard('the agent has called escalate'),
  diskLow: describeContextGuard('the session was ended because the disk is low'),
  sessionCut: describeContextGuard('the session was interrupted'),
  quotaReached: describeContextGuard("the model's endpoint takes no more requests for a while"),
  budgetReached: describeContextGuard('the session was ended because a budget is spent'),
  agentDied: describeContextGuard(
    "the agent's process ended without a result, and may be started again",
  ),
  agentKeepsDying: describeContextGuard(
    "the agent's process ended without a result, repeatedly and without progress",
  ),
  heldByRule: describeContextGuard('a guardrail made the job wait for a person'),
  agentStuck: describeContextGuard('the agent cannot come to an end on its own'),
  ratingDue: describeContextGuard(
    'the decision layer is on for the job, and the phase, which is over, was not rated yet',
  ),
  flagPauses: describeContextGuard(
    'the decision layer has flagged this visit, it may pause the job, and no person has dismissed that',
  ),
  currentRating: describeEventGuard('the answer is about the session that has just ended'),
  externalAsked: describeContextGuard(
    'the agent has called await_event for something outside of svc',
  ),
  awaitAsked: describeContextGuard('the agent has called await_event'),
  wokenInVain: describeContextGuard(
    'the agent awaits an event, and the events that woke the job have led to nothing, as often as `noProgress.wakes.park` allows',
  ),
  isLooping: describeContextGuard(
    'visits have ended in the same state, or with the same failing tests, as often as `noProgress` allows',
  ),
  newSessionAsked: describeContextGuard(
    'the agent has asked for a new session and for no other phase',
  ),
  sessionsUsedUp: describeContextGuard(
    'the agent paused its turn and the visit has used up its new sessions',
  ),
  messageAtCheckpoint: describeContextGuard('the phase waits for approval and a message is unread'),
  checkpointHolds: describeContextGuard(
    'the phase has an unapproved checkpoint, or the agent asked to switch past one of the other workflow',
  ),
  checkpointPasses: describeContextGuard(
    'the phase has a checkpoint and params.autoApprove names it',
  ),
  approvalMissing: describeContextGuard('an unapproved phase would be left for a later one'),
  approvalSkipped: describeEventGuard(
    'in the workflow as it is now, this visit has passed an unapproved checkpoint',
  ),

  waitsForSubRuns: describeContextGuard(
    "the phase is the coordinator's parkPhase and sub-runs are finalized that have not all ended, and the plan of this phase needs no approval",
  ),
  subRunsAreOpen: describeContextGuard(
    "the phase is the coordinator's parkPhase and sub-runs are finalized that have not all ended",
  ),
  settledUnapproved: describeContextGuard('the phase has an unapproved checkpoint'),
  overUnapproved: describeContextGuard(
    'every sub-run has ended, and the phase has an unapproved checkpoint',
  ),
  subRunsUnfinalized: describeContextGuard(
    "the phase is the coordinator's parkPhase and sub-runs are registered but not finalized",
  ),
  subRunsSettled: describeContextGuard('every sub-run has ended'),
  waitsAgain: describeContextGuard(
    'sub-runs have ended that resumePhase has not processed, or one is to run again, and no approval is needed first',
  ),
  waitsAgainAfterwards: describeContextGuard(
    'sub-runs have ended that resumePhase has not processed, or one is to run again',
  ),
  waitsAgainAtOnce: describeContextGuard(
    'the job is in resumePhase or past it, and nothing has to be approved first',
  ),
  reopenedMeanwhile: describeContextGuard('a sub-run is to run again'),
  coordinates: describeContextGuard('the workflow has coordinator.enabled true'),
  subRunsOver: describeContextGuard(
    "the phase is the coordinator's parkPhase and every sub-run has ended",
  ),
  pausedWhileSubRuns: describeContextGuard('the job was paused while it waited for its sub-runs'),

  convertAsked: describeContextGuard('the agent has called convert_to_workflow'),
  switchAsked: describeContextGuard('the agent has called switch_workflow'),
  gotoAsked: describeContextGuard('the agent has called goto_phase'),
  phaseFollows: describeContextGuard('another phase follows in the workflow'),
  messageUnread: describeContextGuard('a message is unread'),
  gatePasses: describeContextGuard(
    'no work item is pending or in-progress, and no rule forbids it to complete',
  ),
  gateFails: describeContextGuard(
    'work items are open or a rule forbids it to complete, and the completion gate has blocked as often as it may',
  ),

  stoppingToCancel: describeContextGuard('the session is being ended to cancel the job'),
  stoppingToPause: describeContextGuard(
    'the session is being ended to pause the job, not to cancel it',
  ),

  approvalFits: describeEventGuard(
    'the event key is approve, manual-resume or reject, and what is named as shown is what the phase shows now; only the first version may be approved without a name',
  ),
  rejected: describeContextGuard('the developer has rejected what was shown'),
  wokenUnapproved: describeContextGuard(
    'a merge that leads forward came already, but the phase that awaited it has not been approved',
  ),
  wokenAlready: describeContextGuard('the event that the job waits for has already arrived'),
  wakes: describeEventGuard(
    'the pull request or ticket belongs to the job and the event is of a kind that it waits for',
  ),
  wakesUnapproved: describeEventGuard(
    'a pull request of the job was merged, which leads forward, and the phase that waits for it has an unapproved checkpoint',
  ),
  wakesAsOver: describeEventGuard(
    'a pull request of the job was merged, closed or reopened, and the job waits for that',
  ),
  ownPr: describeEventGuard(
    'the pull request belongs to the job, or it is a comment on the ticket that its params name; green checks only where the job has named check_passed',
  ),
  ownPrOver: describeEventGuard('a pull request of the job was merged, closed or reopened'),
  nextIsSet: describeContextGuard('the next phase is already decided'),
  pausedWhileAwaiting: describeContextGuard('the job was paused while it waited for an event'),
  pausedWhileExternal: describeContextGuard(
    'the job was paused while it waited for something outside of svc',
  ),
  pausedWhileRating: describeContextGuard('it was paused while its phase was rated'),
  pausedInWait: describeContextGuard(
    'the job was paused while it waited for an event, or for something outside of svc',
  ),
  rerunFits: describeEventGuard(
    'the workflow has that phase, and no unapproved checkpoint comes before it',
  ),

  ownPrWritten: describeEventGuard(
    "the forge has created one of the job's pull requests or changed it",
  ),
  writeUndecided: describeEventGuard('it is unknown whether a write to the forge was done'),
  givenUpPreparation: describeEventGuard('the preparation of this visit was given up'),
  outagePassable: describeEventGuard(
    'the preparation of this visit could not reach a service, and may be tried again by itself',
  ),
  givenUpSession: describeEventGuard('the session that runs now was given up'),
  givenUpRating: describeEventGuard('the rating of the session that has just ended was given up'),
  givenUpWrite: describeEventGuard('a write to the forge was given up'),
};
