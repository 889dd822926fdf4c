import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { readScheduleContext } from '../../../machines/index.ts';
import { aRule, ScheduleStage } from '../../support/charts/scheduleStage.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('schedules');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 5, 1, 12);

const open = async (rule: Parameters<typeof aRule>[0] = {}, start = START) => {
  const stage = new ScheduleStage([aRule(rule)], start);
  await stage.start();
  return stage;
};

const skips = (stage: ScheduleStage) =>
  stage.rows
    .filter(({ state }) => state === 'skipped')
    .map(({ time }) => new Date(time).toISOString());

test('a time becomes one job, with the schedule as its trigger', async () => {
  const stage = await open();
  await stage.advance(DAY);
  assert.equal(stage.times(), ['2026-06-02T02:30:00.000Z']);
  const [job] = stage.jobs;
  assert.equal(Object(stage.kernel.state(job?.id ?? '')?.context).params.trigger, {
    schedule: 'nightly',
    time: '2026-06-02T02:30:00.000Z',
    manual: false,
  });
});

test('a time that the runner missed is left out with missed: skip', async () => {
  const stage = await open({ missed: 'skip' });
  stage.die();
  stage.clock.advance(3 * DAY);
  await stage.start();
  assert.equal(stage.times(), []);
  assert.equal(skips(stage), [
    '2026-06-02T02:30:00.000Z',
    '2026-06-03T02:30:00.000Z',
    '2026-06-04T02:30:00.000Z',
  ]);
});

test('missed: once makes one job for all of them, that of the last', async () => {
  const stage = await open({ missed: 'once' });
  stage.die();
  stage.clock.advance(3 * DAY);
  await stage.start();
  assert.equal(stage.times(), ['2026-06-04T02:30:00.000Z']);
});

test('missed: all makes a job for each, one after another, at most 24', async () => {
  const stage = await open({ missed: 'all', cron: '0 * * * *' });
  stage.die();
  stage.clock.advance(2 * DAY + 30 * MINUTE);
  await stage.start();
  for (let index = 0; index < stage.jobs.length; index += 1)
    await stage.end(stage.jobs[index]?.id ?? '');
  assert.is(stage.jobs.length, 24);
  assert.is(stage.times().at(-1), '2026-06-03T12:00:00.000Z');
  assert.is(stage.times()[0], '2026-06-02T13:00:00.000Z');
});

test('a start five minutes late is on time', async () => {
  const stage = await open({ missed: 'skip' });
  stage.die();
  stage.clock.advance(14 * HOUR + 34 * MINUTE);
  await stage.start();
  assert.equal(stage.times(), ['2026-06-02T02:30:00.000Z']);
});

test('a time is skipped while the job before it has not ended', async () => {
  const stage = await open({ overlap: 'skip' });
  await stage.advance(2 * DAY);
  assert.equal(stage.times(), ['2026-06-02T02:30:00.000Z']);
  assert.equal(skips(stage), ['2026-06-03T02:30:00.000Z']);
});

test('a time waits for the job before it with overlap: queue, at most 24 do', async () => {
  const stage = await open({ overlap: 'queue', cron: '0 * * * *' });
  await stage.advance(30 * HOUR + MINUTE);
  assert.is(stage.jobs.length, 1);
  assert.is(skips(stage).length, 5);
  for (let index = 0; index < stage.jobs.length; index += 1)
    await stage.end(stage.jobs[index]?.id ?? '');
  assert.is(stage.jobs.length, 25);
});

test('overlap: cancel cancels the job before it', async () => {
  const stage = await open({ overlap: 'cancel' });
  await stage.advance(2 * DAY);
  assert.is(stage.jobs.length, 2);
  assert.is(stage.kernel.state(stage.jobs[0]?.id ?? '')?.value, 'cancelled');
  assert.is(stage.kernel.state(stage.jobs[1]?.id ?? '')?.value, 'working');
  const state = stage.state();
  assert.equal(state && readScheduleContext(state).live, [stage.jobs[1]?.id]);
});

test('three failures in a row pause it; a person resumes it', async () => {
  const stage = await open();
  for (let day = 0; day < 3; day += 1) {
    await stage.advance(DAY);
    await stage.end(stage.jobs.at(-1)?.id ?? '', 'fail');
  }
  assert.is(stage.state()?.value, 'paused');
  await stage.advance(2 * DAY);
  assert.is(stage.jobs.length, 3);
  const [view] = await stage.service.schedules();
  assert.equal([view?.state, view?.failures, view?.next], ['paused', 3, []]);
  await stage.service.resumeSchedule('nightly', { by: 'token' });
  await stage.settle();
  await stage.advance(DAY);
  assert.is(stage.jobs.length, 4);
});

test('a success between failures counts from the beginning', async () => {
  const stage = await open();
  for (const how of ['fail', 'fail', 'end', 'fail', 'fail'] as const) {
    await stage.advance(DAY);
    await stage.end(stage.jobs.at(-1)?.id ?? '', how);
  }
  assert.is(stage.state()?.value, 'waiting');
});

test('jobs that cannot be created count as failures, with the reason', async () => {
  const stage = await open();
  stage.refusal = new SvcError('invalid', 'The workflow is gone.');
  await stage.advance(3 * DAY);
  assert.is(stage.state()?.value, 'paused');
  assert.equal(
    stage.rows.map(({ state, problem }) => [state, problem]),
    Array.from({ length: 3 }, () => ['refused', 'The workflow is gone.']),
  );
});

test('a spent budget is no failure of the schedule', async () => {
  const stage = await open();
  stage.refusal = new SvcError('over-budget', 'The day is spent.');
  await stage.advance(4 * DAY);
  assert.is(stage.state()?.value, 'waiting');
});

test('a reason that may pass is tried again before it counts', async () => {
  const stage = await open();
  stage.refusal = new SvcError('unreachable', 'The tracker does not answer.');
  await stage.advance(14 * HOUR + 30 * MINUTE + 200);
  assert.equal([stage.state()?.value, stage.jobs.length], ['starting', 0]);
  stage.refusal = null;
  await stage.advance(2_000);
  assert.is(stage.jobs.length, 1);
});

test('a changed definition counts from now on; a removed one does nothing', async () => {
  const stage = await open();
  stage.settings.schedules = [aRule({ cron: '0 13 * * *', missed: 'all' })];
  await stage.service.sync();
  await stage.advance(DAY);
  assert.equal(stage.times(), ['2026-06-01T13:00:00.000Z']);
  stage.settings.schedules = [];
  await stage.service.sync();
  await stage.advance(3 * DAY);
  assert.is(stage.jobs.length, 1);
  assert.is(stage.state()?.value, 'off');
});

test('one that was switched off makes up nothing when it is switched on', async () => {
  const stage = await open({ missed: 'all', enabled: false });
  await stage.advance(3 * DAY);
  stage.settings.schedules = [aRule({ missed: 'all' })];
  await stage.service.sync();
  await stage.advance(DAY);
  assert.equal(stage.times(), ['2026-06-05T02:30:00.000Z']);
});

test('a machine that continues the home of a lost one decides nothing for it', async () => {
  const stage = await open({ missed: 'once' });
  stage.die();
  stage.isAdopted = true;
  stage.clock.advance(2 * DAY);
  await stage.start();
  assert.equal([stage.state()?.value, stage.jobs.length, stage.rows.length], ['off', 0, 0]);
  stage.die();
  stage.isAdopted = false;
  await stage.start();
  assert.equal(stage.times(), ['2026-06-03T02:30:00.000Z']);
});

test('a person can start it beside its times, also while its job runs', async () => {
  const stage = await open();
  await stage.advance(DAY);
  const { jobId } = await stage.service.runSchedule('nightly', { by: 'token' });
  await stage.settle();
  const [view] = await stage.service.schedules();
  assert.equal(view?.liveJobs, [stage.jobs[0]?.id, jobId]);
  assert.equal(
    view?.runs.map(({ manual, state }) => [manual, state]),
    [
      [true, 'started'],
      [false, 'started'],
    ],
  );
});

test('an unknown name is refused, and so is resuming one that is not paused', async () => {
  const stage = await open();
  assert.is(
    await codeOfRefusal(() => stage.service.runSchedule('nightli', { by: 'token' })),
    'not-found',
  );
  assert.is(
    await codeOfRefusal(() => stage.service.resumeSchedule('nightly', { by: 'token' })),
    'not-possible-now',
  );
});

test('jitter delays each time by its own amount, the same after a crash', async () => {
  const stage = await open({ jitter: '1h' });
  await stage.advance(14 * HOUR + 29 * MINUTE);
  const readDueTime = () =>
    stage.store.durable.timers(10).find(({ actor }) => actor === 'schedule.nightly')?.due ?? 0;
  const due = readDueTime();
  stage.die();
  await stage.start();
  assert.is(readDueTime(), due);
  await stage.advance(2 * HOUR);
  assert.equal(stage.times(), ['2026-06-02T02:30:00.000Z']);
  assert.ok(due > Date.UTC(2026, 5, 2, 2, 30) && due < Date.UTC(2026, 5, 2, 3, 30));
  assert.is(stage.jobs[0]?.at, due);
});

test('the next five times are shown', async () => {
  const stage = await open({ timeZone: 'Europe/Berlin' });
  const [view] = await stage.service.schedules();
  assert.equal(view?.next.slice(0, 2), ['2026-06-02T00:30:00.000Z', '2026-06-03T00:30:00.000Z']);
  assert.is(view?.next.length, 5);
});

test.run();
