import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAIN_START } from '../../../../src/base/system/homes/chainEntryHash.ts';
import { Database } from '../../../../src/kernel/sqlite/database.ts';
import {
  findOutsideWrite,
  markOutsideWrite,
  type OutsideWrite,
} from '../../../../src/kernel/sqlite/log/outsideWrites.ts';
import type { LogStart } from '../../../../src/kernel/sqlite/log/storeLog.ts';
import { repairState } from '../../../../src/jobs/store/repair/repairState.ts';
import { MIGRATIONS } from '../../../../src/jobs/store/migrations/migrations.ts';
import { openStore, type OpenStore } from '../../../../src/jobs/store/openStore.ts';
import { readLogPosition } from '../../../../src/kernel/sqlite/log/outgoing.ts';
import { ArchiveStage, createLife } from '../../../support/archiveStage.ts';
import { newHomeFolder } from '../../../support/log/logStage.ts';
import { StandInCloud, StandInLog } from '../../../support/log/standInCloud.ts';
import { removeHome } from '../../../support/charts/orderStage.ts';

const test = suite("what is written outside of a home's log");

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Checkpoints that count when the test lets them. */
class Checkpoints {
  readonly due: OutsideWrite[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly checkpointDue = (write: OutsideWrite): Promise<undefined> => {
    this.due.push(write);
    return new Promise((resolve) => this.#waiting.push(() => resolve(undefined)));
  };

  count(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

async function begin(
  store: OpenStore,
  checkpoints: Checkpoints,
  start: Partial<LogStart> = {},
): Promise<StandInLog> {
  const log = new StandInLog(new StandInCloud());
  // It has whatever came before.
  log.cloud.accept = () => 'stored';
  await store.log.begin(log, {
    ...(readLogPosition(store.db) ?? { n: 0, hash: CHAIN_START }),
    generation: 1,
    checkpointDue: checkpoints.checkpointDue,
    keepArchive: () => Promise.resolve(undefined),
    ...start,
  });
  return log;
}

/** Commits a row; the outcome as it is now. */
function commit(store: OpenStore, id: string): { isAnswered: boolean } {
  const state = { isAnswered: false };
  const writing = store.durable.commit({
    generation: 1,
    actors: [],
    journal: [],
    outboxPut: [],
    outboxDone: [],
    timersSet: [],
    timersDrop: [],
    inbox: [],
    mailPut: [],
    mailDone: [],
    frames: [],
    rows: [
      {
        op: 'put',
        table: 'insights',
        row: { job_id: 'a', id, at: 1, phase: 'p', category: 'c', text: 't' },
      },
    ],
  });
  void Promise.resolve(writing).then(() => (state.isAnswered = true));
  return state;
}

test('without a log nothing is marked', () => {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)');
  markOutsideWrite(db, 'repair');
  assert.is(findOutsideWrite(db), null);
  db.close();
});

test('archives are brought to the control plane before their rows leave the tables; then a checkpoint is due, for which no commit waits', async () => {
  using stage = new ArchiveStage();
  stage.live('j', createLife(20, 10));
  const checkpoints = new Checkpoints();
  const rowCounts: string[] = [];
  await begin(stage.store, checkpoints, {
    keepArchive: async (path) => {
      assert.ok(existsSync(path));
      rowCounts.push(`${stage.store.db.all('SELECT * FROM journal').length} rows`);
    },
  });
  assert.is(stage.store.durable.claim(), 1);
  const { length } = stage.store.db.all('SELECT * FROM journal');
  await stage.store.archiver.archive('j');
  assert.equal(rowCounts, [`${length} rows`]);
  assert.ok(stage.store.db.all('SELECT * FROM journal').length < length);
  assert.equal(checkpoints.due, ['archive']);
  assert.is(findOutsideWrite(stage.store.db), 'archive');
  const answer = commit(stage.store, '1');
  await turns();
  assert.is(answer.isAnswered, true);
  checkpoints.count();
  await turns();
  assert.is(findOutsideWrite(stage.store.db), null);
  await stage.store.archiver.remove('j');
  assert.equal(checkpoints.due, ['archive', 'archive']);
});

test('where an archive cannot be brought there, its rows stay', async () => {
  using stage = new ArchiveStage();
  stage.live('j', createLife(20, 10));
  const before = stage.seen('j');
  const checkpoints = new Checkpoints();
  await begin(stage.store, checkpoints, {
    keepArchive: () => Promise.reject(new Error('the control plane is away')),
  });
  const { length } = stage.store.db.all('SELECT * FROM journal');
  const outcome = await stage.store.archiver.archive('j').then(
    () => 'archived',
    (error) => String(error.code),
  );
  assert.is(outcome, 'store-failed');
  assert.is(stage.store.db.all('SELECT * FROM journal').length, length);
  assert.equal(stage.seen('j'), before);
  assert.equal(checkpoints.due, []);
});

test('after a migration no commit is answered before a checkpoint counts; a crash does not forget that', async () => {
  const dir = newHomeFolder();
  const open = (migrations = MIGRATIONS) =>
    openStore({ file: join(dir, 'state.db'), pid: 1, now: 0, migrations });
  const older = open();
  await begin(older, new Checkpoints());
  older.close();

  const newer = [...MIGRATIONS, 'CREATE TABLE later_things (id TEXT PRIMARY KEY) STRICT'];
  for (const turn of ['first', 'after a crash']) {
    const checkpoints = new Checkpoints();
    const store = open(newer);
    await begin(store, checkpoints);
    store.durable.claim();
    assert.equal(checkpoints.due, ['migration'], turn);
    const answer = commit(store, turn);
    await turns();
    assert.is(answer.isAnswered, false, turn);
    store.close();
  }
  const checkpoints = new Checkpoints();
  const store = open(newer);
  await begin(store, checkpoints);
  store.durable.claim();
  const answer = commit(store, 'last');
  checkpoints.count();
  await turns();
  assert.is(answer.isAnswered, true);
  store.close();

  const again = new Checkpoints();
  const last = open(newer);
  await begin(last, again);
  assert.equal(again.due, []);
  last.close();
  removeHome(dir);
});

test('a repair of the state is due for a checkpoint', async () => {
  const dir = newHomeFolder();
  const file = join(dir, 'state.db');
  const store = openStore({ file, pid: 1, now: 0 });
  await begin(store, new Checkpoints());
  store.close();
  const db = new Database(file);
  repairState(db, [], 0);
  db.close();
  const checkpoints = new Checkpoints();
  const again = openStore({ file, pid: 1, now: 0 });
  await begin(again, checkpoints);
  again.durable.claim();
  assert.equal(checkpoints.due, ['repair']);
  const answer = commit(again, '1');
  await turns();
  assert.is(answer.isAnswered, false);
  again.close();
  removeHome(dir);
});

test.run();
