/** What happens, as people say it, by the event's technical name. */
const EVENTS: Readonly<Record<string, string>> = {
  'tool.set_work_items': 'agent plans work items',
  'tool.update_work_item': 'agent updates a work item',
  'tool.request_new_session': 'agent asks for a new session',
  'tool.set_job_params': 'agent sets parameters',
  'tool.goto_phase': 'agent goes to another phase',
  'tool.await_event': 'agent waits for an event',
  'tool.escalate': 'agent escalates',
  'tool.switch_workflow': 'agent switches the workflow',
  'tool.post_artifact': 'agent posts an artefact',
  'tool.add_insight': 'agent notes an insight',
  'tool.propose_change': 'agent proposes a change',
  'tool.forge_write': 'agent writes to the forge',
  'tool.register_sub_run': 'agent plans a sub-run',
  'tool.finalize_sub_runs': 'agent completes the plan of sub-runs',
  'tool.sub_run_command': 'agent skips, reruns or cancels a sub-run',
  'tool.convert_to_workflow': 'agent turns the job into another workflow',
  'tool.checkout': 'agent checks out a repository',
  'job.resume': 'you answer or resume',
  'job.message': 'you write a message',
  'job.pause': 'you pause the job',
  'job.cancel': 'you cancel the job',
  'job.rerun': 'you rerun a phase',
  'job.dismiss': 'you dismiss the job',
  'job.undismiss': 'you undo the dismissal',
  'insight.remove': 'you remove an insight',
  'message.offered': 'a message is handed to the agent',
  'message.delivered': 'the model is given a message',
  'message.acknowledged': 'the model answers a message',
  'slot.granted': 'the job leaves the queue',
  'phase.prepared': 'the phase is prepared',
  'phase.unprepared': 'the phase cannot be prepared',
  'phase.postponed': 'the disk is low',
  'session.ended': 'the agent finished',
  'forge.wrote': 'the forge was written to',
  'forge.event': 'news of a pull request',
  'pr.problems': 'what keeps pull requests from being looked up has changed',
  'effect.givenUp': 'something could not be done',
  'subRuns.settled': 'all sub-runs have ended',
  'subRuns.halted': 'a sub-run failed',
  'subRuns.goOn': 'the failure is decided',
  'subRuns.hindered': 'the job of a sub-run cannot be created now',
  'subRuns.reopened': 'a sub-run is to run again',
  'phase.judged': 'the decision layer has rated the phase',
  'judge.overdue': 'the decision layer does not answer in time',
  'stop.overdue': 'the agent does not stop in time',
  'quota.reset': 'the quota should be free again',
  'quota.closed': 'the account of its model is at a limit',
  'quota.adopted': 'it waits with others for its model',
  'budget.exceeded': 'a budget is spent',
  'budget.renewed': 'the budget was raised or begins again',
  'until.reached': 'its unattended time is over',
  'outage.over': 'the service is tried again',
  'subRuns.register': 'a sub-run is planned',
  'subRuns.finalize': 'the plan is complete',
  'subRuns.clear': 'the plan is dropped',
  'subRuns.skip': 'you skip a sub-run',
  'subRuns.unskip': 'you undo a skip',
  'subRuns.rerun': 'you rerun a sub-run',
  'subRuns.cancel': 'you cancel a sub-run',
  'parent.parked': 'the campaign waits',
  'parent.paused': 'the campaign stops waiting',
  'parent.ended': 'the campaign ends',
  'parent.gone': 'the campaign cannot wait again',
  'subRun.prepared': 'a job is ready to start',
  'subRun.unprepared': 'a job cannot be started',
  'subRun.postponed': 'a job cannot be created now',
  'subRuns.retry': 'it is tried again',
  'subRun.ended': 'a sub-run ends',
  'subRun.reopened': 'a job continues after its end',
};

/** What happens under a condition, where both have one name; by event and guard. */
const WAYS: Readonly<Record<string, string>> = {
  'job.resume approved': 'you approve',
  'job.resume rejected': 'you ask for changes',
  'job.resume approvalFits': 'you approve or reject',
  'forge.event merged': 'the last open pull request is merged',
  'forge.event news': 'a review or comment, or a pull request is closed',
  'forge.event wakes': 'the awaited event arrives',
  'session.ended failed': 'the agent ends with an error',
};

/** States of the charts of jobs and campaigns, by their path. */
const STATES: Readonly<Record<string, string>> = {
  queued: 'Queued',
  working: 'Working',
  'working.preparing': 'Preparing the phase',
  'working.inSession': 'Agent at work',
  'working.judging': 'Rating the phase',
  'working.settling': 'Agent finished: what did it ask for?',
  'working.routing': 'Choosing the next phase',
  'working.stopping': 'Stopping the agent',
  'working.stopped': 'Stopped',
  parked: 'Waiting',
  'parked.approval': 'Waiting for approval',
  'parked.answered': 'Answered',
  'parked.event': 'Waiting for a pull request',
  'parked.external': 'Waiting for something outside svc',
  'parked.quota': 'Waiting for quota',
  'parked.budget': 'Waiting for a budget',
  'parked.outage': 'Waiting for a service',
  'parked.developer': 'Waiting for you',
  'parked.subRuns': 'Waiting for sub-runs',
  'parked.halted': 'Halted: a sub-run failed',
  'parked.paused': 'Paused',
  'parked.flagged': 'Flagged: waiting for you',
  'parked.dismissed': 'About to continue after the flag',
  'parked.released': 'About to continue',
  ended: 'Ended',
  'ended.complete': 'Complete',
  'ended.failed': 'Failed',
  'ended.escalated': 'Escalated',
  'ended.cancelled': 'Cancelled',
  starting: 'Starting',
  collecting: 'Collecting sub-runs',
  finalized: 'Planned',
  dispatching: 'Running sub-runs',
  halted: 'Halted: a sub-run failed',
  held: 'On hold',
  settled: 'All sub-runs have ended',
  reopened: 'About to continue',
  closing: 'Stopping sub-runs',
  closed: 'Closed',
};

/** `poll.due` → `poll due`, `inFlight` → `in flight`. */
const spaceName = (name: string): string =>
  name
    .replaceAll(/[._-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

/** An event in plain words; one that is not known by its own name, with spaces. */
export const toPlainEvent = (event: string): string => EVENTS[event] ?? spaceName(event);

/** An event under a condition that has a name of its own; undefined where it is missing. */
export const findPlainWay = (event: string, guard: string | undefined): string | undefined =>
  WAYS[`${event} ${guard}`];

/** A state in plain words; phases of workflows keep the names that their authors gave them. */
export const toPlainState = (path: string, name: string): string => STATES[path] ?? name;

/** What happens, as a heading: with a capital. */
export const toPlainHeading = (event: string, guard?: string): string => {
  const words = findPlainWay(event, guard) ?? toPlainEvent(event);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
