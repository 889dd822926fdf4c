import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobIn } from '../../support/charts/jobStates.ts';
import { phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: quotas of models and agents that die');

const H = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

const parkAtLimit = (resetsAt: number | null) => {
  const job = new SteppedJob().reach('coding');
  job.end('quota', 'The model endpoint cannot answer now (429): slow down', { resetsAt });
  return job;
};

test('a quota parks the job with its time, keeps its status and frees the slot (JOB-12)', () => {
  const until = Date.UTC(2026, 0, 1, 3);
  const job = parkAtLimit(until);
  assert.equal(job.at, 'parked.quota');
  assert.equal(job.status, 'coding');
  assert.equal(job.chart.index(job.state).slot, false);
  assert.equal(job.context.parked, {
    kind: 'quota',
    since: iso(job.now),
    until: iso(until),
    reason:
      "the model's endpoint takes no requests for a while; the job continues by itself at 2026-01-01 03:00 UTC: The model endpoint cannot answer now (429): slow down",
  });
  assert.equal(job.effect('timer.set'), {
    name: 'quota',
    due: until,
    event: { type: 'quota.reset' },
  });
  assert.is(job.rows('phase_visits')[1]?.ended_at, null, 'the visit stays open');
});

test('it continues by itself in the same visit, with the sessions that it continues', () => {
  const job = parkAtLimit(null);
  job.message('by the way');
  assert.equal(job.at, 'parked.quota');
  assert.equal(job.context.unread.messages, 1);
  assert.is(job.send({ type: 'quota.reset' }), true);
  assert.is(job.at, 'queued');
  job.run();
  const { visit, session, parked } = job.context;
  assert.equal(job.at, 'working.inSession');
  assert.equal(visit, 2);
  assert.equal(session, 2);
  assert.equal(parked, null);
  const open = job.effect('session.open');
  assert.equal(open?.continued, { first: 1, calls: 2, why: 'quota' });
  assert.equal(open?.inboxTo, 1);
  assert.is(job.send({ type: 'quota.reset' }), false, 'the timer that has fired says nothing more');
});

test('none given: each further quota without progress waits twice as long; a call of a tool is progress', () => {
  const job = parkAtLimit(null);
  const waits: number[] = [];
  const noteWait = () =>
    waits.push((Date.parse(job.context.parked?.until ?? '') - job.now) / 60_000);
  noteWait();
  for (let n = 0; n < 2; n++) {
    job.resume();
    job.run().end('quota', 'slow down', { resetsAt: null });
    noteWait();
  }
  job.resume();
  job.run();
  job.tool('set_job_params', { params: { note: 1 } });
  job.end('quota', 'slow down', { resetsAt: null });
  noteWait();
  assert.equal(waits, [15, 30, 60, 15]);
});

test('a resume tries once now; pause, cancel and rerun are taken; a paused one continues the same visit', () => {
  const resumed = jobIn('parked.quota');
  resumed.resume();
  assert.equal(resumed.effect('timer.cancel'), { name: 'quota' });
  assert.equal(resumed.run().at, 'working.inSession');
  assert.equal(resumed.context.visit, 2);
  const paused = jobIn('parked.quota');
  assert.is(paused.pause(), true);
  assert.equal(paused.at, 'parked.paused');
  assert.equal(paused.context.parked?.kind, 'paused');
  assert.equal(paused.status, 'coding');
  assert.is(paused.send({ type: 'quota.reset' }), false);
  paused.resume();
  paused.run();
  assert.equal(paused.context.visit, 2);
  assert.equal(paused.context.session, 2);
  assert.equal(paused.effect('session.open')?.continued, { first: 1, calls: 2, why: 'quota' });
});

test('what the agent asked for before the quota is kept, and applied when its session ends', () => {
  const job = new SteppedJob().reach('testing');
  job.goto('reporting');
  job.end('quota', 'slow down', { resetsAt: null });
  job.resume();
  job.run();
  assert.equal(job.context.phase, 'testing');
  assert.equal(job.end().context.phase, 'reporting');
});

test('a dead agent is started again in the same visit, three times without progress; then a developer is asked (JOB-12)', () => {
  const job = new SteppedJob().reach('coding');
  for (let n = 1; n <= 3; n++) {
    job.end('died', 'opencode was killed by SIGKILL. It wrote no output.');
    assert.equal(job.at, 'working.inSession');
    assert.equal(job.context.visit, 2);
    assert.equal(job.context.session, 1 + n);
    assert.equal(job.effect('session.open')?.continued, { first: 1, calls: 1, why: 'died' });
  }
  job.end('died', 'opencode was killed by SIGKILL.');
  assert.equal(job.at, 'parked.developer');
  assert.equal(job.status, 'awaiting-developer-input');
  assert.is(
    job.context.parked?.reason,
    "the agent's process of phase coding died 4 times without progress: opencode was killed by SIGKILL. Resume, or a message, runs the phase again.",
  );
  assert.is(job.rows('phase_visits')[1]?.outcome, 'agent-died');
  job.resume();
  job.run();
  assert.equal(job.context.phase, 'coding');
  assert.equal(job.context.visit, 3);
  assert.equal(job.context.setbacks.deaths, 0);
});

test('an agent that is stuck parks the job for a person, with the reason and the branch (JOB-12)', () => {
  const job = new SteppedJob().reach('coding');
  const { visit } = job.context;
  job.end('stuck', 'The model refused to continue.');
  assert.equal(job.at, 'parked.developer');
  assert.equal(job.status, 'awaiting-developer-input');
  assert.is(
    job.context.parked?.reason,
    'the agent of phase coding cannot continue: The model refused to continue. The branch stays as it is. Resume, or a message, runs the phase again.',
  );
  assert.is(job.rows('phase_visits')[1]?.outcome, 'agent-stuck');
  job.resume();
  job.run();
  assert.equal(job.context.phase, 'coding');
  assert.equal(job.context.visit, visit + 1);
});

test('a call of a tool between two deaths counts as progress', () => {
  const job = new SteppedJob().reach('coding');
  for (let n = 0; n < 10; n++) {
    job.tool('set_job_params', { params: { note: n } });
    job.end('died', 'killed');
  }
  assert.equal(job.at, 'working.inSession');
  assert.equal(job.context.session, 11);
});

test('a new session that the agent asked for continues none', () => {
  const job = new SteppedJob().reach('coding');
  job.end('died', 'killed');
  job.tool('request_new_session', { prompt: null });
  job.end();
  assert.equal(job.context.session, 3);
  assert.equal(job.effect('session.open')?.continued, undefined);
});

test('what a dead agent was given and may not have read is given again', () => {
  const job = new SteppedJob().reach('coding');
  job.message('use tabs');
  job.end('died', 'killed');
  assert.equal(job.effect('session.open')?.inboxFrom, 0);
  assert.equal(job.effect('session.open')?.inboxTo, 1);
  job.end('died', 'killed');
  assert.equal(job.effect('session.open')?.inboxFrom, 0);
  assert.equal(job.effect('session.open')?.inboxTo, 1);
});

test('an agent that has escalated and then died has escalated', () => {
  const job = new SteppedJob().reach('coding');
  job.tool('escalate', { message: 'no access' });
  job.end('died', 'killed');
  assert.is(job.at, 'ended.escalated');
});

test('a quota and a death pass no approval (JOB-5)', () => {
  for (const reason of ['quota', 'died'] as const) {
    const job = new SteppedJob(
      workflow([phase('plan', { interactive_checkpoint: true }), phase('code')]),
    ).run();
    job.end(reason, 'x', { resetsAt: null });
    if (reason === 'quota') job.resume('approve');
    job.run();
    assert.equal(job.at, 'working.inSession');
    assert.equal(job.context.phase, 'plan');
    assert.is(job.end().at, 'parked.approval');
  }
});

test('cancel of a failed or escalated job: cancelled, with what it had ended with in the history (JOB-9)', () => {
  for (const state of ['ended.failed', 'ended.escalated'] as const) {
    const job = jobIn(state);
    const before = job.context.escalationMessage;
    assert.is(job.cancel('not worth it'), true);
    assert.equal(job.at, 'ended.cancelled');
    assert.equal(job.status, 'cancelled');
    assert.equal(job.context.escalationMessage, 'not worth it');
    assert.equal(job.context.escalationHistory, [before]);
    assert.is(job.cancel(), false);
  }
});

test('an external wait is shown as one for a person, and a report leads back to the phase that awaited (JOB-6)', () => {
  const job = jobIn('parked.external');
  assert.equal(job.context.parked?.kind, 'external');
  assert.equal(job.context.parked?.reason, 'waits for a person: the security review');
  job.pause();
  assert.is(job.at, 'parked.paused');
  job.resume();
  assert.equal(job.at, 'parked.external');
  assert.equal(job.context.parked?.kind, 'external');
  job.pause();
  job.message('the review is done');
  assert.equal(job.at, 'queued');
  assert.equal(job.run().context.phase, 'coding');
});

test('a message to a paused job: the phase that awaited gets it; one that waits for sub-runs waits again (JOB-9)', () => {
  const awaiting = jobIn('parked.event');
  awaiting.pause();
  awaiting.message('continue');
  assert.equal(awaiting.at, 'queued');
  assert.equal(awaiting.run().context.phase, 'coding');
  assert.is(awaiting.effect('session.open')?.inboxTo, awaiting.context.inbox.arrived);
  const parent = jobIn('parked.subRuns');
  parent.pause();
  parent.message('how far?');
  assert.equal(parent.at, 'parked.subRuns');
  assert.equal(parent.context.unread.messages, 1);
  const queued = new SteppedJob();
  queued.pause();
  queued.message('hurry');
  assert.equal(queued.at, 'queued');
  assert.equal(queued.run().context.phase, 'planning');
});

test('a reset that is hours away survives a second quota with another one', () => {
  const job = parkAtLimit(Date.UTC(2026, 0, 1) + 2 * H);
  job.resume();
  job.run().end('quota', 'x', { resetsAt: Date.UTC(2026, 0, 1) + 5 * H });
  assert.is(job.effect('timer.set')?.due, Date.UTC(2026, 0, 1) + 5 * H);
});

test('a session that ends for a low disk queues again in the same visit, continues its conversation, and counts as no failure', () => {
  const job = new SteppedJob().reach('coding');
  job.message('by the way');
  const { visit } = job.context;
  job.end('interrupted', null, { disk: 'the disk of /var/svc has 300 MB free' });
  assert.is(job.at, 'queued');
  assert.is(job.chart.index(job.state).slot, false);
  assert.is(job.context.parked, null);
  assert.equal(job.context.setbacks, { deaths: 0, quotas: 0 });
  job.run();
  assert.is(job.at, 'working.inSession');
  assert.is(job.context.visit, visit);
  assert.is(job.context.session, 2);
  assert.equal(job.effect('session.open')?.continued, { first: 1, calls: 2, why: 'disk' });
});

test.run();
