import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PhaseVisit } from '../../src/schema/job.ts';
import type { JournalEntry } from '../../src/schema/replies.ts';
import { stateAt } from '../../ui/jobs/journal/replay.ts';
import { timelineOf } from '../../ui/jobs/page/timeline.ts';

const test = suite('dashboard: timeline and replay of a job');

const START = Date.parse('2026-01-01T00:00:00.000Z');

/**
 * A journal of events with the states they led through; a second lies between two rows unless they
 * say `at`.
 */
const journal = (
  ...rows: [event: Record<string, unknown> & { type: string }, path?: string[], at?: number][]
): JournalEntry[] =>
  rows.map(([event, path = [], at], index) => ({
    actor: 'j',
    seq: index + 1,
    at: START + (at ?? index * 1_000),
    event,
    path,
    effects: [],
    note: false,
  }));

const PLANNED: PhaseVisit = {
  visit: 1,
  phase: 'planning',
  status: 'planning',
  startedAt: '',
  endedAt: null,
  sessions: 1,
  overlayHash: null,
  outcome: null,
  approvedBy: null,
};

const LIFE = journal(
  [{ type: 'xstate.init' }, ['queued']],
  [{ type: 'slot.granted' }, ['working.preparing'], 10],
  [{ type: 'phase.prepared', visit: 1 }, ['working.inSession'], 1_000],
  [{ type: 'tool.post_artifact', title: 'Plan' }, ['working.inSession'], 2_000],
  [
    { type: 'tool.forge_write', forge: 'local', operation: 'create_pr' },
    ['working.inSession'],
    3_000,
  ],
  [
    { type: 'session.ended', stopReason: 'end_turn' },
    ['working.settling', 'parked.approval'],
    4_000,
  ],
  [{ type: 'job.resume', eventKey: 'approve' }, ['parked.answered', 'queued'], 9_000],
  [{ type: 'job.cancel', reason: 'not wanted' }, ['ended.cancelled'], 12_000],
);

test('the life of a job: phases, sessions, tools, waits with their reason, and what people did (UI-1)', () => {
  const reasons = { '2026-01-01T00:00:04.000Z': 'phase planning waits for approval' };
  assert.equal(
    timelineOf(LIFE, [PLANNED], reasons).map(({ kind, title, detail, at, until }) => [
      kind,
      title,
      detail,
      at - START,
      until === null ? null : until - START,
    ]),
    [
      ['phase', 'planning', '', 1_000, null],
      ['session', 'Session', 'end turn', 1_000, 4_000],
      ['tool', 'post_artifact', 'Plan', 2_000, null],
      ['tool', 'local create_pr', '', 3_000, null],
      ['wait', 'Waiting for approval', 'phase planning waits for approval', 4_000, 9_000],
      ['person', 'Resumed', 'approved', 9_000, null],
      ['wait', 'Waiting for a slot', '', 9_000, 12_000],
      ['person', 'Cancelled by a developer', 'not wanted', 12_000, null],
      ['end', 'cancelled', '', 12_000, null],
    ],
  );
});

test('what is under way is open; a slot that was free at once is no wait', () => {
  const open = timelineOf(LIFE.slice(0, 3), [PLANNED], {}).filter(({ open: is }) => is);
  assert.equal(
    open.map(({ kind }) => kind),
    ['session'],
  );
  assert.equal(
    timelineOf(LIFE.slice(0, 1), [], {}).map(({ title, open: is }) => [title, is]),
    [['Waiting for a slot', true]],
  );
});

test('a session that a restart starts again is one session, and a comment on a pull request names its author', () => {
  const rows = journal(
    [{ type: 'phase.prepared', visit: 1 }, ['working.inSession']],
    [{ type: 'session.restarted' }, ['working.inSession']],
    [{ type: 'session.ended', error: 'killed' }, ['parked.event']],
    [
      { type: 'forge.event', event: { kind: 'changes_requested', author: 'ana', text: 'Why?' } },
      ['queued'],
    ],
  );
  const kinds = timelineOf(rows, [PLANNED], {}).map(
    ({ kind, title, detail }) => `${kind}: ${title}: ${detail}`,
  );
  assert.equal(kinds, [
    'phase: planning: ',
    'session: Session: killed',
    'wait: Waiting for a pull request: ',
    'forge: ana changes requested: Why?',
    'wait: Waiting for a slot: ',
  ]);
});

test('a step of the journal shows the state that it led to; one without a transition shows the state before', () => {
  const rows = journal(
    [{ type: 'a' }, ['queued']],
    [{ type: 'b' }],
    [{ type: 'c' }, ['x', 'parked.event']],
  );
  assert.equal(
    [-1, 0, 1, 2, 99].map((index) => stateAt(rows, index)),
    [[], ['queued'], ['queued'], ['parked.event'], ['parked.event']],
  );
});

test.run();
