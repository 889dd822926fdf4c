import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KernelError } from '../../../../src/kernel/contract.ts';
import { readLogPosition, readOutgoing } from '../../../../src/kernel/sqlite/log/outgoing.ts';
import type { Database } from '../../../../src/kernel/sqlite/database.ts';
import {
  compareWithFold,
  type LoggedHome,
  type LoggedHomeOptions,
  startLoggedHome,
} from '../../../support/log/logStage.ts';
import { StandInCloud } from '../../../support/log/standInCloud.ts';
import { createNote } from '../../../support/charts/orderChart.ts';
import { paidOrder, quiet, removeHome } from '../../../support/charts/orderStage.ts';

const test = suite('commits of a home with a log');

const start = (id: string) => ({ chart: 'order', id, input: { id, price: 5 } });

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const stage = async (options: LoggedHomeOptions = {}) => {
  const cloud = new StandInCloud();
  const home = await startLoggedHome(cloud, options);
  await home.kernel.start();
  const end = () => {
    home.close();
    removeHome(home.dir);
  };
  return { ...home, cloud, end };
};

/** The outcome of a submission as it is now. */
const watch = (work: Promise<unknown>): { now: string } => {
  const state = { now: 'waits' };
  work.then(
    () => (state.now = 'answered'),
    (error) => (state.now = error instanceof KernelError ? error.code : String(error)),
  );
  return state;
};

const outgoing = (home: Pick<LoggedHome, 'store'>) => readOutgoing(home.store.db).map(({ n }) => n);

test('a commit is answered when the log has it, and read at once', async () => {
  const { kernel, store, log, end } = await stage();
  log.hold();
  const answer = watch(kernel.submit({ starts: [start('a')] }));
  await turns();
  assert.is(store.durable.actor('a')?.seq, 1);
  assert.is(answer.now, 'waits');
  log.arrive();
  await turns();
  assert.is(answer.now, 'answered');
  end();
});

test('the log is given the actors that an entry has begun or brought into another state', async () => {
  const { kernel, log, end } = await stage();
  await kernel.submit({ starts: [start('a'), start('b')] });
  await kernel.send('a', createNote('within its state'));
  await kernel.send('a', { type: 'pay', amount: 5 });
  assert.equal(log.changed, [['a', 'b'], [], ['a']]);
  end();
});

test('the entries alone make the same state, table by table', async () => {
  const { kernel, cloud, end, ...home } = await stage();
  for (const id of ['a', 'b', 'c']) await paidOrder(kernel, id);
  await kernel.send('a', { type: 'ship' });
  await kernel.send('b', { type: 'tell', to: 'c' });
  await kernel.send('c', { type: 'grow', bytes: 20_000 });
  await quiet(kernel);
  const { differences, tables, rows } = await compareWithFold(home, cloud.entries);
  assert.equal(differences, []);
  assert.ok(tables > 40 && rows > 20, `${tables} tables, ${rows} rows`);
  home.store.db.run("UPDATE insights SET text = 'another' WHERE job_id = 'b'");
  const changed = await compareWithFold(home, cloud.entries);
  assert.is(changed.differences.length, 2);
  end();
});

test('two groups are on the way at most; they are answered in their order, and effects begin after it', async () => {
  const { kernel, store, log, cloud, end, ...home } = await stage();
  await paidOrder(kernel, 'a');
  await kernel.submit({ starts: [start('b'), start('c')] });
  log.hold();
  const before = cloud.head.n;
  const first = watch(kernel.send('a', { type: 'ship' }));
  await turns();
  const second = watch(kernel.send('b', { type: 'add', item: 'pen' }));
  await turns();
  const third = watch(kernel.send('c', { type: 'add', item: 'ink' }));
  await turns();
  assert.is(log.held, 2);
  assert.is(store.durable.actor('b')?.seq, 2);
  assert.is(store.durable.actor('c')?.seq, 1);
  assert.equal([first.now, second.now, third.now], ['waits', 'waits', 'waits']);
  log.arrive();
  await turns();
  assert.equal([first.now, second.now, third.now], ['answered', 'waits', 'waits']);
  assert.is(log.held, 2);
  log.release();
  await turns();
  assert.equal([second.now, third.now], ['answered', 'answered']);
  assert.equal(
    cloud.entries.slice(before).map(({ n }) => n),
    [before + 1, before + 2, before + 3],
  );
  assert.equal((await compareWithFold({ store, ...home }, cloud.entries)).differences, []);
  end();
});

test('no effect runs before its commit is acknowledged', async () => {
  const runs: string[] = [];
  const { kernel, log, end } = await stage({
    ports: {
      'parcel.send': async (_params, { effectId }) => {
        runs.push(effectId);
        return { events: [{ type: 'shipped', parcel: effectId }] };
      },
    },
  });
  await paidOrder(kernel, 'a');
  log.hold();
  void kernel.send('a', { type: 'ship' });
  await turns();
  assert.equal(runs, []);
  log.release();
  await quiet(kernel);
  assert.equal(runs, ['a/4/0']);
  end();
});

test('what the log has leaves the file with the next commit', async () => {
  const { kernel, log, end, ...home } = await stage();
  for (const id of ['a', 'b', 'c']) await kernel.submit({ starts: [start(id)] });
  assert.equal(outgoing(home), [3]);
  log.hold();
  void kernel.submit({ starts: [start('d')] });
  await turns();
  assert.equal(outgoing(home), [4]);
  void kernel.submit({ starts: [start('e')] });
  await turns();
  assert.equal(outgoing(home), [4, 5]);
  end();
});

test('an entry that arrives twice counts once', async () => {
  const { kernel, log, cloud, end, ...home } = await stage();
  log.copies = 3;
  for (const id of ['a', 'b']) await paidOrder(kernel, id);
  await quiet(kernel);
  assert.equal(
    cloud.entries.map(({ n }) => n),
    [1, 2],
  );
  assert.equal((await compareWithFold(home, cloud.entries)).differences, []);
  end();
});

test('a refused row costs its own work alone, and no number of the log', async () => {
  const { kernel, cloud, end, ...home } = await stage();
  const row = (id: string, at: unknown) => ({
    op: 'put' as const,
    table: 'insights',
    row: { job_id: 'a', id, at, phase: 'p', category: 'c', text: id },
  });
  const clash = { op: 'patch' as const, table: 'insights', key: { id: '2' }, set: { id: '1' } };
  await kernel.submit({ rows: [row('1', 1), row('2', 2)] });
  const outcomes = await Promise.allSettled([
    kernel.submit({ rows: [row('3', 3)] }),
    kernel.submit({ rows: [clash] }),
    kernel.submit({ rows: [row('4', 4)] }),
  ]);
  assert.equal(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.is(home.store.rows.count('insights'), 4);
  assert.equal(
    cloud.entries.map(({ n }) => n),
    cloud.entries.map((_, index) => index + 1),
  );
  assert.equal((await compareWithFold(home, cloud.entries)).differences, []);
  end();
});

test('a batch of 20 MiB is one entry', async () => {
  const { kernel, cloud, end, ...home } = await stage();
  // Text that hardly shrinks, with values larger than a page and larger than an event may be.
  const text = (n: number) =>
    Array.from({ length: 40_000 }, (_, index) =>
      ((index * 7919 + n * 104_729) % 65_537).toString(36),
    )
      .join('')
      .padEnd(160_000, '.');
  const rows = Array.from({ length: 132 }, (_, n) => ({
    op: 'put' as const,
    table: 'insights',
    row: { job_id: 'a', id: `${n}`, at: n, phase: 'p', category: 'c', text: text(n) },
  }));
  await kernel.submit({ rows });
  assert.is(cloud.entries.length, 1);
  const storedBytes = Number(home.store.db.get('SELECT sum(length(text)) AS n FROM insights')?.n);
  assert.ok(storedBytes > 20 << 20, `${storedBytes} bytes`);
  assert.equal((await compareWithFold(home, cloud.entries)).differences, []);
  end();
});

/** As on a full disk: the file may not grow. Returns what makes room. */
function fill(db: Database): () => void {
  const pages = Number(db.get('PRAGMA page_count')?.page_count);
  db.get(`PRAGMA max_page_count = ${pages}`);
  return () => void db.get('PRAGMA max_page_count = 1000000');
}

test('where the disk is full, nothing is sent; what waits there is acknowledged, and the next commit has the next number', async () => {
  const { kernel, log, cloud, end, ...home } = await stage();
  await kernel.submit({ starts: [start('a')] });
  log.hold();
  const waiting = watch(kernel.submit({ starts: [start('b')] }));
  await turns();
  const free = fill(home.store.db);
  const failing = watch(kernel.send('a', { type: 'grow', bytes: 60_000 }));
  await turns();
  assert.equal(log.sent, [1, 2]);
  log.release();
  await turns();
  assert.equal([waiting.now, failing.now], ['answered', 'commit-failed']);
  assert.equal(readLogPosition(home.store.db), { n: 2, hash: cloud.head.hash });
  free();
  await kernel.send('a', { type: 'grow', bytes: 60_000 });
  assert.equal(log.sent, [1, 2, 3]);
  assert.equal((await compareWithFold(home, cloud.entries)).differences, []);
  end();
});

test('a file that cannot be written loses nothing of what waits, and sends nothing more', async () => {
  const { kernel, log, cloud, end, ...home } = await stage();
  await kernel.submit({ starts: [start('a')] });
  log.hold();
  const waiting = watch(kernel.submit({ starts: [start('b')] }));
  await turns();
  home.store.db.exec('PRAGMA query_only = ON');
  chmodSync(join(home.dir, 'state.db'), 0o400);
  const failing = watch(kernel.submit({ starts: [start('c')] }));
  await turns();
  log.release();
  await turns();
  assert.equal([waiting.now, failing.now], ['answered', 'commit-failed']);
  assert.equal(log.sent, [1, 2]);
  chmodSync(join(home.dir, 'state.db'), 0o600);
  home.store.db.exec('PRAGMA query_only = OFF');
  await kernel.submit({ starts: [start('c')] });
  assert.is(cloud.head.n, 3);
  end();
});

test('where a log breaks its promise, no commit is answered wrongly, none follows it, and stopping ends', async () => {
  const { kernel, store, log, clock, end } = await stage();
  await kernel.submit({ starts: [start('a')] });
  log.hold();
  const rejected = watch(kernel.submit({ starts: [start('b')] }));
  await turns();
  log.rejectHeld();
  await turns();
  assert.is(rejected.now, 'waits');
  const next = watch(kernel.submit({ starts: [start('c')] }));
  await turns();
  assert.is(store.durable.actor('c'), undefined);
  const stopping = kernel.stop(1_000);
  await turns();
  clock.advance(500);
  await turns();
  clock.advance(500);
  await stopping;
  await turns();
  assert.is(rejected.now, 'stopping');
  assert.ok(['stopping', 'commit-failed'].includes(next.now), next.now);
  end();
});

test('a log that throws is as one that rejects', async () => {
  const { kernel, log, end } = await stage();
  log.send = () => {
    throw new Error('the log is confused');
  };
  const first = watch(kernel.submit({ starts: [start('a')] }));
  await turns();
  assert.is(first.now, 'waits');
  end();
});

test('a batch of an earlier owner is refused, and not sent', async () => {
  const { kernel, store, log, end } = await stage();
  await kernel.submit({ starts: [start('a')] });
  store.db.run("UPDATE meta SET value = '99' WHERE key = 'generation'");
  const late = watch(kernel.submit({ starts: [start('b')] }));
  await turns();
  assert.is(late.now, 'commit-failed');
  assert.equal(log.sent, [1]);
  end();
});

test('the kernel claims the generation that the control plane gave, also one below that of the file', async () => {
  const cloud = new StandInCloud();
  cloud.generation = 6;
  const home = await startLoggedHome(cloud);
  home.store.db.run(
    "INSERT INTO meta (key, value) VALUES ('generation', '40') ON CONFLICT (key) DO UPDATE SET value = '40'",
  );
  assert.is(home.store.durable.claim(), 7);
  await home.kernel.start();
  await home.kernel.submit({ starts: [start('a')] });
  assert.equal(
    cloud.entries.map(({ generation }) => generation),
    [7],
  );
  home.close();
  removeHome(home.dir);
});

test.run();
