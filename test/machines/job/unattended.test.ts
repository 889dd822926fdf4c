import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CAMPAIGN_WORKFLOW, JOB_WORKFLOW, SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job chart: unattended until');

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const UNTIL = new Date(START + HOUR).toISOString();

const unattended = (table = JOB_WORKFLOW): SteppedJob =>
  new SteppedJob(table, { params: { unattended: { until: UNTIL }, autoApprove: true } });

/** At its limit, where its timer comes. */
const atLimit = (job: SteppedJob): SteppedJob => {
  job.now = START + HOUR;
  job.send({ type: 'until.reached' });
  return job;
};

test('a job that waits for a slot is paused at its limit (JOB-16)', () => {
  const job = atLimit(unattended());
  assert.is(job.at, 'parked.paused');
  assert.is(job.context.parked?.cause, 'until');
  assert.match(job.context.parked?.reason ?? '', /^until: .* 2026-01-01 01:00 UTC/);
});

test('a slot that comes after the limit, before its timer, begins nothing', () => {
  const job = unattended();
  job.now = START + HOUR;
  job.slot();
  assert.is(job.at, 'parked.paused');
});

test('a preparation is over at the limit', () => {
  const job = unattended();
  job.slot();
  assert.is(atLimit(job).at, 'parked.paused');
});

test('a preparation that ends after the limit begins no session', () => {
  const job = unattended();
  job.slot();
  job.now = START + HOUR;
  job.prepared();
  assert.is(job.at, 'parked.paused');
  assert.is(job.context.session, 0);
});

test('a session that runs continues to its next boundary, and the job then rests', () => {
  const job = atLimit(unattended().run());
  assert.is(job.at, 'working.inSession');
  job.end('interrupted');
  assert.is(job.at, 'parked.paused');
  assert.is(job.context.next?.sameVisit, true);
});

test('a session that ends by itself after the limit is followed by none', () => {
  const job = atLimit(unattended().run());
  job.end();
  while (job.at === 'working.preparing') job.prepared();
  assert.is(job.at, 'parked.paused');
  assert.is(job.context.parked?.cause, 'until');
});

test('a new session that the agent asks for waits with its prompt', () => {
  const job = unattended().run();
  job.tool('request_new_session', { prompt: 'continue' });
  atLimit(job).end();
  assert.is(job.at, 'parked.paused');
  assert.is(job.context.next?.prompt, 'continue');
});

test('a timer of a limit that a person has moved does nothing', () => {
  const job = unattended();
  job.send({ type: 'until.reached' });
  assert.is(job.at, 'queued');
});

test('a person continues without the limit', () => {
  const job = atLimit(unattended());
  job.resume();
  assert.is(job.at, 'queued');
  assert.is(job.context.params.unattended, undefined);
});

test('a person continues with a new limit, which has its timer', () => {
  const job = atLimit(unattended());
  const later = new Date(START + 3 * HOUR).toISOString();
  job.send({ type: 'job.resume', eventKey: 'manual-resume', unattended: later });
  assert.equal(job.context.params.unattended, { until: later });
  const timers = job.effects.filter(({ type }) => type === 'timer.set');
  assert.equal(timers.at(-1)?.params, {
    name: 'unattended',
    due: START + 3 * HOUR,
    event: { type: 'until.reached' },
  });
});

test('a message before the limit lifts nothing', () => {
  const job = unattended().run();
  job.message('hello');
  assert.equal(job.context.params.unattended, { until: UNTIL });
});

test('a job that waits for its quota rests at the limit, and not by itself afterwards', () => {
  const job = unattended().run();
  job.end('quota', 'slow down', { resetsAt: START + 2 * HOUR });
  assert.is(atLimit(job).at, 'parked.paused');
  job.send({ type: 'quota.reset' });
  assert.is(job.at, 'parked.paused');
});

test('a campaign that waits for its sub-runs begins no more of them', () => {
  const parent = unattended(CAMPAIGN_WORKFLOW).run();
  parent.tool('register_sub_run', { name: 'a' });
  parent.tool('finalize_sub_runs');
  parent.end();
  assert.is(parent.at, 'parked.subRuns');
  assert.is(atLimit(parent).at, 'parked.paused');
  parent.resume();
  assert.is(parent.at, 'parked.subRuns');
  assert.is(parent.context.params.unattended, undefined);
});

test('an event that comes after the limit wakes no session', () => {
  const job = unattended().run();
  job.createPr(1);
  job.reach('coding');
  job.awaitEvent();
  job.end();
  assert.is(atLimit(job).at, 'parked.event');
  job.prEvent('merged');
  assert.is(job.at, 'parked.paused');
});

test('a pause of all jobs has its cause, and the next pause of one job does not', () => {
  const job = new SteppedJob();
  job.send({ type: 'job.pause', all: true });
  assert.is(job.context.parked?.cause, 'stop-all');
  assert.match(job.context.parked?.reason ?? '', /^stop-all: /);
  job.resume();
  job.pause();
  assert.is(job.context.parked?.cause, undefined);
});

test('a running session that all jobs were paused with is stopped, and its job says why', () => {
  const job = new SteppedJob().run();
  job.send({ type: 'job.pause', all: true });
  assert.is(job.at, 'working.stopping');
  job.end('interrupted');
  assert.is(job.context.parked?.cause, 'stop-all');
});

test('a campaign that waits for its sub-runs is paused with all jobs, and waits again after a resume', () => {
  const parent = new SteppedJob(CAMPAIGN_WORKFLOW, { params: { autoApprove: true } }).run();
  parent.tool('register_sub_run', { name: 'a' });
  parent.tool('finalize_sub_runs');
  parent.end();
  parent.send({ type: 'job.pause', all: true });
  assert.is(parent.at, 'parked.paused');
  assert.is(parent.context.parked?.cause, 'stop-all');
  parent.resume();
  assert.is(parent.at, 'parked.subRuns');
});

test.run();
