import type { GuardNote } from '../../src/durable/chart.ts';
import type { JobGuard } from './guards.ts';

const CURRENT =
  'the call comes from the session that runs now (that of a phase that is over is refused), no invariant of the workflow forbids it';

const reads = (says: string): GuardNote => ({ readsEvent: true, says });
const knows = (says: string): GuardNote => ({ readsEvent: false, says });

/** What each guard means to people and agents; the sentence is true when the guard passes. */
export const jobGuardNotes: Readonly<Record<JobGuard, GuardNote>> = {
  currentSession: reads('the answer belongs to the session that runs now'),
  workItemsFit: reads(
    `${CURRENT}, the ids of the work items differ, at most one of them is in-progress, and the list is not too large`,
  ),
  workItemUpdateFits: reads(
    `${CURRENT}, the work item exists, and no other one is in-progress beside it`,
  ),
  paramsFit: reads(
    `${CURRENT}, none of the keys is reserved for the runner or a person, and params take at most 16 KiB`,
  ),
  newSessionAllowed: reads(`${CURRENT}, and the visit has not used up its new sessions`),
  gotoFits: reads(
    `${CURRENT}, the workflow has that phase, and no unapproved checkpoint comes before it`,
  ),
  awaitFits: reads(
    `${CURRENT}, something can wake the job, and the workflow has the resumePhase, where one is given, and no unapproved checkpoint comes before it`,
  ),
  switchFits: reads(`${CURRENT}, and the workflow switched to has the phase and is not too large`),
  writeFits: reads(
    `${CURRENT}, the write was not asked for before, and not too many writes or pull requests are open`,
  ),
  coordinationFits: reads(
    `${CURRENT}, the workflow has coordinator.enabled true (a sub-run also params.epicAllowed), no sub-run is to run again first, finalize_sub_runs was not taken in this visit, and nothing was registered while it checked`,
  ),
  callFits: reads(CURRENT),

  phaseGone: reads('the phase is no longer in the workflow that was resolved for this visit'),
  workflowTooLarge: reads("the workflow's table is too large"),
  beginRefused: reads('a rule of the workflow forbids that this phase begins now'),
  preparedAgentless: reads('this visit is prepared and its phase has no agent'),
  limitOver: reads('the job works unattended and its time is over'),
  preparedTooLate: reads(
    'this visit is prepared, but the time of the job, which works unattended, is over',
  ),
  cutAtLimit: reads(
    'the session was interrupted, and the time of the job, which works unattended, is over',
  ),
  newSessionTooLate: reads(
    'the agent has asked for a new session, but the time of the job, which works unattended, is over',
  ),
  preparedReady: reads('this visit is prepared and its phase has an agent'),
  preparationAnswered: reads('the answer belongs to the visit that is being prepared'),

  sessionBroke: knows(
    'the program of the agent ended with an exit code of its own, or the session at a limit',
  ),
  sessionRetries: knows(
    'the session ended with an error that svc can try again by itself, and has not tried too often',
  ),
  sessionRepairable: knows('the session ended with an error that a person can repair'),
  preparationRetries: reads(
    'what keeps this visit from being prepared can be repaired, and has not been tried again too often',
  ),
  escalateAsked: knows('the agent has called escalate'),
  diskLow: knows('the session was ended because the disk is low'),
  sessionCut: knows('the session was interrupted'),
  quotaReached: knows("the model's endpoint takes no more requests for a while"),
  budgetReached: knows('the session was ended because a budget is spent'),
  agentDied: knows("the agent's process ended without a result, and may be started again"),
  agentKeepsDying: knows(
    "the agent's process ended without a result, repeatedly and without progress",
  ),
  heldByRule: knows('a guardrail made the job wait for a person'),
  agentStuck: knows('the agent cannot come to an end on its own'),
  judgingDue: knows(
    'the decision layer is on for the job, and the phase, which is over, was not rated yet',
  ),
  flagPauses: knows(
    'the decision layer has flagged this visit, it may pause the job, and no person has dismissed that',
  ),
  currentJudgement: reads('the answer is about the session that has just ended'),
  externalAsked: knows('the agent has called await_event for something outside of svc'),
  awaitAsked: knows('the agent has called await_event'),
  wokenInVain: knows(
    'the agent awaits an event, and the events that woke the job have led to nothing, as often as `noProgress.wakes.park` allows',
  ),
  goesInCircles: knows(
    'visits have ended in the same state, or with the same failing tests, as often as `noProgress` allows',
  ),
  newSessionAsked: knows('the agent has asked for a new session and for no other phase'),
  sessionsUsedUp: knows('the agent paused its turn and the visit has used up its new sessions'),
  messageAtCheckpoint: knows('the phase waits for approval and a message is unread'),
  checkpointHolds: knows(
    'the phase has an unapproved checkpoint, or the agent asked to switch past one of the other workflow',
  ),
  checkpointPasses: knows('the phase has a checkpoint and params.autoApprove names it'),
  approvalMissing: knows('an unapproved phase would be left for a later one'),
  approvalSkipped: reads(
    'in the workflow as it is now, this visit has passed an unapproved checkpoint',
  ),

  waitsForSubRuns: knows(
    "the phase is the coordinator's parkPhase and sub-runs are finalized that have not all ended, and the plan of this phase needs no approval",
  ),
  subRunsAreOpen: knows(
    "the phase is the coordinator's parkPhase and sub-runs are finalized that have not all ended",
  ),
  settledUnapproved: knows('the phase has an unapproved checkpoint'),
  overUnapproved: knows('every sub-run has ended, and the phase has an unapproved checkpoint'),
  subRunsUnfinalized: knows(
    "the phase is the coordinator's parkPhase and sub-runs are registered but not finalized",
  ),
  subRunsSettled: knows('every sub-run has ended'),
  waitsAgain: knows(
    'sub-runs have ended that resumePhase has not processed, or one is to run again, and no approval is needed first',
  ),
  waitsAgainAfterwards: knows(
    'sub-runs have ended that resumePhase has not processed, or one is to run again',
  ),
  waitsAgainAtOnce: knows(
    'the job is in resumePhase or past it, and nothing has to be approved first',
  ),
  reopenedMeanwhile: knows('a sub-run is to run again'),
  coordinates: knows('the workflow has coordinator.enabled true'),
  subRunsOver: knows("the phase is the coordinator's parkPhase and every sub-run has ended"),
  pausedWhileSubRuns: knows('the job was paused while it waited for its sub-runs'),

  convertAsked: knows('the agent has called convert_to_workflow'),
  switchAsked: knows('the agent has called switch_workflow'),
  gotoAsked: knows('the agent has called goto_phase'),
  phaseFollows: knows('another phase follows in the workflow'),
  messageUnread: knows('a message is unread'),
  gatePasses: knows('no work item is pending or in-progress, and no rule forbids it to complete'),
  gateFails: knows(
    'work items are open or a rule forbids it to complete, and the completion gate has blocked as often as it may',
  ),

  stoppingToCancel: knows('the session is being ended to cancel the job'),
  stoppingToPause: knows('the session is being ended to pause the job, not to cancel it'),

  approvalFits: reads(
    'the event key is approve, manual-resume or reject, and what is named as shown is what the phase shows now; only the first version may be approved without a name',
  ),
  rejected: knows('the developer has rejected what was shown'),
  wokenUnapproved: knows(
    'a merge that leads forward came already, but the phase that awaited it has not been approved',
  ),
  wokenAlready: knows('the event that the job waits for has already arrived'),
  wakes: reads(
    'the pull request or ticket belongs to the job and the event is of a kind that it waits for',
  ),
  wakesUnapproved: reads(
    'a pull request of the job was merged, which leads forward, and the phase that waits for it has an unapproved checkpoint',
  ),
  wakesAsOver: reads(
    'a pull request of the job was merged, closed or reopened, and the job waits for that',
  ),
  ownPr: reads(
    'the pull request belongs to the job, or it is a comment on the ticket that its params name; green checks only where the job has named check_passed',
  ),
  ownPrOver: reads('a pull request of the job was merged, closed or reopened'),
  nextIsSet: knows('the next phase is already decided'),
  pausedWhileAwaiting: knows('the job was paused while it waited for an event'),
  pausedWhileExternal: knows('the job was paused while it waited for something outside of svc'),
  pausedWhileJudging: knows('it was paused while its phase was rated'),
  pausedInWait: knows(
    'the job was paused while it waited for an event, or for something outside of svc',
  ),
  rerunFits: reads('the workflow has that phase, and no unapproved checkpoint comes before it'),

  ownPrWritten: reads("the forge has created one of the job's pull requests or changed it"),
  writeUndecided: reads('it is unknown whether a write to the forge was done'),
  givenUpPreparation: reads('the preparation of this visit was given up'),
  outagePassable: reads(
    'the preparation of this visit could not reach a service, and may be tried again by itself',
  ),
  givenUpSession: reads('the session that runs now was given up'),
  givenUpJudgement: reads('the rating of the session that has just ended was given up'),
  givenUpWrite: reads('a write to the forge was given up'),
};
