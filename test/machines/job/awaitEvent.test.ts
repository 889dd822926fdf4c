import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job: await_event');

/** A job in coding with these pull requests open. */
const coding = (...numbers: number[]) => {
  const job = new SteppedJob().reach('coding');
  for (const number of numbers.length > 0 ? numbers : [1]) job.createPr(number);
  return job;
};

/** The same, and it waits. */
const createWaitingJob = (...numbers: number[]) => {
  const job = coding(...numbers);
  job.awaitEvent();
  return job.end();
};

test('a kind that is not awaited goes into the inbox and does not wake the job (JOB-6)', () => {
  const job = coding();
  job.awaitEvent({ kinds: ['merged'] });
  job.end();
  job.prEvent('commented');
  assert.equal(job.at, 'parked.event');
  assert.equal(job.context.unread, { messages: 0, kinds: ['commented'] });
  job.prEvent('merged');
  job.run();
  assert.equal(job.context.phase, 'testing');
  assert.equal(job.effect('session.open')?.inboxFrom, 0);
  assert.equal(job.effect('session.open')?.inboxTo, 2);
  assert.equal(job.effect('session.open')?.eventKey, 'event:merged');
});

test('an event that came before the job could wait wakes it at once (JOB-6, EVT-1)', () => {
  const job = coding();
  job.awaitEvent();
  job.prEvent('merged');
  job.end();
  assert.is(job.at, 'queued');
  assert.equal(job.run().at, 'working.inSession');
  assert.equal(job.context.phase, 'testing');
});

test('a message that came before the job could wait wakes the phase that awaited', () => {
  const job = coding();
  job.awaitEvent({ kinds: ['merged'] });
  job.message('not that branch');
  job.end();
  assert.is(job.run().context.phase, 'coding');
});

test('a pull request awaited by name that is merged already is not waited for (JOB-6)', () => {
  const job = coding(1, 2);
  job.prEvent('merged', 1);
  job.goto('coding');
  job.end();
  job.awaitEvent({ prId: 'local:shop#1' });
  job.end();
  assert.is(job.run().context.phase, 'testing');
});

test('resumePhase overrides where every kind leads, and must exist (JOB-6)', () => {
  for (const kind of ['merged', 'commented'] as const) {
    const job = coding();
    assert.is(job.awaitEvent({ resumePhase: 'nowhere' }), false);
    assert.is(job.awaitEvent({ resumePhase: 'evaluation' }), true);
    job.end();
    job.prEvent(kind);
    assert.is(job.run().context.phase, 'evaluation');
  }
});

test('a pause while it waits keeps what it waits for; resume goes back to waiting (JOB-9)', () => {
  const job = coding();
  job.awaitEvent();
  job.end();
  assert.is(job.pause(), true);
  assert.equal(job.at, 'parked.paused');
  assert.equal(job.status, 'awaiting-pr-merge');
  assert.equal(job.context.parked?.kind, 'paused');
  assert.is(job.resume(), true);
  assert.equal(job.at, 'parked.event');
  assert.equal(job.context.parked?.kind, 'event');
  job.prEvent('merged');
  assert.is(job.run().context.phase, 'testing');
});

test('what came while it was paused wakes it at once on resume', () => {
  const job = coding();
  job.awaitEvent();
  job.end();
  job.pause();
  job.prEvent('merged');
  assert.is(job.at, 'parked.paused');
  job.resume();
  assert.equal(job.at, 'queued');
  assert.equal(job.run().context.phase, 'testing');
});

test('awaiting is a re-route: the completion gate counts from zero (JOB-7)', () => {
  const job = coding();
  job.tool('set_work_items', {
    items: [{ id: 'wi-1', title: 'x', status: 'pending', loopCount: 0, prIds: [] }],
  });
  job.reach('reporting').end();
  assert.is(job.context.gateBlocks, 1);
  job.awaitEvent();
  job.end();
  assert.equal(job.at, 'parked.event');
  assert.equal(job.context.gateBlocks, 0);
});

test('closed without a merge leads back to the phase that awaited, with the event in its kickoff (JOB-6)', () => {
  const job = createWaitingJob();
  job.prEvent('closed');
  assert.is(job.at, 'queued');
  assert.is(job.run().context.phase, 'coding');
  assert.is(job.effect('session.open')?.eventKey, 'event:closed');
});

for (const [name, events, phases] of [
  [
    '#1 is merged, then #2',
    [
      ['merged', 1],
      ['merged', 2],
    ],
    ['coding', 'testing'],
  ],
  [
    '#1 is merged, then #2 is closed',
    [
      ['merged', 1],
      ['closed', 2],
    ],
    ['coding', 'coding'],
  ],
  [
    '#1 is closed, then #2 is merged',
    [
      ['closed', 1],
      ['merged', 2],
    ],
    ['coding', 'testing'],
  ],
  [
    '#1 is closed and opened again, then both are merged',
    [
      ['closed', 1],
      ['reopened', 1],
      ['merged', 2],
      ['merged', 1],
    ],
    ['coding', 'coding', 'coding', 'testing'],
  ],
] as const) {
  test(`two open pull requests: ${name} (JOB-6, EVT-5)`, () => {
    const job = createWaitingJob(1, 2);
    assert.equal(
      events.map(([kind, number]) => {
        job.prEvent(kind, number);
        const { phase } = job.run().context;
        if (phase !== 'coding') return phase;
        job.awaitEvent();
        job.end();
        return phase;
      }),
      [...phases],
    );
  });
}

test('two pull requests that are merged while a session runs are decided together (JOB-6, EVT-2)', () => {
  for (const [events, phase] of [
    [[['merged', 1]], 'coding'],
    [
      [
        ['merged', 1],
        ['merged', 2],
      ],
      'testing',
    ],
    [
      [
        ['merged', 1],
        ['closed', 2],
      ],
      'testing',
    ],
    [
      [
        ['closed', 1],
        ['closed', 2],
      ],
      'coding',
    ],
  ] as const) {
    const job = coding(1, 2);
    job.awaitEvent();
    for (const [kind, number] of events) job.prEvent(kind, number);
    job.end();
    assert.is(job.run().context.phase, phase);
  }
});

test('a session that is cut short gives back of which pull request its merge was (JOB-6)', () => {
  const job = createWaitingJob(1, 2);
  job.prEvent('merged', 1);
  job.run();
  assert.equal(job.context.given?.unread, {
    messages: 0,
    kinds: ['merged'],
    over: ['local:shop#1'],
  });
  assert.equal(job.context.unread, { messages: 0, kinds: [] });
});

test('one that was opened after the wake counts as well (JOB-6)', () => {
  const job = createWaitingJob(1);
  job.prEvent('commented', 1);
  job.run();
  job.createPr(2);
  job.awaitEvent();
  job.end();
  job.prEvent('merged', 1);
  assert.is(job.run().context.phase, 'coding');
});

test('no job waits for one that was closed without a merge: the agent is refused (JOB-6)', () => {
  const job = createWaitingJob(1);
  job.prEvent('closed', 1);
  job.run();
  assert.is(job.awaitEvent({ prId: 'local:shop#1' }), false);
  assert.is(job.awaitEvent({ external: 'What is to be done instead?' }), true);
  assert.is(job.end().at, 'parked.external');
  job.prEvent('reopened', 1);
  assert.is(job.run().context.phase, 'coding');
  assert.is(job.context.prs[0]?.state, 'open');
});

test.run();
