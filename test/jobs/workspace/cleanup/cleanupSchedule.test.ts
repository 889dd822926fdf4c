import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DEFAULT_RETENTION } from '../../../../src/base/settings/retention.ts';
import { TaskLock } from '../../../../src/base/concurrency/taskLock.ts';
import type { GcReply } from '../../../../src/contract/schema/runner/gc.ts';
import type { Settings } from '../../../../src/contract/schema/runner/settings.ts';
import { CleanupSchedule } from '../../../../src/jobs/workspace/cleanup/cleanupSchedule.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';
import { EndedJobs } from '../../../support/endedJobs.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const DONE: GcReply = {
  dryRun: false,
  endedBefore: null,
  removed: [{ kind: 'logs', jobId: 'a', path: '/state.db', bytes: 70 }],
  kept: [],
  left: [],
  inUse: 0,
  freed: 40,
  next: null,
};

/** A home whose runner is started again and again. */
class Stage extends EndedJobs {
  readonly clock = new SimulatedClock(0);
  readonly upkeep = new TaskLock();
  readonly settings: Pick<Settings, 'retention'> = {
    retention: { ...DEFAULT_RETENTION, everyMs: 24 * HOUR },
  };
  readonly lines: string[] = [];
  /** Hours at which a run began. */
  readonly begun: number[] = [];
  collect = async (_body: object, _signal?: AbortSignal): Promise<GcReply> => DONE;

  schedule(): CleanupSchedule {
    const { store, clock, upkeep, settings, writeRows } = this;
    const schedule = new CleanupSchedule({
      settings,
      rows: store.rows,
      writeRows,
      clock,
      log: pino({ base: null }, { write: (line: string) => this.lines.push(JSON.parse(line).msg) }),
      upkeep,
      collector: {
        collect: (body, signal) => {
          this.begun.push(clock.now() / HOUR);
          return this.collect(body, signal);
        },
      },
    });
    schedule.start();
    return schedule;
  }

  /** Hour by hour. */
  async hours(count: number): Promise<void> {
    for (let hour = 0; hour < count; hour++) {
      this.clock.advance(HOUR);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const test = suite('retention schedule');

test('off by default: it never runs', async () => {
  const stage = new Stage();
  stage.settings.retention.everyMs = null;
  const schedule = stage.schedule();
  await stage.hours(100);
  assert.equal(stage.begun, []);
  assert.equal(schedule.view(), { everyMs: null, nextAt: null, runs: [] });
});

test('it runs ten minutes after the first start, then every so often, and says what it did', async () => {
  const stage = new Stage();
  const schedule = stage.schedule();
  await stage.hours(50);
  assert.equal(stage.begun, [1 / 6, 24 + 1 / 6, 48 + 1 / 6]);
  const [last] = schedule.view().runs;
  assert.is(last?.startedAt, '1970-01-03T00:10:00.000Z');
  assert.equal(last?.removed, { logs: { items: 1, bytes: 70 } });
  assert.is(schedule.view().nextAt, '1970-01-04T00:10:00.000Z');
  assert.is(
    stage.lines.at(-1),
    'scheduled cleanup: 1 logs (70 bytes); state.db is smaller by 40 bytes',
  );
});

test('a start is no reason to run: the time counts from the last run; what is overdue runs soon', async () => {
  const stage = new Stage();
  await stage.schedule().stop();
  const first = stage.schedule();
  await stage.hours(10);
  await first.stop();
  for (let n = 0; n < 5; n++) {
    const next = stage.schedule();
    await stage.hours(1);
    await next.stop();
  }
  assert.is(stage.begun.length, 1);
  await stage.hours(100);
  stage.schedule();
  await stage.hours(1);
  assert.equal(stage.begun.slice(1), [115 + 1 / 6]);
});

test('switched on, off and to another time while it runs', async () => {
  const stage = new Stage();
  stage.settings.retention.everyMs = null;
  const schedule = stage.schedule();
  await stage.hours(5);
  stage.settings.retention.everyMs = 2 * HOUR;
  schedule.settingsChanged();
  await stage.hours(4);
  assert.equal(stage.begun, [5 + 1 / 6, 7 + 1 / 6], 'the first one leaves a person ten minutes');
  stage.settings.retention.everyMs = null;
  schedule.settingsChanged();
  await stage.hours(20);
  assert.is(stage.begun.length, 2);
});

test('while a backup is under way it waits', async () => {
  const stage = new Stage();
  stage.schedule();
  let end = () => {};
  const backup = stage.upkeep.take(
    'a backup',
    () => new Promise<void>((resolve) => (end = resolve)),
  );
  await stage.hours(3);
  assert.equal(stage.begun, []);
  end();
  await backup;
  await stage.hours(1);
  assert.is(stage.begun.length, 1);
});

test('a run continues until all was checked; a stop ends it after what it is at', async () => {
  const stage = new Stage();
  let cut = () => {};
  stage.collect = async (body, signal) => {
    if (!('after' in body)) return { ...DONE, next: 'logs/1/a' };
    await new Promise<void>((resolve) => (cut = resolve));
    return { ...DONE, next: signal?.aborted ? 'logs/1/b' : null };
  };
  const schedule = stage.schedule();
  await stage.hours(1);
  assert.is(schedule.view().nextAt, null, 'it is under way');
  const stopped = schedule.stop();
  cut();
  await stopped;
  const [run] = schedule.view().runs;
  assert.equal([run?.removed.logs?.items, run?.problem], [2, 'the runner was stopped']);
  await stage.hours(100);
  assert.is(stage.begun.length, 2, 'nothing runs after the stop');
});

test('a stop does not wait for a run that hangs', async () => {
  const stage = new Stage();
  stage.collect = () => new Promise(() => {});
  const schedule = stage.schedule();
  await stage.hours(1);
  const stopped = schedule.stop();
  stage.clock.advance(5_000);
  await stopped;
});

test('a run that fails says why, and the next one comes', async () => {
  const stage = new Stage();
  stage.collect = () => Promise.reject(new Error('the disk is gone'));
  const schedule = stage.schedule();
  await stage.hours(25);
  assert.is(schedule.view().runs.length, 2);
  assert.is(schedule.view().runs[0]?.problem, 'the disk is gone');
});

test.run();
