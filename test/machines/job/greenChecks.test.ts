import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job chart: green checks');

/** A job in coding with a pull request. */
const coding = (): SteppedJob => {
  const job = new SteppedJob().reach('coding');
  job.createPr(1);
  return job;
};
const items = (job: SteppedJob): number => job.context.inbox.arrived;

test('green checks that were not asked for neither wake the job nor come into its inbox, whatever it does (JOB-6)', () => {
  const working = coding();
  working.prEvent('check_passed');
  assert.is(items(working), 0);
  working.awaitEvent();
  working.end();
  assert.is(working.at, 'parked.event');
  working.prEvent('check_passed');
  assert.equal(working.at, 'parked.event', 'any event is awaited');
  assert.equal(items(working), 0, 'any event is awaited');
});

test('green checks wake the job that has named them (JOB-6)', () => {
  const job = coding();
  job.awaitEvent({ kinds: ['check_passed'] });
  job.end();
  job.prEvent('check_passed');
  assert.equal(job.at, 'queued');
  assert.equal(items(job), 1);
  assert.equal(job.context.next?.phase, 'coding');
});

test('green checks that come between the wish for them and the rest wake it at once (JOB-6)', () => {
  const job = coding();
  job.awaitEvent({ kinds: ['check_passed', 'merged'] });
  job.prEvent('check_passed');
  job.end();
  assert.equal(items(job), 1);
  assert.equal(job.at !== 'parked.event', true);
});

test('a job that something else has woken from waiting for green checks finds them in its inbox', () => {
  const job = coding();
  job.awaitEvent({ kinds: ['check_passed', 'commented'] });
  job.end();
  job.prEvent('commented');
  job.prEvent('check_passed');
  assert.equal(job.at, 'queued');
  assert.equal(items(job), 2);
});

test.run();
