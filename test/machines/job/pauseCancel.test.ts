import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SteppedJob } from '../../support/charts/jobSteps.ts';
import { jobIn, LEAF_STATES, type LeafState } from '../../support/charts/jobStates.ts';

const test = suite('job: pause, cancel and what is given up');

const AFTER_PAUSE: Record<LeafState, LeafState | 'refused'> = {
  queued: 'parked.paused',
  'working.preparing': 'parked.paused',
  'working.inSession': 'working.stopping',
  'working.judging': 'parked.paused',
  'working.stopping': 'refused',
  'parked.approval': 'refused',
  'parked.event': 'parked.paused',
  'parked.external': 'parked.paused',
  'parked.quota': 'parked.paused',
  'parked.budget': 'parked.paused',
  'parked.outage': 'parked.paused',
  'parked.flagged': 'refused',
  'parked.developer': 'refused',
  'parked.paused': 'refused',
  'parked.subRuns': 'parked.paused',
  'parked.halted': 'parked.paused',
  'ended.complete': 'refused',
  'ended.failed': 'refused',
  'ended.escalated': 'refused',
  'ended.cancelled': 'refused',
};

const AFTER_CANCEL: Record<LeafState, LeafState | 'refused'> = {
  queued: 'ended.cancelled',
  'working.preparing': 'ended.cancelled',
  'working.inSession': 'working.stopping',
  'working.judging': 'ended.cancelled',
  'working.stopping': 'working.stopping',
  'parked.approval': 'ended.cancelled',
  'parked.event': 'ended.cancelled',
  'parked.external': 'ended.cancelled',
  'parked.quota': 'ended.cancelled',
  'parked.budget': 'ended.cancelled',
  'parked.outage': 'ended.cancelled',
  'parked.flagged': 'ended.cancelled',
  'parked.developer': 'ended.cancelled',
  'parked.paused': 'ended.cancelled',
  'parked.subRuns': 'ended.cancelled',
  'parked.halted': 'ended.cancelled',
  'ended.complete': 'refused',
  'ended.failed': 'ended.cancelled',
  'ended.escalated': 'ended.cancelled',
  'ended.cancelled': 'refused',
};

for (const state of LEAF_STATES) {
  test(`pause in ${state}: ${AFTER_PAUSE[state]}; cancel: ${AFTER_CANCEL[state]} (JOB-9)`, () => {
    for (const [send, expected] of [
      [(job: SteppedJob) => job.pause(), AFTER_PAUSE[state]],
      [(job: SteppedJob) => job.cancel('enough'), AFTER_CANCEL[state]],
    ] as const) {
      const job = jobIn(state);
      assert.is(send(job), expected !== 'refused');
      assert.is(job.at, expected === 'refused' ? state : expected);
      if (expected === 'ended.cancelled') {
        assert.equal(job.status, 'cancelled');
        assert.equal(job.context.parked, null);
        assert.equal(job.context.escalationMessage, 'enough');
        assert.is(job.log.at(-1), '[ended] cancelled: enough');
        assert.is(
          job.rows('phase_visits').filter(({ ended_at }) => ended_at === null).length,
          0,
          'no visit stays open',
        );
      }
    }
  });
}

test('a running session is asked to stop, and waited for 15 s at most (JOB-9)', () => {
  const job = new SteppedJob().reach('coding');
  job.pause();
  assert.is(
    job.log.at(-1),
    '[control] paused by a developer: the session is interrupted and its input is closed',
  );
  const effects = job.effects.filter(({ type }) => type !== 'frame.add');
  assert.equal(effects, [
    { type: 'session.stop', params: { visit: 2, session: 1, why: 'pause' } },
    {
      type: 'timer.set',
      params: { name: 'stop', due: job.now + 15_000, event: { type: 'stop.overdue' } },
    },
  ]);
  job.send({ type: 'stop.overdue' });
  assert.is(job.at, 'parked.paused');
  assert.equal(job.effect('timer.cancel'), { name: 'stop' });
  const { visit, session } = job.context;
  assert.is(
    job.send({
      type: 'session.ended',
      visit,
      session,
      stopReason: 'interrupted',
      error: null,
      usage: null,
    }),
    false,
  );
});

test('in stopping the tools are refused, and what the session had asked for is dropped by a pause', () => {
  const job = new SteppedJob().reach('coding');
  job.goto('reporting');
  job.pause();
  assert.is(job.goto('testing'), false);
  job.end('interrupted');
  job.resume();
  job.run();
  assert.equal(job.context.phase, 'coding');
  assert.equal(job.context.visit, 2);
  assert.equal(job.context.session, 2);
  assert.is(job.end().context.phase, 'testing');
});

test('a cancel overtakes a pause, and is not asked for twice', () => {
  const job = new SteppedJob().reach('coding');
  job.pause();
  assert.equal(job.cancel('enough'), true);
  assert.equal(job.cancel('really'), false);
  assert.equal(job.pause(), false);
  job.end('interrupted');
  assert.equal(job.at, 'ended.cancelled');
  assert.equal(job.context.escalationMessage, 'enough');
});

test('a pause during the preparation: its late answer is refused, that of the next visit is not (JOB-9)', () => {
  const job = new SteppedJob();
  job.slot();
  job.pause();
  assert.equal(job.at, 'parked.paused');
  assert.equal(job.context.pausedFrom, 'session');
  const late = {
    type: 'phase.prepared',
    visit: 1,
    workflow: job.context.workflow,
    overlayHash: 'old',
    checkout: null,
  };
  assert.is(job.send(late), false);
  job.resume();
  job.slot();
  assert.is(job.send(late), false);
  assert.is(job.prepared(), true);
  assert.equal(job.at, 'working.inSession');
  assert.equal(job.context.visit, 2);
});

test('a paused job that was queued goes back into the queue with the same next step', () => {
  const job = new SteppedJob();
  job.pause();
  assert.equal(job.at, 'parked.paused');
  assert.equal(job.status, 'queued');
  job.resume('go');
  assert.equal(job.at, 'queued');
  assert.equal(job.context.next, {
    phase: 'planning',
    sameVisit: false,
    prompt: null,
    eventKey: 'go',
  });
});

for (const [name, give] of [
  [
    'phase.prepare',
    (job: SteppedJob) => job.givenUp('phase.prepare', { visit: job.context.visit }),
  ],
  [
    'session.open',
    (job: SteppedJob) =>
      job.givenUp('session.open', { visit: job.context.visit, session: job.context.session }),
  ],
] as const) {
  test(`${name} that is given up parks for a developer, never fails; resume runs the same phase again`, () => {
    const job = new SteppedJob();
    job.slot();
    if (name === 'session.open') job.prepared();
    assert.is(give(job), true);
    assert.equal(job.at, 'parked.developer');
    assert.equal(job.status, 'awaiting-developer-input');
    assert.is(
      job.context.parked?.reason,
      `${name} of phase planning failed (4 attempts): disk full; resume, or a message, runs the phase again`,
    );
    assert.is(job.rows('phase_visits')[0]?.outcome, 'given-up');
    job.resume('fixed');
    job.run();
    assert.equal(job.at, 'working.inSession');
    assert.equal(job.context.phase, 'planning');
    assert.equal(job.status, 'planning');
    assert.equal(job.context.visit, 2);
  });
}

test('a given-up effect of a visit that is over changes no state', () => {
  const job = new SteppedJob().reach('coding');
  job.givenUp('session.open', { visit: 1, session: 1 });
  job.givenUp('phase.prepare', { visit: 2 });
  job.givenUp('session.stop', { visit: 2, session: 1 });
  assert.is(job.at, 'working.inSession');
});

test('a given-up preparation of an earlier visit does not stop this one', () => {
  const job = new SteppedJob().reach('coding');
  job.end('interrupted').slot();
  job.givenUp('phase.prepare', { visit: 1 });
  assert.is(job.at, 'working.preparing');
});

test('every visit says how it ended, once (JOB-9)', () => {
  const job = new SteppedJob();
  job.slot();
  job.pause();
  job.resume();
  job.run().end();
  job.message('think again');
  job.run().end();
  job.resume('approve');
  job.run();
  job.createPr(1);
  job.awaitEvent();
  job.end();
  job.resume();
  job.run();
  job.goto('reporting');
  job.end();
  const approvedAt = job.rows('phase_visits')[2]?.ended_at;
  job.pause();
  job.end('interrupted');
  job.rerun('planning');
  job.run().end();
  const endedAt = job.now;
  job.cancel('enough');
  assert.equal(
    job.rows('phase_visits').map(({ phase, outcome }) => `${phase}: ${outcome}`),
    [
      'planning: paused',
      'planning: approval',
      'planning: approval',
      'coding: await_event',
      'coding: goto',
      'reporting: rerun',
      'planning: approval',
    ],
  );
  assert.is(
    job.rows('phase_visits').at(-1)?.ended_at,
    endedAt,
    'a cancel does not write over an end',
  );
  assert.is(job.rows('phase_visits')[2]?.ended_at, approvedAt);
});

test('a session that is given up while it stops has stopped', () => {
  const job = new SteppedJob().reach('coding');
  job.pause();
  job.givenUp('session.open', { visit: 2, session: 1 });
  assert.is(job.at, 'parked.paused');
});

test('a forge write that is given up is answered as failed, and the session continues', () => {
  const job = new SteppedJob().reach('coding');
  job.tool('forge_write', { key: 'k', forge: 'local', operation: 'merge_pr', args: { number: 1 } });
  job.givenUp('forge.write', { key: 'k' }, 'forge is down');
  assert.equal(job.at, 'working.inSession');
  assert.equal(job.context.writes, []);
  assert.equal(job.rows('tool_answers'), [
    { job_id: 'shop-job-1', key: 'k', ok: 0, result: '{"error":"forge is down"}' },
  ]);
});

test.run();
