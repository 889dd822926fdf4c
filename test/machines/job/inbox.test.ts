import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { item, phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: the inbox');

const range = (job: SteppedJob) => [
  job.effect('session.open')?.inboxFrom,
  job.effect('session.open')?.inboxTo,
];

test('what comes while a session runs is drained into the next one as one batch (EVT-1)', () => {
  const job = new SteppedJob().reach('coding');
  job.createPr(1);
  job.message('a');
  job.prEvent('commented', 1, 'odd');
  job.prEvent('commented', 1, 'very odd');
  assert.equal(job.context.unread, { messages: 1, kinds: ['commented'] });
  job.goto('testing');
  job.end();
  assert.equal(range(job), [0, 3]);
  assert.equal(job.context.unread, { messages: 0, kinds: [] });
  job.message('b');
  job.end();
  assert.equal(range(job), [3, 4], 'a message is no reason to stay in a phase without checkpoint');
  assert.equal(
    job.context.phase,
    'evaluation',
    'a message is no reason to stay in a phase without checkpoint',
  );
});

test('items are rows, numbered in the order of their coming; a PR event has the time of its forge (EVT-1)', () => {
  const job = new SteppedJob().reach('coding');
  job.createPr(1);
  job.message('use tabs');
  job.prEvent('commented', 1, 'odd');
  const [message, event] = job.rows('inbox_items');
  assert.equal(message, {
    job_id: 'shop-job-1',
    n: 1,
    id: `m-${job.now - 2000}`,
    at: job.now - 1000,
    kind: 'message',
    author: 'developer',
    text: 'use tabs',
    pr_id: null,
    url: null,
  });
  assert.equal(event, {
    job_id: 'shop-job-1',
    n: 2,
    id: `commented-${job.now - 1000}`,
    at: job.now - 1000,
    kind: 'event:commented',
    author: 'alice',
    text: 'odd',
    pr_id: 'local:shop#1',
    url: 'http://127.0.0.1/shop/1',
  });
});

test('a job never completes with an unread message: the last phase runs again (JOB-9)', () => {
  const job = new SteppedJob(workflow([phase('build')])).run();
  job.message('one more thing');
  job.end();
  assert.equal(job.at, 'working.inSession');
  assert.equal(job.context.visit, 2);
  assert.equal(range(job), [0, 1]);
  assert.equal(job.context.gateBlocks, 0);
  assert.is(job.end().at, 'ended.complete');
});

test('a last phase without agent sends an unread message back to the phase that can read it', () => {
  const job = new SteppedJob(workflow([phase('build'), phase('done', { agent: null })])).run();
  const { visit, session } = job.context;
  job.send({
    type: 'session.ended',
    visit,
    session,
    stopReason: 'end_turn',
    error: null,
    usage: null,
  });
  job.message('one more thing');
  job.run();
  assert.equal(job.at, 'working.inSession');
  assert.equal(job.context.phase, 'build');
  assert.equal(range(job), [0, 1]);
  assert.is(job.end().at, 'ended.complete');
});

test('where no agent could read a message it does not keep the job from ending', () => {
  const job = new SteppedJob(workflow([phase('a', { agent: null })]));
  job.message();
  assert.is(job.run().at, 'ended.complete');
});

for (const [name, cut] of [
  ['is interrupted', (job: SteppedJob) => job.end('interrupted').run()],
  [
    'is paused',
    (job: SteppedJob) => [job.pause(), job.end('interrupted'), job.resume(), job.run()],
  ],
  [
    'is paused and never answers',
    (job: SteppedJob) => [job.pause(), job.send({ type: 'stop.overdue' }), job.resume(), job.run()],
  ],
  ['breaks', (job: SteppedJob) => [job.end('error', 'boom'), job.resume(), job.run()]],
  [
    'is given up',
    (job: SteppedJob) => [
      job.givenUp('session.open', { visit: job.context.visit, session: job.context.session }),
      job.resume(),
      job.run(),
    ],
  ],
] as const) {
  test(`a session that ${name} gives back what it was given: the next one gets it again (EVT-1)`, () => {
    const job = new SteppedJob(workflow([phase('build')])).run();
    job.tool('set_work_items', { items: [item('wi-1', 'in-progress')] });
    job.message('first');
    job.end();
    const before = job.effect('session.open');
    job.message('second');
    cut(job);
    assert.equal(job.context.unread, { messages: 0, kinds: [] });
    const after = job.effect('session.open');
    assert.equal(before?.inboxFrom, 0);
    assert.equal(before?.inboxTo, 1);
    assert.equal(after?.inboxFrom, 0);
    assert.equal(after?.inboxTo, 2);
  });
}

test('what is given back is unread again, together with what came since', () => {
  const job = new SteppedJob(workflow([phase('build')])).run();
  job.createPr(1);
  job.message('first');
  job.end();
  job.prEvent('commented');
  job.message('second');
  job.pause();
  job.end('interrupted');
  assert.equal(job.context.inbox, { arrived: 3, drained: 0 });
  assert.equal(job.context.unread, { messages: 2, kinds: ['commented'] });
});

test('what is given back is unread also where the agent had escalated before it was stopped: a rerun gets it', () => {
  const job = new SteppedJob(workflow([phase('build')])).run();
  job.message('first');
  job.end();
  job.tool('escalate', { message: 'I cannot continue.' });
  job.message('second');
  job.pause();
  job.end('interrupted');
  assert.equal(job.at, 'ended.escalated');
  assert.equal(job.context.escalationMessage, 'I cannot continue.');
  assert.equal(job.context.inbox, { arrived: 2, drained: 0 });
  assert.equal(job.context.unread, { messages: 2, kinds: [] });
  job.rerun('build');
  assert.equal(job.run().effect('session.open')?.inboxFrom, 0);
  assert.equal(job.effect('session.open')?.inboxTo, 2);
});

for (const [name, cut] of [
  ['a pause', (job: SteppedJob) => [job.pause(), job.end('interrupted')]],
  ['an interruption', (job: SteppedJob) => [job.end('interrupted')]],
] as const) {
  test(`a corrective prompt survives ${name} (JOB-7)`, () => {
    const job = new SteppedJob(workflow([phase('build')])).run();
    job.tool('set_work_items', { items: [item('wi-1', 'in-progress')] });
    job.end();
    const prompt = job.effect('session.open')?.prompt;
    assert.match(String(prompt), /^\[completion-gate\]/u);
    cut(job);
    assert.is(job.context.prompt, prompt, 'people see it as pending');
    job.resume();
    assert.is(job.run().effect('session.open')?.prompt, prompt);
  });
}

test('going back to a phase that can read a message is a transition: the gate counts from zero (JOB-7)', () => {
  const job = new SteppedJob(workflow([phase('build'), phase('done', { agent: null })])).run();
  job.tool('set_work_items', { items: [item('wi-1')] });
  const { visit, session } = job.context;
  job.send({
    type: 'session.ended',
    visit,
    session,
    stopReason: 'end_turn',
    error: null,
    usage: null,
  });
  job.prepared();
  job.prepared();
  assert.equal(job.at, 'working.preparing');
  assert.equal(job.context.phase, 'done');
  assert.equal(job.context.gateBlocks, 2);
  job.message('stop');
  job.prepared();
  assert.equal(job.context.phase, 'build');
  assert.equal(job.context.gateBlocks, 0);
});

test('a session that asks for a new one has read what it was given', () => {
  const job = new SteppedJob(workflow([phase('build')]));
  job.message('first');
  job.run();
  job.end('pause_turn');
  assert.equal(range(job), [1, 1]);
});

test('merged and closed change the mapping, other kinds do not (EVT-2)', () => {
  const job = new SteppedJob().run();
  job.createPr(1);
  job.createPr(2);
  job.prEvent('merged', 1);
  const mergedAt = new Date(job.now - 1000).toISOString();
  job.prEvent('approved', 2);
  assert.equal(
    job.rows('pr_mappings').map(({ pr_id, state, merged_at }) => [pr_id, state, merged_at]),
    [
      ['local:shop#1', 'merged', mergedAt],
      ['local:shop#2', 'open', null],
    ],
  );
  assert.equal(
    job.context.prs.map(({ state }) => state),
    ['merged', 'open'],
  );
});

const endedWithLeftOver = (job: SteppedJob, stopReason: string) => {
  const { visit, session } = job.context;
  const left = { from: 100, messages: 20, kinds: ['commented'] };
  job.send({ type: 'session.ended', visit, session, stopReason, error: null, usage: null, left });
};

const withPile = (): SteppedJob => {
  const job = new SteppedJob(workflow([phase('build')])).run();
  for (let n = 0; n < 120; n++) job.message(`message ${n}`);
  return job.end();
};

test('what was too much for one kickoff is unread when its session has ended, and the next session is given it (EVT-1)', () => {
  const job = withPile();
  endedWithLeftOver(job, 'end_turn');
  assert.equal(job.context.unread, { messages: 20, kinds: ['commented'] });
  assert.equal(range(job.run()), [100, 120]);
});

test('a session that was cut off gives back all that it was given, not only the rest (EVT-1)', () => {
  const job = withPile();
  endedWithLeftOver(job, 'interrupted');
  assert.equal(job.context.inbox.drained, 0);
  assert.equal(job.context.unread.messages, 120);
});

test.run();
