import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PhaseVisit } from '../../src/contract/schema/job/job.ts';
import type { JournalEntry } from '../../src/contract/schema/api/replies.ts';
import { findStateAfterStep } from '../../ui/jobs/journal/JournalTab.tsx';
import { describeJobNow, listPhaseSteps } from '../../ui/jobs/page/JobHead.tsx';
import { buildPhaseRows, computeTicks } from '../../ui/jobs/page/buildPhaseRows.ts';
import { groupByVisit, joinToolCalls, buildTimeline } from '../../ui/jobs/page/timeline.ts';
import type { JobTimeline } from '../../src/contract/schema/job/timeline.ts';
import { formatDuration, formatTimeWithDay } from '../../ui/jobs/jobText.ts';

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
    buildTimeline(LIFE, [PLANNED], reasons).map(({ kind, title, detail, at, until }) => [
      kind,
      title,
      detail,
      at - START,
      until === null ? null : until - START,
    ]),
    [
      ['phase', 'planning', '', 1_000, null],
      ['session', 'Session', 'agent finished', 1_000, 4_000],
      ['tool', 'post_artifact', 'Plan', 2_000, null],
      ['tool', 'forge_write', 'create pr (local)', 3_000, null],
      ['wait', 'Waiting for approval', 'phase planning waits for approval', 4_000, 9_000],
      ['person', 'Resumed', 'approved', 9_000, null],
      ['wait', 'Queued', '', 9_000, 12_000],
      ['person', 'Cancelled by a developer', 'not wanted', 12_000, null],
      ['end', 'cancelled', '', 12_000, null],
    ],
  );
});

test('what is under way is open; a slot that was free at once is no wait', () => {
  const open = buildTimeline(LIFE.slice(0, 3), [PLANNED], {}).filter(({ open: is }) => is);
  assert.equal(
    open.map(({ kind }) => kind),
    ['session'],
  );
  assert.equal(
    buildTimeline(LIFE.slice(0, 1), [], {}).map(({ title, open: is }) => [title, is]),
    [['Queued', true]],
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
  const kinds = buildTimeline(rows, [PLANNED], {}).map(
    ({ kind, title, detail }) => `${kind}: ${title}: ${detail}`,
  );
  assert.equal(kinds, [
    'phase: planning: ',
    'session: Session: killed',
    'wait: Waiting for a pull request: ',
    'forge: ana changes requested: Why?',
    'wait: Queued: ',
  ]);
});

test('a restart of the runner is one entry, however many effects were run again', () => {
  const recovered = { type: 'kernel.recovered', effect: 'session.open', attempt: 2 };
  const rows = journal(
    [{ type: 'phase.prepared', visit: 1 }, ['working.inSession'], 0],
    [recovered, [], 5_000],
    [{ ...recovered, effect: 'message.offer' }, [], 5_000],
    [recovered, [], 9_000],
    [{ type: 'effect.givenUp', why: 'restarts-without-progress' }, ['parked.developer'], 20_000],
  );
  assert.equal(
    buildTimeline(rows, [PLANNED], {})
      .filter(({ kind }) => kind === 'restart')
      .map(({ title, at }) => [title, at - START]),
    [
      ['Runner restarted here', 5_000],
      ['Runner restarted here', 9_000],
      ['Runner restarted here', 20_000],
    ],
  );
});

test('calls of one tool in a row are one entry with their number; others stay', () => {
  const rows = journal(
    ...Array.from({ length: 25 }, (_, n): [{ type: string; title: string }] => [
      { type: 'tool.register_sub_run', title: `part ${n}` },
    ]),
    [{ type: 'tool.post_artifact', title: 'Plan' }],
    [{ type: 'tool.post_artifact', title: 'Report' }],
  );
  assert.equal(
    joinToolCalls(buildTimeline(rows, [], {})).map(({ title, times, detail }) => [
      title,
      times,
      detail,
    ]),
    [
      ['register_sub_run', 25, ''],
      ['post_artifact', 1, 'Plan'],
      ['post_artifact', 1, 'Report'],
    ],
  );
});

test('what a person decides belongs to the visit that waited for it', () => {
  const iso = (ms: number) => new Date(START + ms).toISOString();
  const visits = [
    { visit: 1, from: iso(0) },
    { visit: 2, from: iso(9_000) },
  ];
  const groups = groupByVisit(buildTimeline(LIFE, [PLANNED], {}), visits);
  assert.equal(
    groups.get(1)?.map(({ title }) => title),
    ['Session', 'post_artifact', 'forge_write', 'Waiting for approval', 'Resumed'],
  );
  assert.equal(
    groups.get(2)?.map(({ title }) => title),
    ['Queued', 'Cancelled by a developer', 'cancelled'],
  );
});

const at = (second: number): string => new Date(START + second * 1_000).toISOString();
const TIMES: JobTimeline = {
  at: at(100),
  phases: ['planning', 'coding', 'reporting'],
  visits: [
    {
      visit: 1,
      phase: 'planning',
      outcome: 'approval',
      from: at(0),
      to: at(60),
      workMs: 10_000,
      waitMs: 50_000,
      queuedMs: 0,
    },
    {
      visit: 2,
      phase: 'coding',
      outcome: null,
      from: at(60),
      to: null,
      workMs: 40_000,
      waitMs: 0,
      queuedMs: 0,
    },
  ],
  spans: [
    { kind: 'working', visit: 1, waitsFor: null, reason: null, from: at(0), to: at(10) },
    { kind: 'waiting', visit: 1, waitsFor: 'approval', reason: 'plan', from: at(10), to: at(60) },
    { kind: 'working', visit: 2, waitsFor: null, reason: null, from: at(60), to: null },
  ],
  sessions: [
    {
      visit: 2,
      session: 1,
      from: at(60),
      to: null,
      usage: { inputTokens: 900, outputTokens: 30, cachedInputTokens: 0 },
    },
  ],
  restarts: [at(80)],
  running: { since: at(60), visit: 2, lastLine: null },
};

test('bars are where their time is on the axis; what runs reaches its end and grows (UI-1)', () => {
  const { axis, rows } = buildPhaseRows(TIMES, START + 200_000);
  assert.is(axis.to - axis.from, 200_000);
  assert.equal(
    rows.map(({ bars }) => bars.map(({ kind, left, width, open }) => [kind, left, width, open])),
    [
      [
        ['working', 0, 5, false],
        ['waiting', 5, 25, false],
      ],
      [
        ['working', 30, 70, true],
        ['session', 30, 70, true],
      ],
    ],
  );
  assert.is(rows[1]?.visit.workMs, 140_000, 'since the runner answered, 100 s have passed');
  assert.equal(rows[1]?.restarts, [{ left: 40, at: START + 80_000 }]);
  assert.equal(rows[1]?.tokens, { read: 900, written: 30 });
  assert.is(rows[0]?.tokens, null);
});

test('what was short is still visible, and stays on the axis', () => {
  const [first, second] = TIMES.spans;
  const spans = [
    { ...first, to: at(0.001) },
    { ...second, from: at(0.001), to: at(86_400) },
  ] as JobTimeline['spans'];
  const { rows } = buildPhaseRows({ ...TIMES, spans, sessions: [] }, START);
  assert.equal(
    rows[0]?.bars.map(({ left, width }) => left + width <= 100 && width > 0),
    [true, true],
  );
});

test('the axis names the day where it changes, and days alone where it is long', () => {
  const from = new Date(2026, 0, 2, 22, 40).getTime();
  const hours = computeTicks(from, from + 3 * 3_600_000).map(({ text }) => text);
  assert.equal(hours, ['23:00', '3 Jan, 00:00', '01:00']);
  const days = computeTicks(from, from + 4 * 86_400_000).map(({ text }) => text);
  assert.equal(days, ['3 Jan', '4 Jan', '5 Jan', '6 Jan']);
  assert.ok(computeTicks(from, from + 400 * 86_400_000).length <= 5);
  assert.equal(computeTicks(from, from), []);
});

test('times of another day have their day', () => {
  const now = new Date(2026, 10, 23, 9, 0, 0).getTime();
  assert.is(formatTimeWithDay(new Date(2026, 10, 23, 8, 5, 7).getTime(), now), '08:05:07');
  assert.is(
    formatTimeWithDay(new Date(2026, 10, 20, 18, 5, 7).getTime(), now),
    'Fri 20 Nov, 18:05:07',
  );
  assert.is(
    formatTimeWithDay(new Date(2025, 10, 20, 18, 5, 7).getTime(), now),
    'Thu 20 Nov 2025, 18:05:07',
  );
  assert.is(formatDuration(200_000_000), '2 d 7 h');
});

const job = { ended: false, parked: null, status: 'coding', state: ['working.inSession'] };
test('a paused job says that it is paused, whatever its status (UI-1)', () => {
  const parked = { kind: 'paused' as const, since: at(0), reason: 'paused' };
  assert.is(describeJobNow({ ...job, parked, state: ['parked.paused'] }), 'Paused');
  assert.is(describeJobNow(job), 'Working');
  assert.is(describeJobNow({ ...job, state: ['queued'] }), 'Queued');
  assert.is(describeJobNow({ ...job, ended: true, status: 'complete' }), 'Complete');
});

test('the stepper shows what is done, where the job is, and what comes', () => {
  const visits = [PLANNED, { ...PLANNED, visit: 2, phase: 'coding' }];
  const steps = (part: object) =>
    listPhaseSteps(TIMES.phases, {
      phase: 'coding',
      phases: visits,
      ended: false,
      status: 'coding',
      ...part,
    }).map(({ state }) => state);
  assert.equal(steps({}), ['done', 'current', 'open']);
  assert.equal(steps({ phase: 'planning' }), ['current', 'done', 'open']);
  assert.equal(steps({ ended: true, status: 'complete' }), ['done', 'done', 'open']);
});

test('a step of the journal shows the state that it led to; one without a transition shows the state before', () => {
  const rows = journal(
    [{ type: 'a' }, ['queued']],
    [{ type: 'b' }],
    [{ type: 'c' }, ['x', 'parked.event']],
  );
  assert.equal(
    [-1, 0, 1, 2, 99].map((index) => findStateAfterStep(rows, index)),
    [[], ['queued'], ['queued'], ['parked.event'], ['parked.event']],
  );
});

test.run();
