import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job: await_event');

const coding = () => {
  const job = new SteppedJob().reach('coding');
  job.createPr(1);
  job.createPr(2);
  return job;
};

test('a kind that is not awaited goes into the inbox and does not wake the job (JOB-6)', () => {
  const job = coding();
  job.awaitEvent({ kinds: ['merged'] });
  job.end();
  job.prEvent('commented');
  assert.equal(job.at, 'parked.event');
  assert.equal(job.context.unread, { messages: 0, kinds: ['commented'] });
  job.prEvent('merged', 2);
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
  const job = coding();
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

test.run();
