import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { TaskLock } from '../../../src/base/concurrency/taskLock.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import { BackupSchedule } from '../../../src/host/backup/backupSchedule.ts';
import { createBackups } from '../../../src/host/backup/createBackups.ts';
import { readOwnHomeId, saveHomeRecord } from '../../../src/host/backup/homeRecord.ts';
import { nameOwnBackup } from '../../../src/host/backup/ownBackups.ts';
import { copyClosedState } from '../../../src/jobs/store/copiedState.ts';
import { BACKED_UP_AT, BackupStage, RELEASE } from '../../support/backupStage.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A home with a schedule of backups. */
class Stage extends BackupStage {
  readonly clock = new SimulatedClock(BACKED_UP_AT);
  readonly upkeep = new TaskLock();
  readonly folder = join(this.dir, 'backups');
  readonly settings: Pick<Settings, 'home' | 'backup'> = {
    home: this.home,
    backup: { everyMs: 24 * HOUR, folder: this.folder, copies: 2, work: 'none' },
  };
  #line = createDeferred<string>();
  homeId = '';

  constructor() {
    super({ repositories: false });
  }

  async schedule(): Promise<BackupSchedule> {
    await saveHomeRecord(this.home, randomIds);
    this.homeId = (await readOwnHomeId(this.home)) ?? '';
    const { clock, upkeep, settings } = this;
    const schedule = new BackupSchedule({
      settings,
      upkeep,
      clock,
      backups: createBackups({
        settings: { home: this.home, version: RELEASE, paths: { workingDir: this.at('jobs') } },
        store: { copyTo: (copy) => copyClosedState(this.at('state.db'), copy) },
        upkeep,
        now: () => clock.now(),
      }),
      log: pino(
        { base: null },
        { write: (line: string) => this.#line.resolve(JSON.parse(line).msg) },
      ),
    });
    schedule.start();
    await schedule.awaitPlanned();
    return schedule;
  }

  /** The next line of the log after this time. */
  async lineAfter(ms: number): Promise<string> {
    this.#line = createDeferred<string>();
    this.clock.advance(ms);
    return this.#line.promise;
  }

  get names(): string[] {
    return existsSync(this.folder) ? readdirSync(this.folder).sort() : [];
  }
}

const test = suite<{ stage: Stage }>('backups on a schedule');

test.before.each((context) => {
  context.stage = new Stage();
});
test.after.each(({ stage }) => stage[Symbol.dispose]());

test('the first one is written ten minutes after the start, and can be restored (RUN-1)', async ({
  stage,
}) => {
  const schedule = await stage.schedule();
  assert.is(await stage.lineAfter(10 * MINUTE), 'the home was backed up');
  const [name = ''] = stage.names;
  assert.is(name, nameOwnBackup(stage.homeId, BACKED_UP_AT + 10 * MINUTE));
  await stage.restore({ file: join(stage.folder, name) });
  assert.is(stage.restoredText('blobs/ab/abcd'), 'an artefact');
  await schedule.stop();
});

test('as many as are wanted stay, and files of others are not touched (RUN-1)', async ({
  stage,
}) => {
  mkdirSync(stage.folder);
  const others = ['svc-backup-20200101-000000.tar.gz', 'svc-backup-other-20200101-000000.tar.gz'];
  for (const name of others) writeFileSync(join(stage.folder, name), '');
  const schedule = await stage.schedule();
  for (const wait of [10 * MINUTE, 24 * HOUR, 24 * HOUR]) {
    await stage.lineAfter(wait);
    await schedule.awaitPlanned();
  }
  const times = [24 * HOUR, 48 * HOUR].map((ms) => BACKED_UP_AT + 10 * MINUTE + ms);
  assert.equal(
    stage.names,
    [...others, ...times.map((at) => nameOwnBackup(stage.homeId, at))].sort(),
  );
  await schedule.stop();
});

test('it counts from the newest backup of the home, also over a restart (RUN-1)', async ({
  stage,
}) => {
  const first = await stage.schedule();
  await stage.lineAfter(10 * MINUTE);
  await first.stop();
  const second = await stage.schedule();
  stage.clock.advance(23 * HOUR);
  await second.awaitPlanned();
  assert.is(stage.names.length, 1);
  assert.is(await stage.lineAfter(HOUR), 'the home was backed up');
  await second.stop();
});

test('one that fails leaves nothing, and is tried again half an hour later (RUN-1)', async ({
  stage,
}) => {
  writeFileSync(stage.folder, 'a file where the folder should be');
  stage.settings.backup.folder = join(stage.folder, 'deep');
  const schedule = await stage.schedule();
  stage.settings.backup.folder = join(stage.dir, 'elsewhere-backups');
  mkdirSync(stage.settings.backup.folder);
  assert.is(await stage.lineAfter(30 * MINUTE), 'the home was backed up');
  await schedule.stop();
});

test('a folder in the home is refused (RUN-1)', async ({ stage }) => {
  stage.settings.backup.folder = stage.at('backups');
  const schedule = await stage.schedule();
  assert.is(await stage.lineAfter(10 * MINUTE), 'the scheduled backup failed');
  assert.not.ok(existsSync(stage.at('backups')));
  await schedule.stop();
});

test('it waits while a cleanup is under way (RUN-1)', async ({ stage }) => {
  const schedule = await stage.schedule();
  const cleaned = createDeferred<void>();
  const cleanup = stage.upkeep.take('a cleanup', () => cleaned.promise);
  stage.clock.advance(10 * MINUTE);
  await schedule.awaitPlanned();
  assert.equal(stage.names, []);
  cleaned.resolve();
  await cleanup;
  assert.is(await stage.lineAfter(30 * MINUTE), 'the home was backed up');
  await schedule.stop();
});

test.run();
