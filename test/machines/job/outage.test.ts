import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_OUTAGE_WAITS } from '../../../machines/job/rules/outage.ts';
import { jobIn } from '../../support/charts/jobStates.ts';
import { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job: a service that a preparation needs does not answer');

const MINUTE = 60_000;

/** A job whose first preparation runs. */
const preparing = () => {
  const job = new SteppedJob();
  job.slot();
  return job;
};

const countMinutesParked = (job: SteppedJob) =>
  (Date.parse(job.context.parked?.until ?? '') - job.now) / MINUTE;

test('a preparation that cannot reach the forge parks with a time, in the same visit, without a slot (JOB-12)', () => {
  const job = preparing();
  const { status } = job;
  job.unreachable('forge.test does not answer: ECONNREFUSED.');
  assert.is(job.at, 'parked.outage');
  assert.is(job.status, status);
  assert.is(job.chart.index(job.state).slot, false);
  assert.match(
    job.context.parked?.reason ?? '',
    /^what this phase needs cannot be reached; the job tries again by itself at .* UTC: forge\.test does not answer: ECONNREFUSED\.$/,
  );
  assert.equal(job.effect('timer.set'), {
    name: 'outage',
    due: job.now + MINUTE,
    event: { type: 'outage.over' },
  });
  assert.is(job.send({ type: 'outage.over' }), true);
  assert.is(job.run().at, 'working.inSession');
  assert.is(job.context.visit, 1);
  assert.is(job.rows('phase_visits').length, 1);
});

test('it waits two hours in all before it asks a person', () => {
  const job = preparing();
  const waits: number[] = [];
  for (let n = 0; n < MAX_OUTAGE_WAITS; n++) {
    job.unreachable();
    waits.push(countMinutesParked(job));
    job.send({ type: 'outage.over' });
    job.slot();
  }
  assert.equal(waits, [1, 2, 4, 8, 15, 15, 15, 15, 15, 15, 15]);
  job.unreachable();
  assert.is(job.at, 'parked.developer');
  assert.is(job.status, 'awaiting-developer-input');
});

test('a preparation that succeeds ends the count', () => {
  const job = preparing();
  job.unreachable();
  job.send({ type: 'outage.over' });
  job.run();
  assert.equal(job.context.setbacks, { deaths: 0, quotas: 0 });
});

test('a preparation that failed for another reason asks a developer at once', () => {
  const job = preparing();
  job.givenUp('phase.prepare', { visit: 1 }, 'disk full', { code: 'ENOSPC' });
  assert.is(job.at, 'parked.developer');
});

test('what a session had asked to continue is continued after the outage', () => {
  const job = new SteppedJob().reach('coding');
  job.end('quota', 'slow down', { resetsAt: null });
  job.send({ type: 'quota.reset' });
  job.slot();
  job.unreachable();
  job.send({ type: 'outage.over' });
  job.run();
  assert.equal(job.effect('session.open')?.continued, { first: 1, calls: 2, why: 'quota' });
});

test('a resume tries at once, and a paused one continues the same visit', () => {
  const resumed = jobIn('parked.outage');
  const { visit } = resumed.context;
  resumed.resume();
  assert.equal(resumed.effect('timer.cancel'), { name: 'outage' });
  assert.is(resumed.run().context.visit, visit);
  const paused = jobIn('parked.outage');
  paused.pause();
  assert.is(paused.send({ type: 'outage.over' }), false);
  paused.resume();
  assert.is(paused.run().context.visit, visit);
});

test('a write that was given up because the forge does not answer is answered with that code', () => {
  const job = new SteppedJob().reach('coding');
  job.tool('forge_write', { key: 'k', forge: 'hub', operation: 'create_pr', args: {} });
  job.givenUp('forge.write', { key: 'k', forge: 'hub', operation: 'create_pr' }, 'no answer', {
    code: 'unreachable',
  });
  assert.equal(JSON.parse(String(job.rows('tool_answers')[0]?.result)), {
    error: 'no answer',
    code: 'unreachable',
  });
});

test.run();
