import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Batch } from '../../../src/durable/writer.ts';
import {
  CommitPace,
  FAST_MS,
  type PaceChange,
  SHORTER,
  SLOW_MS,
  WINDOW,
} from '../../../src/durable/sqlite/commitPace.ts';
import { ArchiveReader } from '../../../src/durable/sqlite/archive/archiveReader.ts';
import { Commits, type CommitsOptions } from '../../../src/durable/sqlite/commits.ts';
import { Database } from '../../../src/durable/sqlite/database.ts';
import { FeatureTables } from '../../../src/durable/sqlite/featureTables.ts';
import { migrate } from '../../../src/durable/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/durable/sqlite/migrations.ts';
import { openStore } from '../../../src/durable/sqlite/openStore.ts';
import { SqliteStore } from '../../../src/durable/sqlite/sqliteStore.ts';
import { SvcError } from '../../../src/lib/errors.ts';
import { removeHome } from '../../support/charts/orderStage.ts';
import { refusalOf } from '../../support/refusal.ts';

const test = suite('commits that wait on another thread');

const insight = (id: string) => ({
  op: 'put' as const,
  table: 'insights',
  row: { job_id: 'a', id, at: 1, phase: 'p', category: 'c', text: 't' },
});

const batchOf = (generation: number, id: string): Batch => ({
  generation,
  actors: [],
  journal: [],
  outboxPut: [],
  outboxDone: [],
  timersSet: [],
  timersDrop: [],
  inbox: [{ actor: 'a', source: 'shop', externalId: id, at: 1, seq: 1 }],
  mailPut: [],
  mailDone: [],
  frames: [],
  rows: [insight(id)],
});

const stage = (commits: CommitsOptions) => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-commits-'));
  const open = () => openStore({ file: join(dir, 'state.db'), pid: 1, now: 0, commits });
  return { dir, open, store: open() };
};

test('a commit is answered after its sync, which comes after the hand-over; others write meanwhile', async () => {
  const seen: string[] = [];
  let finish = (): void => undefined;
  const { dir, store, open } = stage({
    place: 'thread',
    handingOver: () => seen.push('handed over'),
    sync: (_descriptor, done) => {
      seen.push('sync');
      finish = () => done(null);
    },
  });
  const writing = store.durable.commit(batchOf(store.durable.claim(), '1'));
  assert.ok(writing instanceof Promise);
  const answered = writing.then(() => seen.push('answered'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(seen, ['handed over', 'sync']);
  await store.giveBack();
  seen.push('others wrote');
  finish();
  await answered;
  assert.equal(seen, ['handed over', 'sync', 'others wrote', 'answered']);
  // With Node's own sync, and closed in the middle of it.
  store.close();
  const again = open();
  assert.is(again.rows.count('insights'), 1);
  again.close();
  removeHome(dir);
});

test('with an overlap the disk is waited for on another thread wherever the place is not fixed; commits after it wait in line', async () => {
  const syncs: (() => void)[] = [];
  const answered: string[] = [];
  const { dir, store } = stage({
    place: 'auto',
    sync: (_descriptor, done) => syncs.push(() => done(null)),
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const generation = store.durable.claim();
  const commit = (id: string, overlap: boolean) =>
    store.durable.commit(batchOf(generation, id), overlap);
  assert.is(commit('1', false), undefined);
  const waiting = [commit('2', true), commit('3', false), commit('4', true)].map((writing, n) =>
    writing?.then(() => answered.push(`${n + 2}`)),
  );
  assert.is(store.rows.count('insights'), 4);
  assert.is(syncs.length, 1);
  syncs.shift()?.();
  await turn();
  // The two that came meanwhile share the next sync.
  assert.equal([answered, syncs.length], [['2'], 1]);
  syncs.shift()?.();
  await Promise.all(waiting);
  assert.equal(answered, ['2', '3', '4']);
  assert.is(commit('5', false), undefined);
  store.close();
  const fixed = openStore({ file: join(dir, 'state.db'), pid: 1, now: 0, commits: {} });
  assert.is(fixed.durable.commit(batchOf(fixed.durable.claim(), '6'), true), undefined);
  fixed.close();
  removeHome(dir);
});

test('a commit behind one whose sync failed is answered only when all before it is on the disk', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-commits-'));
  let isBroken = true;
  class BrokenDisk extends Database {
    override emptyWal(): void {
      if (isBroken) throw new SvcError('store-failed', 'the disk is broken');
      super.emptyWal();
    }
  }
  const db = new BrokenDisk(join(dir, 'state.db'));
  migrate(db, MIGRATIONS);
  const syncs: ((error: Error | null) => void)[] = [];
  const commits = new Commits(db, {
    place: 'auto',
    sync: (_descriptor, done) => syncs.push(done),
  });
  const codes: string[] = [];
  const commit = () =>
    refusalOf(async () => commits.write(() => {}, true)).then(({ message }) => codes.push(message));
  const both = [commit(), commit()];
  syncs.shift()?.(new Error('EIO'));
  await both[0];
  // Linux tells of a failed write once: this sync succeeds although the first one lost something.
  syncs.shift()?.(null);
  await both[1];
  assert.equal(codes, ['the disk is broken', 'the disk is broken']);
  isBroken = false;
  const writing = commits.write(() => {}, true);
  syncs.shift()?.(null);
  assert.is(await writing, undefined);
  commits.close();
  db.close();
  removeHome(dir);
});

test('an older owner, and a row that cannot be written, are refused at once and leave nothing', async () => {
  const { dir, store } = stage({ place: 'thread' });
  const generation = store.durable.claim();
  assert.throws(() => store.durable.commit(batchOf(generation - 1, '1')), /newer owner/);
  await store.durable.commit(batchOf(generation, '1'));
  assert.throws(() => store.durable.commit(batchOf(generation, '1')), /UNIQUE/);
  await store.durable.commit(batchOf(generation, '2'));
  assert.is(store.rows.count('insights'), 2);
  store.close();
  removeHome(dir);
});

test('a sync that fails is made good by copying the log into the database', async () => {
  const { dir, store } = stage({
    place: 'thread',
    sync: (_descriptor, done) => done(new Error('EIO')),
  });
  await store.durable.commit(batchOf(store.durable.claim(), '1'));
  assert.is(store.durable.inbox('a', 'shop', '1')?.seq, 1);
  store.close();
  removeHome(dir);
});

test('where that fails too, the commit is refused, and until it succeeds the kernel can neither read nor write', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-commits-'));
  let isBroken = false;
  class BrokenDisk extends Database {
    override emptyWal(): void {
      if (isBroken) throw new SvcError('store-failed', 'the disk is broken');
      super.emptyWal();
    }
  }
  const db = new BrokenDisk(join(dir, 'state.db'));
  migrate(db, MIGRATIONS);
  const commits = new Commits(db, {
    place: 'thread',
    sync: (_descriptor, done) => done(isBroken ? new Error('EIO') : null),
  });
  const store = new SqliteStore(db, {
    tables: new FeatureTables(db),
    archives: new ArchiveReader(db, null),
    commits,
  });
  const generation = store.claim();
  await store.commit(batchOf(generation, '1'));
  isBroken = true;
  const refusal = await refusalOf(async () => store.commit(batchOf(generation, '2')));
  assert.equal([refusal.code, refusal.message], ['store-failed', 'the disk is broken']);
  for (const act of [
    () => store.inbox('a', 'shop', '2'),
    () => store.actor('a'),
    () => store.commit(batchOf(generation, '3')),
  ])
    assert.throws(act, 'the disk is broken');
  isBroken = false;
  // Whether a refused commit was written, only the store knows: this one was.
  assert.is(store.inbox('a', 'shop', '2')?.seq, 1);
  await store.commit(batchOf(generation, '3'));
  commits.close();
  db.close();
  removeHome(dir);
});

test('one of the shortest waits of many decides, and between fast and slow nothing changes', () => {
  const changes: PaceChange[] = [];
  const pace = new CommitPace('auto', (change) => changes.push(change));
  /** A window in which so many waits are short. */
  const look = (times: number, short: number, long: number) => {
    for (let n = 0; n < WINDOW; n++) pace.waited(n % 2 === 0 && n < times * 2 ? short : long);
    return pace.place;
  };
  assert.is(look(SHORTER + 1, FAST_MS * 2, SLOW_MS * 100), 'inline', 'a busy processor');
  assert.is(look(SHORTER, 0, SLOW_MS), 'thread', 'a slow disk, and others that sync');
  assert.is(look(0, 0, (SLOW_MS + FAST_MS) / 2), 'thread');
  assert.is(look(SHORTER, 0, SLOW_MS), 'thread');
  assert.is(look(SHORTER + 1, FAST_MS, SLOW_MS), 'inline', 'a fast disk');
  assert.equal(changes, [
    { place: 'thread', ms: SLOW_MS },
    { place: 'inline', ms: FAST_MS },
  ]);
  const forced = new CommitPace('thread');
  for (let n = 0; n < WINDOW; n++) forced.waited(0);
  assert.is(forced.place, 'thread');
});

test.run();
