import { mkdtempSync, readFileSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommitPlace } from '../../../../src/base/settings/commitPlaces.ts';
import { CHAIN_START } from '../../../../src/base/system/homes/chainEntryHash.ts';
import { createKernel } from '../../../../src/kernel/kernel.ts';
import { readLogPosition, readOutgoing } from '../../../../src/kernel/sqlite/log/outgoing.ts';
import type { LogStart } from '../../../../src/kernel/sqlite/log/storeLog.ts';
import { readPairManifest } from '../../../../src/kernel/sqlite/pair/pairManifest.ts';
import { openStore } from '../../../../src/jobs/store/openStore.ts';
import { copyHome, newHomeFolder } from '../../../support/log/logStage.ts';
import { StandInCloud, StandInLog } from '../../../support/log/standInCloud.ts';
import { orderChart } from '../../../support/charts/orderChart.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';
import { removeHome } from '../../../support/charts/orderStage.ts';
import { WRITER } from '../../../support/writer.ts';

const test = suite("a home's log that begins and ends while the store is used");

const order = (id: string) => ({ starts: [{ chart: 'order', id, input: { id, price: 5 } }] });
const turns = async (count = 5) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

async function stage(place: CommitPlace = 'inline') {
  const dir = newHomeFolder();
  const file = join(dir, 'state.db');
  const handed = { n: 0 };
  const open = (from = file) =>
    openStore({
      file: from,
      pid: process.pid,
      now: 0,
      commits: {
        place,
        onHandOver: () => {
          handed.n += 1;
        },
      },
      thread: WRITER,
    });
  const store = open();
  const kernel = createKernel({
    screen: null,
    charts: [orderChart],
    ports: { 'parcel.send': () => new Promise<undefined>(() => {}) },
    clock: new SimulatedClock(),
    store: store.durable,
  });
  await kernel.start();
  const cloud = new StandInCloud();
  const generation = cloud.claim(cloud.head) ?? 0;
  const log = new StandInLog(cloud);
  const begin = (start: Partial<LogStart> = {}) =>
    store.log.begin(log, {
      n: 0,
      hash: CHAIN_START,
      generation,
      checkpointDue: () => Promise.resolve(undefined),
      keepArchive: () => Promise.resolve(undefined),
      ...start,
    });
  const end = () => {
    store.close();
    removeHome(dir);
  };
  return { dir, file, open, store, kernel, cloud, log, begin, end, handed };
}

const isAnswered = async (work: Promise<unknown>): Promise<boolean> => {
  let isDone = false;
  void work.then(() => (isDone = true));
  await turns();
  return isDone;
};

const synchronous = (store: ReturnType<typeof openStore>): unknown =>
  store.db.get('PRAGMA synchronous')?.synchronous;

const FULL = 2;
const NORMAL = 1;

test('a store without a log writes no entry, and is at no position', async () => {
  const { store, kernel, end } = await stage();
  await kernel.submit(order('a'));
  assert.equal(readOutgoing(store.db), []);
  assert.is(readLogPosition(store.db), null);
  assert.is(synchronous(store), FULL);
  end();
});

for (const place of ['inline', 'thread', 'auto'] as const)
  test(`what was committed before the log begins is in no entry, and what follows is in one; commits before: ${place}`, async () => {
    const { store, kernel, cloud, begin, end } = await stage(place);
    const before = kernel.submit(order('a'));
    await turns(1);
    await begin();
    await kernel.submit(order('b'));
    await before;
    await kernel.submit(order('c'));
    assert.is(store.durable.actor('a')?.seq, 1);
    assert.equal(
      cloud.entries.map(({ n }) => n),
      [1, 2],
    );
    assert.equal(readLogPosition(store.db), { n: 2, hash: cloud.head.hash });
    assert.is(synchronous(store), NORMAL);
    end();
  });

test('with a log no thread writes', async () => {
  const { store, kernel, begin, end, handed } = await stage('thread');
  await kernel.submit(order('a'));
  assert.is(handed.n, 1);
  await begin();
  for (const id of ['b', 'c', 'd']) await kernel.submit(order(id));
  assert.is(handed.n, 1);
  store.log.end();
  await kernel.submit(order('e'));
  assert.is(handed.n, 2);
  end();
});

test('when the log ends, what waits is answered, and later commits are local', async () => {
  const { store, kernel, cloud, log, begin, end } = await stage('thread');
  await begin();
  await kernel.submit(order('a'));
  log.hold();
  const waiting = kernel.submit(order('b'));
  assert.is(await isAnswered(waiting), false);
  store.log.end();
  assert.is(await isAnswered(waiting), true);
  await kernel.submit(order('c'));
  assert.is(cloud.head.n, 1);
  assert.is(log.held, 1);
  assert.equal(readOutgoing(store.db), []);
  assert.is(readLogPosition(store.db), null);
  assert.is(synchronous(store), FULL);
  end();
});

test('a log that ended can begin again, from the first entry', async () => {
  const { store, kernel, cloud, begin, end } = await stage();
  await begin();
  await kernel.submit(order('a'));
  store.log.end();
  await kernel.submit(order('b'));
  cloud.entries.length = 0;
  await begin();
  await kernel.submit(order('c'));
  assert.is(cloud.head.n, 1);
  end();
});

test('a second log, and one at another position, are refused, and nothing changes', async () => {
  const { dir, store, kernel, cloud, log, begin } = await stage();
  const refusal = (work: Promise<void>): Promise<string> =>
    work.then(
      () => 'begun',
      (error) => String(Object(error).code),
    );
  await begin();
  assert.is(await refusal(begin()), 'store-failed');
  await kernel.submit(order('a'));
  const at = readLogPosition(store.db);
  store.close();
  const again = openStore({ file: store.db.file, pid: process.pid, now: 0 });
  for (const start of [
    { n: 0, hash: CHAIN_START },
    { n: 1, hash: CHAIN_START },
    { n: 2, hash: cloud.head.hash },
  ])
    assert.is(
      await refusal(
        again.log.begin(log, {
          ...start,
          generation: 2,
          checkpointDue: () => Promise.resolve(undefined),
          keepArchive: () => Promise.resolve(undefined),
        }),
      ),
      'store-failed',
    );
  assert.equal(readLogPosition(again.db), at);
  again.close();
  removeHome(dir);
});

test('while a home is seeded, commits are answered by the disk and sent all the same; then by the log', async () => {
  const { store, kernel, cloud, log, begin, end } = await stage();
  log.hold();
  await begin({ isSeeding: true });
  await kernel.submit(order('a'));
  await kernel.submit(order('b'));
  assert.is(synchronous(store), FULL);
  assert.is(log.held, 2);
  log.release();
  store.log.endSeeding();
  assert.is(synchronous(store), NORMAL);
  log.hold();
  const waiting = kernel.submit(order('c'));
  assert.is(await isAnswered(waiting), false);
  log.release();
  assert.is(await isAnswered(waiting), true);
  assert.is(cloud.head.n, 3);
  end();
});

test('a state restored from another home is seeded from the first entry', async () => {
  const { dir, store, kernel, begin, end } = await stage();
  await begin();
  for (const id of ['a', 'b']) await kernel.submit(order(id));
  const copy = join(mkdtempSync(join(tmpdir(), 'svc-log-')), 'state.db');
  await store.copyTo(copy);
  const cloud = new StandInCloud();
  const generation = cloud.claim(cloud.head) ?? 0;
  const other = openStore({ file: copy, pid: process.pid, now: 0 });
  await other.log.begin(new StandInLog(cloud), {
    n: 0,
    hash: CHAIN_START,
    generation,
    isSeeding: true,
    checkpointDue: () => Promise.resolve(undefined),
    keepArchive: () => Promise.resolve(undefined),
  });
  assert.equal(readLogPosition(other.db), { n: 0, hash: CHAIN_START });
  assert.equal(readOutgoing(other.db), []);
  other.close();
  end();
  removeHome(dir);
});

/** Bytes of the log that the manifest says are on the disk. */
function promisedBytes(file: string): number {
  const [pageBytes, head, frameHead] = [8_192, 32, 24];
  const frames = readPairManifest(file)?.log?.frames ?? 0;
  return head + frames * (frameHead + pageBytes);
}

for (const [what, hasLog] of [
  [
    'with a log, a power loss that takes what was not synced leaves an earlier state that opens',
    true,
  ],
  ['without a log, the same loss of acknowledged commits is refused', false],
] as const)
  test(what, async () => {
    const { dir, file, open, kernel, begin, end } = await stage();
    await kernel.submit(order('a'));
    if (hasLog) await begin();
    const promised = promisedBytes(file);
    for (const id of ['b', 'c', 'd']) await kernel.submit(order(id));
    const crash = copyHome(dir, join(dir, 'crash'));
    const wal = join(crash, 'state.db-wal');
    assert.ok(readFileSync(wal).length > promised, 'nothing would be lost');
    truncateSync(wal, promised);
    if (hasLog) {
      const store = open(join(crash, 'state.db'));
      assert.equal(store.integrity(), []);
      assert.is(store.durable.actor('a')?.seq, 1);
      assert.is(store.durable.actor('d'), undefined);
      assert.equal(readLogPosition(store.db), { n: 0, hash: CHAIN_START });
      store.close();
    } else assert.throws(() => open(join(crash, 'state.db')), /log of/);
    end();
  });

test('what was committed with a log is on the disk when the log ends, and when the state is closed', async () => {
  const { dir, file, open, store, kernel, begin, end } = await stage();
  await begin();
  for (const id of ['a', 'b', 'c']) await kernel.submit(order(id));
  store.log.end();
  const crash = copyHome(dir, join(dir, 'crash'));
  truncateSync(join(crash, 'state.db-wal'), promisedBytes(file));
  const again = open(join(crash, 'state.db'));
  assert.is(again.durable.actor('c')?.seq, 1);
  again.close();
  end();
});

test.run();
