import type {
  ActorIndex,
  ActorState,
  DurableChart,
  FrameDraft,
  GivenUpEffect,
} from '../../src/kernel/chart.ts';
import type { StateFrame } from '../../src/contract/schema/job/frames.ts';
import { toEventIsoTime } from '../kit/eventTime.ts';
import { toGivenUpEvent } from './toGivenUpEvent.ts';
import { jobMachine } from './job.ts';
import type { JobContext } from './jobContext.ts';
import { jobMigrations } from './migrations.ts';
import type { JobEvent } from './jobEvents.ts';
import { jobGuardNotes } from './guardNotes.ts';
import { toLogFrame } from './rows.ts';
import { buildListRows } from './buildListRows.ts';
import { buildTransitionRows } from './buildTransitionRows.ts';
import { describeCompletion } from './rules/completionGate.ts';
import { readFirstNames, listLeafPaths } from '../../src/base/json/listLeafPaths.ts';
import { toStatusName } from './rules/toStatusName.ts';
import type { RowChange } from '../../src/contract/records/changes.ts';
import type { Tables } from '../../src/contract/records/tables.ts';

type SummaryRow = Omit<Tables['job_summaries'], 'job_id'>;

/**
 * Unchanged parts of the context are the same objects in the next state. When a job continues, its
 * row keeps the old wait: clearing it would write one more row per wake.
 */
const isSameSummary = (before: JobContext, after: JobContext): boolean =>
  before.params.description === after.params.description &&
  (before.parked === after.parked || after.parked === null) &&
  before.escalationMessage === after.escalationMessage &&
  before.subRunFailures === after.subRunFailures;

function toSummaryRow({
  params,
  parked,
  escalationMessage,
  subRunFailures,
}: JobContext): SummaryRow {
  return {
    description: typeof params.description === 'string' ? params.description : '',
    parked: parked === null ? null : JSON.stringify(parked),
    escalation: escalationMessage,
    failed: subRunFailures.failed,
    escalated: subRunFailures.escalated,
  };
}

/** What lists show of the job outside its list row, if a step changed it. */
function buildSummaryRows(
  before: ActorState | undefined,
  after: ActorState,
): RowChange<'job_summaries'>[] {
  const context = after.context as JobContext;
  if (before !== undefined && isSameSummary(before.context as JobContext, context)) return [];
  return [
    { op: 'put', table: 'job_summaries', row: { job_id: context.id, ...toSummaryRow(context) } },
  ];
}

type WaitRow = Tables['quota_waits'];

/** The row of a job that waits for an account; null = it does not wait. */
function toQuotaWaitRow(state: ActorState | undefined): WaitRow | null {
  if (state === undefined) return null;
  const { id, parked, interactive, createdAt } = state.context as JobContext;
  if (parked?.kind !== 'quota' || parked.pool === undefined) return null;
  return { pool: parked.pool, headless: interactive ? 0 : 1, since: createdAt, job_id: id };
}

/** Jobs that wait for a pool: interactive ones first, then the oldest. */
function buildQuotaWaitRows(
  before: ActorState | undefined,
  after: ActorState,
): RowChange<'quota_waits'>[] {
  const [was, is] = [toQuotaWaitRow(before), toQuotaWaitRow(after)];
  if (was?.pool === is?.pool) return [];
  return [
    ...(was === null ? [] : [{ op: 'drop' as const, table: 'quota_waits' as const, key: was }]),
    ...(is === null ? [] : [{ op: 'put' as const, table: 'quota_waits' as const, row: is }]),
  ];
}

const hasSlotTag = (state: ActorState | undefined): boolean =>
  state?.tags.includes('slot') ?? false;

/**
 * What a job reserves of its budgets: reserved when its slot is granted, and settled from the
 * ledger when the slot is freed.
 */
function buildHoldRows(
  before: ActorState | undefined,
  after: ActorState,
  event: { type: string },
): RowChange<'budget_holds'>[] {
  if (hasSlotTag(before) && !hasSlotTag(after))
    return [{ op: 'drop', table: 'budget_holds', key: { job_id: after.id } }];
  const { type, hold } = event as Partial<Extract<JobEvent, { type: 'slot.granted' }>>;
  return type === 'slot.granted' && hold !== undefined && hasSlotTag(after)
    ? [{ op: 'put', table: 'budget_holds', row: hold }]
    : [];
}

/** Raise it with every change that older snapshots do not survive unmigrated. */
const JOB_CHART_VERSION = 3;

/** Tag of the log line that marks a restart of the runner. */
const RESTART_TAG = 'restart';
/** Why the kernel gives up an effect at a start. */
const RESTARTS_USED_UP: GivenUpEffect['why'] = 'restarts-without-progress';

const agent = 'the agent';
const developer = 'a developer';
const runner = 'the runner';

const SENDERS: Readonly<Record<JobEvent['type'], string>> = {
  'tool.set_work_items': agent,
  'tool.update_work_item': agent,
  'tool.request_new_session': agent,
  'tool.set_job_params': agent,
  'tool.goto_phase': agent,
  'tool.await_event': agent,
  'tool.escalate': agent,
  'tool.switch_workflow': agent,
  'tool.post_artifact': agent,
  'tool.add_insight': agent,
  'tool.propose_change': agent,
  'tool.forge_write': agent,
  'tool.register_sub_run': agent,
  'tool.finalize_sub_runs': agent,
  'tool.sub_run_command': agent,
  'tool.convert_to_workflow': agent,
  'tool.checkout': agent,
  'job.resume': developer,
  'job.message': developer,
  'job.pause': developer,
  'job.cancel': developer,
  'job.rerun': developer,
  'insight.remove': developer,
  'message.offered': runner,
  'message.delivered': runner,
  'message.acknowledged': runner,
  'slot.granted': runner,
  'phase.prepared': runner,
  'phase.unprepared': runner,
  'phase.postponed': runner,
  'session.ended': runner,
  'phase.judged': 'the decision layer',
  'judge.overdue': 'a timer',
  'forge.wrote': 'the forge',
  'forge.event': 'the forge',
  'pr.problems': 'the poller of the forge',
  'effect.givenUp': 'the kernel',
  'subRuns.settled': 'the dispatcher of its sub-runs',
  'subRuns.halted': 'the dispatcher of its sub-runs',
  'subRuns.goOn': 'the dispatcher of its sub-runs',
  'subRuns.hindered': 'the dispatcher of its sub-runs',
  'subRuns.reopened': 'the dispatcher of its sub-runs',
  'stop.overdue': 'a timer',
  'budget.exceeded': runner,
  'budget.renewed': 'a person who raises the budget, or a timer',
  'quota.reset': 'a timer',
  'quota.closed': runner,
  'quota.adopted': runner,
  'outage.over': 'a timer',
  'until.reached': 'a timer',
};

/** The kernel passes only what it stored under this chart's name. */
const readJobContext = (state: ActorState): JobContext => state.context as JobContext;

export const toPublicStatus = (state: Pick<ActorState, 'value'> & { context: unknown }): string =>
  toStatusName(state.value, state.context as JobContext);

const toJobActivity = (top: string | undefined): ActorIndex['activity'] =>
  top === 'parked' || top === 'ended' ? top : 'live';

const findTopState = (state: ActorState): string | undefined => readFirstNames(state.value)[0];

/** Text for a complete job with failed sub-runs; null for every other job. */
function describeIncompleteJob(
  state: Pick<ActorState, 'value'> & { context: unknown },
): string | null {
  const { subRunFailures } = state.context as JobContext;
  const { failed, escalated } = subRunFailures;
  return failed + escalated > 0 && listLeafPaths(state.value).includes('ended.complete')
    ? describeCompletion(subRunFailures)
    : null;
}

type ShownJobState = Omit<StateFrame, 'at' | 'event'>;

function computeShownState(state: ActorState): ShownJobState {
  const context = readJobContext(state);
  const incomplete = describeIncompleteJob(state);
  return {
    status: toPublicStatus(state),
    phase: context.phase,
    visit: context.visit,
    state: listLeafPaths(state.value),
    parked: context.parked,
    ended: findTopState(state) === 'ended',
    ...(incomplete === null ? {} : { incomplete }),
  };
}

const isSameShownState = (one: ShownJobState, other: ShownJobState): boolean =>
  one.status === other.status &&
  one.phase === other.phase &&
  one.visit === other.visit &&
  one.ended === other.ended &&
  one.incomplete === other.incomplete &&
  one.state.join() === other.state.join() &&
  (one.parked === other.parked || JSON.stringify(one.parked) === JSON.stringify(other.parked));

/** Whether a start of the runner caused the event, after an earlier runner ended at work. */
const isRunnerRestart = ({ type, why }: { type: string; why?: unknown }): boolean =>
  type === 'kernel.recovered' || (type === 'effect.givenUp' && why === RESTARTS_USED_UP);

/** The restart mark in the log, and a state frame if something it shows has changed. */
function buildJobFrames(
  before: ActorState | undefined,
  after: ActorState,
  event: { type: string; at?: number; why?: unknown },
): FrameDraft[] {
  const mark = isRunnerRestart(event)
    ? [toLogFrame(readJobContext(before ?? after), event, RESTART_TAG, 'runner restarted here')]
    : [];
  return [...mark, ...buildStateFrames(before, after, event)];
}

function buildStateFrames(
  before: ActorState | undefined,
  after: ActorState,
  event: { type: string; at?: number },
): FrameDraft[] {
  const jobState = computeShownState(after);
  return before !== undefined && isSameShownState(computeShownState(before), jobState)
    ? []
    : [
        {
          kind: 'state',
          data: {
            at: toEventIsoTime(readJobContext(after), event),
            event: event.type,
            ...jobState,
          } satisfies StateFrame,
        },
      ];
}

export const jobChart: DurableChart = {
  id: 'job',
  version: JOB_CHART_VERSION,
  about:
    'The life of one job: it waits for a slot, works phase by phase, parks when it waits for an event or a person, and ends.',
  versions: {
    1: 'phases, checkpoints, waiting for pull requests',
    2: 'sub-runs',
    3: 'sub-runs that run again, approvals that no way leads around, quotas of models, waiting for a person outside of svc, agents that die, waiting for a service that does not answer',
  },
  get machine() {
    return jobMachine();
  },
  shared: ['workflow'],
  senders: SENDERS,
  guards: jobGuardNotes,
  index(state) {
    const { type, params, queuedAt } = readJobContext(state);
    const top = findTopState(state);
    return {
      label: toPublicStatus(state),
      kind: type,
      parent: typeof params.parentJobId === 'string' ? params.parentJobId : null,
      slot: state.tags.includes('slot'),
      waitingSince: top === 'queued' ? queuedAt : null,
      activity: toJobActivity(top),
    };
  },
  frames: buildJobFrames,
  rows: (before, after, event) => [
    ...buildListRows(before, after, event),
    ...buildSummaryRows(before, after),
    ...buildTransitionRows(before, after, event as JobEvent),
    ...buildHoldRows(before, after, event),
    ...buildQuotaWaitRows(before, after),
  ],
  createGivenUpEvent: toGivenUpEvent,
  migrations: jobMigrations,
};
