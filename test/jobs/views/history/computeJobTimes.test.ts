import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StateFrame } from '../../../../src/contract/schema/job/frames.ts';
import type { PhaseVisit } from '../../../../src/contract/schema/job/job.ts';
import { computeJobTimes } from '../../../../src/jobs/views/history/computeJobTimes.ts';

const test = suite('views: where the time of a job went');

const at = (second: number): string =>
  new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();

/** A state frame: second, path of the state, visit, why it is parked. */
function state(second: number, path: string, visit: number, reason = ''): StateFrame {
  const [top, name = ''] = path.split('.');
  return {
    at: at(second),
    event: 'x',
    status: 's',
    phase: 'p',
    visit,
    state: [path],
    parked: top === 'parked' ? { kind: name, since: at(second), reason } : null,
    ended: top === 'ended',
  };
}

const visit = (n: number, phase: string, outcome: string | null): PhaseVisit => ({
  visit: n,
  phase,
  status: phase,
  startedAt: at(0),
  endedAt: null,
  sessions: 1,
  overlayHash: null,
  outcome,
  approvedBy: null,
});

const STATES = [
  state(0, 'queued', 0),
  state(1, 'working.preparing', 1),
  state(2, 'working.inSession', 1),
  state(5, 'parked.approval', 1, 'phase planning waits for approval'),
  state(65, 'queued', 1),
  state(67, 'working.preparing', 2),
  state(68, 'working.inSession', 2),
  state(70, 'working.preparing', 2),
  state(71, 'working.inSession', 2),
];

const usage = { inputTokens: 10, outputTokens: 2, cachedInputTokens: 0 };
const history = (states: StateFrame[], now: number) =>
  computeJobTimes({
    states,
    visits: [visit(1, 'planning', 'approval'), visit(2, 'coding', null)],
    usage: [{ phase: 'coding', visit: 2, session: 1, usage }],
    restarts: [at(69)],
    now: at(now),
  });

test('each visit has its time at work, in the queue and parked; what lasts counts up to now (UI-1)', () => {
  assert.equal(
    history(STATES, 80).visits.map(({ phase, queuedMs, workMs, waitMs, from, to }) => [
      phase,
      queuedMs,
      workMs,
      waitMs,
      from,
      to,
    ]),
    [
      ['planning', 1_000, 4_000, 60_000, at(0), at(65)],
      ['coding', 2_000, 13_000, 0, at(65), null],
    ],
  );
});

test('its life has no gaps: every span begins where the one before it ended', () => {
  const { spans } = history(STATES, 80);
  assert.equal(
    spans.map(({ kind, visit: n, waitsFor, reason, from, to }) => [
      kind,
      n,
      waitsFor,
      reason,
      from,
      to,
    ]),
    [
      ['queued', 1, null, null, at(0), at(1)],
      ['working', 1, null, null, at(1), at(5)],
      ['waiting', 1, 'approval', 'phase planning waits for approval', at(5), at(65)],
      ['queued', 2, null, null, at(65), at(67)],
      ['working', 2, null, null, at(67), null],
    ],
  );
});

test('sessions are numbered within their visit and have their tokens', () => {
  assert.equal(history(STATES, 80).sessions, [
    { visit: 1, session: 1, from: at(2), to: at(5), usage: null },
    { visit: 2, session: 1, from: at(68), to: at(70), usage },
    { visit: 2, session: 2, from: at(71), to: null, usage: null },
  ]);
});

test('nothing lasts any longer once the job has ended; a job that runs again leaves a gap', () => {
  const endedStates = [...STATES, state(75, 'ended.failed', 2)];
  assert.is(history(endedStates, 500).visits[1]?.workMs, 8_000);
  const again = [...endedStates, state(400, 'queued', 2)];
  assert.equal(history(again, 500).spans.at(-1), {
    kind: 'queued',
    visit: 2,
    waitsFor: null,
    reason: null,
    from: at(400),
    to: null,
  });
});

test('a job that has only begun has a queue and nothing else', () => {
  const { spans, visits } = computeJobTimes({
    states: [state(0, 'queued', 0)],
    visits: [],
    usage: [],
    restarts: [],
    now: at(3),
  });
  assert.equal(
    spans.map(({ kind, to }) => [kind, to]),
    [['queued', null]],
  );
  assert.equal(visits, []);
});

test.run();
