import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestModel } from 'xstate/graph';
import type { StateValue } from 'xstate';
import type { JobContext, JobEvent, JobInput } from '../../machines/index.ts';
import { MAX_CONTEXT_BYTES } from '../../src/durable/contract.ts';
import { jobMachine } from '../../machines/job.ts';
import { leafPaths } from '../../machines/rules/leafPaths.ts';
import { item, phase, pr, workflow } from '../support/jobSteps.ts';
import { LEAF_STATES } from '../support/jobStates.ts';

const test = suite('job chart: all paths');

const TABLE = workflow([
  phase('plan', { interactive_checkpoint: true }),
  phase('code'),
  phase('wait', { agent: null }),
  phase('report'),
]);
/** Steps that may be tried: states times events. */
const LIMIT = 100_000;
const AT = Date.UTC(2026, 0, 1);

/** What can be sent to a job as it stands; everything that the chart refuses is tried as well. */
function eventsFor({ context }: { context: JobContext }): JobEvent[] {
  const { visit, session, workflow: table } = context;
  const fence = { visit, session, at: AT };
  const own = pr(1);
  const news = { ...own, author: 'alice', text: '', externalId: 'e', happenedAt: AT };
  return [
    { type: 'slot.granted', at: AT },
    { type: 'phase.prepared', visit, workflow: table, overlayHash: 'h', checkout: null, at: AT },
    { type: 'phase.unprepared', visit, message: 'no', diagnostics: [], at: AT },
    { type: 'session.ended', stopReason: 'end_turn', error: null, usage: null, ...fence },
    { type: 'session.ended', stopReason: 'error', error: 'boom', usage: null, ...fence },
    { type: 'session.ended', stopReason: 'interrupted', error: null, usage: null, ...fence },
    { type: 'tool.set_work_items', items: [item('a', 'in-progress')], ...fence },
    { type: 'tool.update_work_item', id: 'a', status: 'complete', ...fence },
    { type: 'tool.goto_phase', phase: 'code', reason: '', ...fence },
    { type: 'tool.await_event', kinds: null, prId: null, resumePhase: null, ...fence },
    { type: 'tool.escalate', message: 'help', ...fence },
    { type: 'forge.wrote', key: 'k', operation: 'create_pr', ok: true, pr: own, result: {}, at: AT },
    { type: 'forge.event', event: { ...news, kind: 'merged' }, at: AT },
    { type: 'job.message', id: 'm', text: 'hi', author: 'developer', at: AT },
    { type: 'job.resume', eventKey: 'approve', at: AT },
    { type: 'job.resume', eventKey: 'reject', at: AT },
    { type: 'job.pause', at: AT },
    { type: 'job.cancel', reason: null, at: AT },
    { type: 'job.rerun', phase: 'report', at: AT },
    { type: 'stop.overdue', at: AT },
    { type: 'effect.givenUp', effect: 'session.open', why: 'port-failed', attempts: 4, error: 'x', key: null, ...fence },
  ];
}

const INPUT: JobInput = {
  id: 'shop-job-1',
  type: 'job',
  tenantId: 'solo-test',
  workflowPath: 'workflows/job.md',
  workflow: TABLE,
  params: {},
  interactive: true,
  limits: { gateBlocks: 2, sessionsPerVisit: 2 },
  createdAt: AT,
};

/** Without counters: visits, sessions, gate blocks and the inbox grow. */
function keyOf({ value, context }: { value: StateValue; context: JobContext }): string {
  const { phase: name, signals, workItems, unread, next, pausedFrom, prs } = context;
  const asked = Object.entries(signals).find(([, signal]) => signal !== null)?.[0];
  return JSON.stringify([value, name, asked, workItems[0]?.status, unread.messages > 0, next?.phase, pausedFrom, prs[0]?.state]);
}

/** What must be true of a job at rest, whatever has led there; the sentences of what is not. */
function broken({ value, context, tags }: { value: StateValue; context: JobContext; tags: Set<string> }): string[] {
  const [leaf = ''] = leafPaths(value);
  const [top, name] = leaf.split('.');
  const { parked, next, queuedAt, given, visitOpen, stopFor, inbox, unread } = context;
  const truths: Record<string, boolean> = {
    'the state is one at rest': LEAF_STATES.some((known) => known === leaf),
    'the slot is held while it works, and only then': tags.has('slot') === (top === 'working'),
    'a parked job says why, and only a parked one': (parked?.kind ?? null) === (top === 'parked' ? name : null),
    'a queued job knows since when and for which phase':
      (queuedAt !== null) === (top === 'queued') && (top !== 'queued' || next !== null),
    'a working job has an open visit': top !== 'working' || visitOpen,
    'an ended job has nothing open': top !== 'ended' || (!visitOpen && next === null && stopFor === null),
    'a running session was given its kickoff': leaf !== 'working.inSession' || given !== null,
    'a job that awaits says what': leaf !== 'parked.event' || context.awaited !== null,
    'what is unread is counted': inbox.arrived > inbox.drained === unread.messages + unread.kinds.length > 0,
    'no message is unread in a complete job': leaf !== 'ended.complete' || unread.messages === 0,
    'the context fits': JSON.stringify(context).length <= MAX_CONTEXT_BYTES,
  };
  return Object.keys(truths).filter((truth) => truths[truth] !== true);
}

test('every path of events ends at rest in a legal state, and every state is reached (JOB-3)', () => {
  const paths = createTestModel(jobMachine).getShortestPaths({
    events: eventsFor,
    input: INPUT,
    serializeState: keyOf,
    limit: LIMIT,
  });
  const wrong = paths.flatMap(({ state, steps }) => {
    const how = steps.map(({ event }) => event.type).join(' ');
    return broken(state).map((truth) => `${leafPaths(state.value)}: not true that ${truth}, after ${how}`);
  });
  assert.equal(wrong.slice(0, 3), []);
  assert.ok(paths.length > 500, `${paths.length} paths`);
  const reached = new Set(paths.flatMap(({ steps }) => steps.flatMap(({ state }) => leafPaths(state.value))));
  assert.equal([...reached].toSorted(), [...LEAF_STATES].toSorted());
});

test.run();
