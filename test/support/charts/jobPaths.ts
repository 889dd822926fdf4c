import { createTestModel } from 'xstate/graph';
import type { StateValue } from 'xstate';
import type { JobContext, JobEvent, JobInput } from '../../../machines/index.ts';
import type { Exceeded } from '../../../src/contract/schema/policy/exceeded.ts';
import { jobMachine } from '../../../machines/job/job.ts';
import { item, phase, pr, workflow } from './jobSteps.ts';
import { goodAnswers } from '../decisions/aQuestion.ts';
import { FAR_OFF, createRating, MANAGE } from './ratings.ts';

const PHASES = [
  phase('plan', { interactive_checkpoint: true }),
  phase('code'),
  phase('wait', { agent: null }),
  phase('report'),
];

const CAMPAIGN = workflow(PHASES, {
  coordinator: {
    enabled: true,
    parkPhase: 'wait',
    parkStatus: 'awaiting-sub-runs',
    resumePhase: 'report',
    subRunWorkflowPath: 'workflows/job.md',
    subRunParamsDefault: {},
    maxParallelSubRuns: 1,
    failurePolicy: 'continue',
    forwardSiblingInsights: false,
  },
});
/** Steps that may be tried: states times events. */
const LIMIT = 150_000;
const AT = Date.UTC(2026, 0, 1);
const SPENT: Exceeded = {
  scope: 'job',
  key: 'job-1',
  window: '',
  metric: 'usd',
  cap: 1,
  spent: 1,
  by: 'config',
  until: null,
  text: 'the budget of job job-1 is spent',
};
const NO_COUNTS = {
  pending: 0,
  ready: 0,
  dispatched: 0,
  complete: 0,
  failed: 0,
  escalated: 0,
  skipped: 0,
};

/** Of the decision layer; without work items and pull requests, which it has nothing to do with. */
function ratings({ visit, session, workItems, prs }: JobContext): JobEvent[] {
  if (workItems.length > 0 || prs.length > 0) return [];
  const fence = { visit, session, at: AT };
  return [
    {
      type: 'session.ended',
      stopReason: 'end_turn',
      error: null,
      usage: null,
      judge: MANAGE,
      ...fence,
    },
    { type: 'phase.judged', judgement: createRating({ answers: goodAnswers }), ...fence },
    { type: 'phase.judged', judgement: createRating({ answers: FAR_OFF }), ...fence },
    { type: 'judge.overdue', at: AT },
  ];
}

/** What can be sent to a job in its state; everything that the chart refuses is tried as well. */
function eventsFor({ context }: { context: JobContext }): JobEvent[] {
  const { visit, session, workflow: table } = context;
  const fence = { visit, session, at: AT };
  const own = pr(1);
  const news = { ...own, author: 'alice', text: '', externalId: 'e', happenedAt: AT };
  return [
    { type: 'slot.granted', at: AT },
    { type: 'budget.exceeded', exceeded: SPENT, at: AT },
    { type: 'budget.renewed', at: AT },
    { type: 'until.reached', at: AT },
    { type: 'phase.prepared', visit, workflow: table, overlayHash: 'h', checkout: null, at: AT },
    { type: 'phase.unprepared', visit, message: 'no', diagnostics: [], at: AT },
    { type: 'phase.unprepared', visit, message: 'no', diagnostics: [], retry: true, at: AT },
    { type: 'session.ended', stopReason: 'end_turn', error: null, usage: null, ...fence },
    { type: 'session.ended', stopReason: 'error', error: 'boom', usage: null, ...fence },
    ...(['not-started', 'refused'] as const).map((fault) => ({
      type: 'session.ended' as const,
      stopReason: 'error' as const,
      error: 'boom',
      fault,
      usage: null,
      ...fence,
    })),
    { type: 'session.ended', stopReason: 'interrupted', error: null, usage: null, ...fence },
    {
      type: 'session.ended',
      stopReason: 'quota',
      error: 'slow down',
      usage: null,
      resetsAt: null,
      ...fence,
    },
    { type: 'session.ended', stopReason: 'died', error: 'killed', usage: null, ...fence },
    ...ratings(context),
    { type: 'quota.reset', at: AT },
    {
      type: 'effect.givenUp',
      effect: 'phase.prepare',
      why: 'port-failed',
      attempts: 4,
      error: 'no answer',
      code: 'unreachable',
      visit,
      session: null,
      key: null,
      at: AT,
    },
    { type: 'outage.over', at: AT },
    { type: 'tool.set_work_items', items: [item('a', 'in-progress')], ...fence },
    { type: 'tool.update_work_item', id: 'a', status: 'complete', ...fence },
    { type: 'tool.goto_phase', phase: 'code', reason: '', ...fence },
    { type: 'tool.await_event', kinds: null, prId: null, resumePhase: null, ...fence },
    {
      type: 'tool.await_event',
      kinds: null,
      prId: null,
      resumePhase: null,
      external: 'a review',
      ...fence,
    },
    { type: 'tool.escalate', message: 'help', ...fence },
    {
      type: 'forge.wrote',
      key: 'k',
      operation: 'create_pr',
      ok: true,
      pr: own,
      result: {},
      at: AT,
    },
    { type: 'forge.event', event: { ...news, kind: 'merged' }, at: AT },
    { type: 'job.message', id: 'm', text: 'hi', author: 'developer', at: AT },
    { type: 'job.resume', eventKey: 'approve', at: AT },
    { type: 'job.resume', eventKey: 'reject', at: AT },
    { type: 'job.pause', at: AT },
    { type: 'job.cancel', reason: null, at: AT },
    { type: 'job.rerun', phase: 'report', at: AT },
    { type: 'stop.overdue', at: AT },
    {
      type: 'effect.givenUp',
      effect: 'session.open',
      why: 'port-failed',
      attempts: 4,
      error: 'x',
      key: null,
      ...fence,
    },
  ];
}

/**
 * What can be sent to a parent beside that; without work items and pull requests, which are covered
 * above.
 */
function campaignEventsFor(state: { context: JobContext }): JobEvent[] {
  const { visit, session } = state.context;
  const fence = { visit, session, at: AT };
  const omitted = [
    'tool.set_work_items',
    'tool.update_work_item',
    'tool.await_event',
    'forge.wrote',
    'forge.event',
    'job.message',
  ];
  return [
    ...eventsFor(state).filter((event) => !omitted.includes(event.type) && !('judge' in event)),
    { type: 'tool.register_sub_run', name: 'a', ...fence },
    { type: 'tool.finalize_sub_runs', ...fence },
    { type: 'subRuns.halted', names: ['a'], at: AT },
    { type: 'subRuns.goOn', at: AT },
    { type: 'subRuns.hindered', message: 'a: no layer', needsPerson: true, at: AT },
    { type: 'subRuns.settled', counts: NO_COUNTS, failures: [], failed: 0, at: AT },
  ];
}

const INPUT: JobInput = {
  id: 'shop-job-1',
  type: 'job',
  tenantId: 'solo-test',
  workflowPath: 'workflows/job.md',
  workflow: workflow(PHASES),
  params: {},
  interactive: true,
  limits: { gateBlocks: 2, sessionsPerVisit: 2 },
  createdAt: AT,
};

/** Without counters: visits, sessions, gate blocks and the inbox grow. */
function toStateKey({ value, context }: { value: StateValue; context: JobContext }): string {
  const { phase: name, signals, workItems, unread, next, pausedFrom, prs, subRuns } = context;
  const signalName = Object.entries(signals).find(([, signal]) => signal !== null)?.[0];
  const facts = [
    name,
    signalName,
    workItems[0]?.status,
    unread.messages > 0,
    next?.phase,
    pausedFrom,
    prs[0]?.state,
    subRuns,
  ];
  return JSON.stringify([value, ...facts]);
}

const findShortestPaths = (
  input: JobInput,
  events: (state: { context: JobContext }) => JobEvent[],
) =>
  createTestModel(jobMachine())
    .getShortestPaths({ events, input, serializeState: toStateKey, limit: LIMIT })
    .map((path) => ({ ...path, input }));

/** The shortest path of events to every state of a job and of a parent, counters ignored. */
export const shortestPaths = () => [
  ...findShortestPaths(INPUT, eventsFor),
  ...findShortestPaths({ ...INPUT, workflow: CAMPAIGN }, campaignEventsFor),
];
