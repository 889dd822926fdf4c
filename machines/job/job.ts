import type { EventOf } from './jobEvents.ts';
import { writeLogLine } from './log.ts';
import { jobSetup } from './jobSetup.ts';
import { createJobContext } from './rules/createJobContext.ts';
import { ended } from './states/ended.ts';
import { parked } from './states/parked.ts';
import { queued } from './states/queued.ts';
import { working } from './states/working.ts';
import { logLateUndecidedWrite } from './states/writeAnswers.ts';
import { makeOnFirstUse } from '../../src/base/concurrency/makeOnFirstUse.ts';
import type { JobContext } from './jobContext.ts';
import { buildDeliveredPatch } from './rows.ts';

type DeliveredEvent = EventOf<'message.delivered'>;

/** In every state: a message's receipts may come after the session that was given it. */
const receipts = {
  'message.offered': { actions: 'noteOffered' },
  'message.delivered': {
    actions: {
      type: 'row.patch',
      params: ({ context, event }: { context: JobContext; event: DeliveredEvent }) =>
        buildDeliveredPatch(context, event),
    },
  },
  'message.acknowledged': { actions: 'noteAcknowledged' },
} as const;

/** Eventless steps of one event; more would be a cycle. */
const MAX_MICROSTEPS = 100;

/**
 * The job, as prose. The states are in `states/`, the rules they use in `rules/`; a leaf is written
 * `parent.leaf`.
 *
 * **queued** - in it while the job waits for one of the runner's slots: a new job before its first
 * visit, and every job that was woken, resumed or interrupted. On entry it takes its place at the
 * end of the line (`queuedAt`); `next` says which phase begins with the slot. It keeps the public
 * status that it had. Leaves: `slot.granted` → working.preparing; `budget.exceeded` → parked.budget;
 * its account is closed (`quota.closed`) → parked.quota; the time of a job that works unattended is
 * over, which ends every wait for a slot at once → parked.paused; a pause → parked.paused; a cancel
 * → ended.cancelled. A rerun changes `next` and keeps the place in the line.
 *
 * **working** - holds a slot (tag `slot`) from here to the next rest outside. From phase to phase
 * it keeps the slot.
 *
 * **working.preparing** - in it while the workspace, the overlay and the workflow are made ready
 * for one visit of a phase. On entry the visit begins (number + 1, its row, nothing asked for,
 * nothing shown), or continues if `next.sameVisit` is true, and `phase.prepare` is requested.
 * Leaves: `phase.prepared` of this visit → working.inSession, for a phase without agent →
 * working.settling; with an unapproved checkpoint before this phase, in the workflow as it is now →
 * working.preparing of that phase; an invariant forbids that the phase begins → parked.developer; when the workflow has lost the phase, or `phase.unprepared` →
 * ended.failed; `phase.postponed`, as a disk is low → queued, the same visit; preparation given up because a service cannot be reached → parked.outage, eleven times in a
 * row; given up for anything else → parked.developer; a pause, or the time of a job that works
 * unattended is over → parked.paused (the visit ends,
 * its late answer is refused); a cancel → ended.cancelled.
 *
 * **working.inSession** - in it while one agent session runs. On entry the session number grows and
 * `session.open` is asked for with everything from the inbox that no agent has read. A message is
 * offered to the session that runs (`message.offer`). Only here tools are taken, and only from this
 * very session; what they ask for is noted in `signals`. Leaves: `session.ended` of this session →
 * working.settling; the session given up → parked.developer; a pause or cancel → working.stopping.
 *
 * **working.settling** - eventless: a session, or a phase without one, is over. Leaves in this
 * order: escalate → ended.escalated; an error or a limit → ended.failed; interrupted for a budget
 * that is spent → parked.budget; interrupted, for a low disk or anything else → queued, the same visit continues (so does a new
 * session that the agent asks for after the time of a job that works unattended); a quota of the model's endpoint → parked.quota; a dead agent →
 * working.preparing, the same visit continues, or, dead for the fourth time without progress in
 * between, → parked.developer; an agent that is stuck (it refuses, is cut off, answers nothing, or
 * repeats a call that fails) → parked.developer; await_event → parked.developer, when the events that
 * woke the job have led to nothing as often as `noProgress` allows; → parked.external for something that a person reports,
 * else → parked.event; request_new_session or a paused turn → working.inSession, or
 * parked.developer when the visit has used up its sessions; an unread message before a checkpoint →
 * working.preparing of the phase that reads it; a checkpoint → parked.approval, unless
 * `params.autoApprove` names it; else → working.routing. Where the decision layer is on for the job,
 * a phase that is over → working.judging first, once a visit, and then, flagged, → parked.flagged;
 * both come after a dead or stuck agent and before await_event.
 *
 * A checkpoint also holds the job for a switch to a phase beyond a checkpoint of the other
 * workflow.
 *
 * In the coordinator's parkPhase: finalized sub-runs → parked.subRuns, after the approval where the
 * phase has an agent and a checkpoint; registered ones that were not finalized → parked.developer.
 * In resumePhase, or past it in a phase that needs no approval: a sub-run is to run again →
 * parked.subRuns, before any other signal.
 *
 * **working.judging** - in it while the decision layer rates the phase, only where it is on. On entry
 * `phase.judge` is asked for and a timer set. What comes is recorded: a rating, or a skip with its
 * reason. Leaves: `phase.judged`, the timer, or the rating given up → working.settling, whatever was
 * answered; a pause → parked.paused, which keeps the end of the session; a cancel → ended.cancelled.
 *
 * **working.routing** - eventless: the phase is over and no approval is needed. On entry the end of
 * the visit is counted: with the same state of the work, or the same failing tests, as before it is a
 * loop without progress (`rules/loops.ts`), and the next session is warned, or the job goes →
 * parked.developer. What a person does, a merge and a closed work item set the count to zero. Leaves:
 * switch_workflow, goto_phase or the next phase → working.preparing. After the last phase: an
 * unread message → working.preparing; no open work item, and no invariant forbids it → ended.complete; else the completion gate
 * blocks → working.preparing of the same phase with a corrective prompt, or, blocked as often as it
 * may, → ended.failed.
 *
 * **working.stopping** - in it while a running session is ended for a pause or a cancel. On entry
 * `session.stop` is asked for and a timer set. Tools are refused. Leaves: the session's end, its
 * giving up, or the timer → working.stopped. A cancel turns a pause into a cancel.
 *
 * **working.stopped** - eventless. Leaves: for a cancel → ended.cancelled; for a pause →
 * ended.escalated where a person has to look (the agent has escalated, or a write is undecided),
 * else parked.paused. What the session's kickoff was given counts as unread again, so the next one
 * gets it.
 *
 * **parked** - holds no slot; waits for the outside. In every one of its states a cancel →
 * ended.cancelled, a rerun → queued, messages and events of its pull requests go into the inbox.
 *
 * **parked.approval** - in it when a phase with a checkpoint is over. On entry the visit ends;
 * `planning` shows `awaiting-plan-approval`. What is approved is one hash (`rules/approval.ts`).
 * Leaves: approve, manual-resume or reject, when the hash named is current (without one: when the
 * first version shown is) → parked.answered; a message → queued, the same phase again. A message is
 * never an approval.
 *
 * **parked.answered** - eventless. Leaves: a rejection → queued, the same phase again; an approval
 * → parked.subRuns where the phase waits for its own sub-runs, else parked.released.
 *
 * **parked.event** - in it when the agent awaits an event. It shows the next phase and its status
 * when that phase has no agent. Leaves: a matching event of any mapped pull request → queued
 * (a merge leads to the phase after where it is awaited by name or no other one of its work item is
 * open, all else to the phase that awaited; where that one needs approval, what leads on →
 * parked.approval, all else wakes that phase alone); a message or
 * resume → queued, the phase that awaited; a pause → parked.paused; at once (eventless) when what
 * it waits for has come already. A comment that the decision layer holds goes into the inbox alone.
 *
 * **parked.external** - as parked.event, but what the agent awaits happens outside of svc, and a
 * person reports it by a resume or a message. Leaves: as parked.event.
 *
 * **parked.quota** - in it while the account of its model takes no requests: a session has met its
 * limit, or slots have found its account closed. On entry the account is notified, which wakes it; where
 * no account is known, a timer is set for the time that the endpoint named, else for 15 minutes,
 * doubling to 5 hours. An unpaid account sets no timer, since waiting does not help. A job that
 * parked before svc had accounts is given its account later (`quota.adopted`). It keeps its public status. Leaves: `quota.reset` of the account or the timer, or
 * a resume → queued, the same visit continues, with the agent's conversation where its executor
 * can; a pause → parked.paused. A message goes into the inbox.
 *
 * **parked.budget** - in it when a budget is spent: one that the job is under had too little left for
 * its slot, or the runner ended its session between two calls of the model. Nothing has failed, and
 * the checkout stays. On entry the log names the budget: what it is of, its cap, what was spent, who
 * can raise it and how; for the budget of a day or week a timer is set for the next one. It keeps its
 * public status. Leaves: `budget.renewed`, when it is raised or by the timer, or a resume → queued,
 * the same visit continues; a pause → parked.paused. A message goes into the inbox.
 *
 * **parked.outage** - in it while what a preparation needs, such as the forge of its repository,
 * cannot be reached or takes no requests. On entry a timer is set: 1 minute, doubling to 15, two
 * hours in all until the preparation succeeds. It keeps its public status. Leaves: `outage.over` of
 * the timer, or a resume → queued, the same visit prepares again; a pause → parked.paused. A
 * message goes into the inbox.
 *
 * **parked.developer** - in it when the runner needs a person: an effect was given up, the agent's
 * process kept dying, the agent is stuck or never came to an end, or the job loops without
 * progress. Leaves: resume → queued with the same
 * phase after a given-up effect and a dead agent; → parked.event after wakes without effect; else, as the phase is over, → parked.approval
 * when it has a checkpoint, or parked.released; a message → queued, the same phase again.
 *
 * **parked.flagged** - in it when the decision layer has flagged the visit, in Manage mode, of an
 * interactive job. Its status is `awaiting-developer-input`. Leaves: a resume, which dismisses the
 * flag for this visit → parked.dismissed; a message → queued, the same phase again.
 *
 * **parked.dismissed** - eventless: what would have followed the session. Leaves: reject → queued, the
 * same phase again; await_event → parked.event or parked.external; a checkpoint → parked.approval (a
 * dismissed flag is not an approval); else → parked.released.
 *
 * **parked.subRuns** - in it while a coordinating job waits, in its workflow's parkPhase, for its
 * sub-runs. On entry the dispatcher is notified to start or to continue. Leaves: `subRuns.settled`
 * → queued, resumePhase, or parked.approval where the parkPhase has a checkpoint; at once when they
 * have ended already; a failure that a person has to decide about → parked.halted; a pause →
 * parked.paused (the dispatcher begins nothing new). A message goes into the inbox.
 *
 * A sub-run that is to run again after all had ended (`subRuns.reopened`) leads back here: at once
 * from parked.approval of resumePhase, from parked.event, parked.external and parked.developer past
 * it, and from every end but a cancel; else when the phase is over, after its approval. So
 * resumePhase runs once for each time that all have ended. A rerun of a phase → queued, and the
 * dispatcher begins nothing until the job waits again.
 *
 * **parked.halted** - in it while the dispatcher is halted. What a person does goes to the
 * dispatcher, not to the job. Leaves: `subRuns.goOn` → parked.subRuns; `subRuns.settled` → as
 * parked.subRuns; a pause → parked.paused.
 *
 * **parked.paused** - in it when a person paused the job, alone or with all others (`stop-all`), or
 * when the time that it may work unattended is over (`until`): then no session begins any more, one
 * that runs ends at its next tool call, and waits that would be over by themselves (queued, sub-runs,
 * quota, budget, outage) end here; jobs that wait for a person or an event stay where they are. A
 * person who has it continue lifts a limit that is over, and may give a new one. It keeps its status.
 * Leaves: resume →
 * where it was: parked.event, parked.external, parked.subRuns, or queued for the same phase again.
 * A message → queued, the same phase again with it, or the phase that awaited; paused while it
 * waited for sub-runs → parked.subRuns, and it stays in the inbox.
 *
 * **parked.released** - eventless: as working.routing, but the next visit has to queue for a slot.
 *
 * **ended** - nothing is in flight. Of the events of pull requests only merged, closed and reopened
 * are taken, to be written down. A rerun → queued from each of its states.
 *
 * **ended.complete** - the last phase ended and the completion gate passed. Sub-runs may have
 * failed; then it says how many.
 *
 * **ended.failed** - an error, or the gate's last block; `escalationMessage` says which. Leaves:
 * resume or a message → queued, the same phase again, the gate counts from zero and the
 * escalationMessage moves into the history; the first session is given it; a cancel →
 * ended.cancelled.
 *
 * **ended.escalated** - the agent has called escalate, or it is unknown whether one of its writes
 * to a forge was done. Leaves: a cancel → ended.cancelled.
 *
 * **ended.cancelled** - a person has cancelled the job.
 *
 * Invariants (`workflow.invariants`) are rules about what must never happen, such as a merge without
 * an approval since the last push. What they have to remember of the journal is a few bits of the
 * context (`rules/monitors.ts`), stepped by the events themselves. They are asked where a tool would
 * do what they forbid, at a rerun, where a visit begins and before the job completes. A job takes
 * them along when it switches its workflow.
 *
 * No way leads past an approval: what may follow is one rule (`rules/checkpoints.ts`). It is asked
 * where a tool or a person names a phase, where a phase is over or woken, and again where every
 * visit begins (queued, working.preparing), so that a way that forgets it leads back. A rerun past
 * an unapproved checkpoint is refused.
 *
 * In every state: what those who watch pull requests have found (`pr.problems`) is written down, and
 * a wait says why what it waits for may not come; `message.offered`, `message.delivered` and `message.acknowledged` are written
 * down, and what an agent has read is no longer unread; `forge.wrote` is recorded (a write outlives
 * the session that asked for it, and the job: one that is undecided after the job has ended is a
 * line of its log), a write that was given up is answered as failed, an insight can be removed,
 * `subRuns.settled` is noted. A job that ends tells the dispatcher of its parent, and its own one
 * where sub-runs are open.
 */
export const jobMachine = makeOnFirstUse(() =>
  jobSetup.createMachine({
    id: 'job',
    context: ({ input }) => createJobContext(input),
    options: { maxIterations: MAX_MICROSTEPS },
    initial: 'queued',
    entry: ['storeReferences', 'storeCoordinator'],
    on: {
      'forge.wrote': [
        {
          guard: 'ownPrWritten',
          actions: [
            'endWrite',
            'storePr',
            writeLogLine<EventOf<'forge.wrote'>>(
              'forge',
              (_context, { operation, pr }) =>
                `${operation}: ${pr?.prId} is ${pr?.state} (${pr?.url})`,
            ),
          ],
        },
        logLateUndecidedWrite,
        { actions: 'endWrite' },
      ],
      'effect.givenUp': [
        {
          guard: 'givenUpWrite',
          actions: [
            'endGivenUp',
            writeLogLine<EventOf<'effect.givenUp'>>(
              'control',
              (_context, { error }) => `a write to the forge was given up: ${error}`,
            ),
          ],
        },
        {
          actions: writeLogLine<EventOf<'effect.givenUp'>>(
            'control',
            (_context, { effect, error }) => `${effect} was given up: ${error}`,
          ),
        },
      ],
      ...receipts,
      'pr.problems': { actions: 'notePrProblems' },
      'subRuns.settled': { actions: 'noteSettled' },
      'subRuns.reopened': [
        { guard: 'coordinates', actions: 'noteReopened' },
        { actions: { type: 'tellDispatcher', params: { event: 'parent.gone' } } },
      ],
      'insight.remove': {
        actions: {
          type: 'row.drop',
          params: ({ context, event }) => ({
            table: 'insights',
            key: { job_id: context.id, id: event.id },
          }),
        },
      },
    },
    states: { queued, working, parked, ended },
  }),
);
