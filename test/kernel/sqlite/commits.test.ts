import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Batch } from '../../../src/kernel/writer.ts';
import {
  CommitPace,
  FAST_MS,
  SHORTER,
  SLOW_MS,
  WINDOW,
  Commits,
  type PaceChange,
  type CommitsOptions,
} from '../../../src/kernel/sqlite/commits.ts';
import { ArchiveReader } from '../../../src/kernel/sqlite/archive/archiveReader.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { FeatureTables } from '../../../src/kernel/sqlite/featureTables.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { readPairManifest } from '../../../src/kernel/sqlite/pair/pairManifest.ts';
import { SqliteStore } from '../../../src/kernel/sqlite/sqliteStore.ts';
import type { ThreadProgram } from '../../../src/kernel/sqlite/thread/writerThread.ts';
import { removeHome } from '../../support/charts/orderStage.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { WRITER } from '../../support/writer.ts';

const test = suite('commits on a thread of their own');

const insight = (id: string) => ({
  op: 'put' as const,
  table: 'insights',
  row: { job_id: 'a', id, at: 1, phase: 'p', category: 'c', text: 't' },
});

const createBatch = (generation: number, id: string): Batch => ({
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

const stage = (commits: CommitsOptions, thread: ThreadProgram = WRITER) => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-commits-'));
  const file = join(dir, 'state.db');
  const open = () => openStore({ file, pid: 1, now: 0, commits, thread });
  const store = open();
  return { dir, file, open, store, generation: store.durable.claim() };
};

/** Commits with an overlap until the thread takes one; answers how many there were. */
async function untilThread(
  store: ReturnType<typeof openStore>,
  generation: number,
): Promise<number> {
  for (let n = 1; ; n++) {
    const writing = store.durable.commit(createBatch(generation, `first-${n}`), true);
    await writing;
    if (writing !== undefined) return n;
    await nextTurn();
  }
}

const settleOutcome = (writing: undefined | Promise<undefined>): Promise<string> =>
  Promise.resolve(writing).then(
    () => 'written',
    (error: Error) => error.message,
  );

test('the manifest counts a commit before whatever waits for it continues', async () => {
  const { dir, file, store, generation } = stage({ place: 'inline' });
  await store.durable.commit(createBatch(generation, '1'));
  assert.is(readPairManifest(file)?.log?.frames, store.db.logPages().all);
  store.close();
  removeHome(dir);
});

test('a commit is answered when it is on the disk; whatever is read before that waits for it', async () => {
  const steps: string[] = [];
  const { dir, store, generation } = stage({
    place: 'thread',
    onHandOver: () => steps.push('handed over'),
  });
  const writing = store.durable.commit(createBatch(generation, '1'));
  const answer = writing?.then(() => steps.push('answered'));
  assert.is(store.rows.count('insights'), 1);
  steps.push('read');
  await answer;
  assert.equal(steps, ['handed over', 'read', 'answered']);
  store.close();
  removeHome(dir);
});

test('closed in the middle of a commit, the store has it, and no file but its own is left', async () => {
  const { dir, store, generation, open } = stage({ place: 'thread' });
  const writing = store.durable.commit(createBatch(generation, '1'));
  store.close();
  await writing;
  assert.equal(readdirSync(dir).sort(), ['state.db', 'state.db-manifest']);
  const again = open();
  assert.is(again.rows.count('insights'), 1);
  again.close();
  removeHome(dir);
});

test('no other process can open a state that a thread writes too', async () => {
  const { dir, file, store, generation } = stage({ place: 'thread' });
  await store.durable.commit(createBatch(generation, '1'));
  const look = `
    const { isStateHeld } = await import('./src/kernel/sqlite/inspectStore.ts');
    const { Database } = await import('./src/kernel/sqlite/database.ts');
    try { new Database('${file}'); } catch (error) { console.log(isStateHeld('${file}'), error.code); }`;
  const other = ['--import', 'tsx', '--input-type=module', '-e', look];
  assert.is(spawnSync(process.execPath, other, { encoding: 'utf8' }).stdout, 'true locked\n');
  store.close();
  removeHome(dir);
});

test('with an overlap it is the thread that writes wherever the place is not fixed; commits after it wait in line', async () => {
  const { dir, store, generation } = stage({ place: 'auto' });
  const before = await untilThread(store, generation);
  const answers: string[] = [];
  const commit = (id: string, overlap: boolean) =>
    store.durable.commit(createBatch(generation, id), overlap);
  assert.is(commit('1', false), undefined);
  const waiting = [commit('2', true), commit('3', false), commit('4', true)].map((writing, n) =>
    writing?.then(() => answers.push(`${n + 2}`)),
  );
  await Promise.all(waiting);
  assert.equal(answers, ['2', '3', '4']);
  assert.is(commit('5', false), undefined);
  assert.is(store.rows.count('insights'), before + 5);
  store.close();
  removeHome(dir);
});

test('until the thread has begun the main one writes: nothing waits for a thread that cannot begin', async () => {
  const missing = join(tmpdir(), 'svc-no-such-thread.mjs');
  const { dir, store, generation } = stage({ place: 'auto' }, { file: missing, execArgv: [] });
  for (let n = 1; n <= 20; n++) {
    assert.is(store.durable.commit(createBatch(generation, `${n}`), true), undefined);
    await nextTurn();
  }
  assert.is(store.rows.count('insights'), 20);
  store.close();
  removeHome(dir);
});

test('inline means inline, and so does a state without a thread', async () => {
  const { dir, file, store, generation } = stage({ place: 'inline' });
  assert.is(store.durable.commit(createBatch(generation, '1'), true), undefined);
  store.close();
  const without = openStore({ file, pid: 1, now: 0, commits: { place: 'thread' } });
  assert.is(without.durable.commit(createBatch(without.durable.claim(), '2'), true), undefined);
  without.close();
  removeHome(dir);
});

test('what the thread has is known to the kernel before the database has it', async () => {
  const { dir, store, generation } = stage({ place: 'thread' });
  const writing = store.durable.commit(createBatch(generation, '1'));
  assert.is(store.durable.inbox('a', 'shop', '1')?.seq, 1);
  assert.is(store.durable.inbox('a', 'shop', '2'), undefined);
  await writing;
  assert.is(store.durable.inbox('a', 'shop', '1')?.seq, 1);
  store.close();
  removeHome(dir);
});

test('what the thread does not have is read without a wait for it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-commits-'));
  const db = new Database(join(dir, 'state.db'), WRITER);
  migrate(db, MIGRATIONS);
  const store = new SqliteStore(db, {
    tables: new FeatureTables(db),
    archives: new ArchiveReader(db, null),
    commits: new Commits(db, { place: 'thread' }),
  });
  const { writer } = db;
  assert.ok(writer);
  const settle = writer.settle.bind(writer);
  let waits = 0;
  const writing = store.commit(createBatch(store.claim(), '1'));
  writer.settle = () => {
    waits += 1;
    settle();
  };
  assert.is(store.inbox('a', 'shop', '2'), undefined);
  assert.is(store.actor('a'), undefined);
  assert.is(waits, 0);
  assert.equal(store.timers(1), []);
  assert.is(waits, 1);
  await writing;
  db.close();
  removeHome(dir);
});

test('after one that fails all that the thread has are refused; none of them is known or written', async () => {
  const { dir, store, generation } = stage({ place: 'thread' });
  const commit = (id: string, owner = generation) => store.durable.commit(createBatch(owner, id));
  const outcomes = Promise.all([
    settleOutcome(commit('1')),
    settleOutcome(commit('2', generation - 1)),
    settleOutcome(commit('3')),
  ]);
  const [first, second, third] = await outcomes;
  assert.is(first, 'written');
  assert.match(second ?? '', /newer owner \(generation 1, not 0\); nothing was written/);
  assert.match(third ?? '', /the commit before it failed/);
  assert.is(store.durable.inbox('a', 'shop', '3'), undefined);
  assert.is(store.rows.count('insights'), 1);
  assert.is(await settleOutcome(commit('4')), 'written');
  assert.is(store.rows.count('insights'), 2);
  store.close();
  removeHome(dir);
});

test('a row that cannot be written is refused whole', async () => {
  const { dir, store, generation } = stage({ place: 'thread' });
  await store.durable.commit(createBatch(generation, '1'));
  const refusal = await catchRefusal(async () =>
    store.durable.commit(createBatch(generation, '1')),
  );
  assert.is(refusal.code, 'store-failed');
  assert.match(refusal.message, /UNIQUE/);
  assert.is(store.rows.count('insights'), 1);
  store.close();
  removeHome(dir);
});

test('an unknown table is refused at once, and the next commit has nothing of it', async () => {
  const { dir, store, generation } = stage({ place: 'thread' });
  const wrong = { op: 'drop' as const, table: 'unknown', key: { id: '1' } };
  const batch = createBatch(generation, '1');
  assert.throws(() => store.durable.commit({ ...batch, rows: [...batch.rows, wrong] }), /unknown/);
  await store.durable.commit(createBatch(generation, '2'));
  assert.is(store.durable.inbox('a', 'shop', '1'), undefined);
  store.close();
  removeHome(dir);
});

test('while the state is copied it is written in the main thread: another connection would begin the copy again', async () => {
  const { dir, store, generation } = stage({ place: 'thread' });
  const before = store.durable.commit(createBatch(generation, '1'));
  const copying = store.copyTo(join(dir, 'copy.db'));
  assert.is(store.durable.commit(createBatch(generation, '2'), true), undefined);
  await copying;
  await before;
  assert.ok(store.durable.commit(createBatch(generation, '3')) instanceof Promise);
  assert.is(store.rows.count('insights'), 3);
  store.close();
  removeHome(dir);
});

test('a thread that ends by itself refuses what it had; from then on the main thread writes', async () => {
  const program = join(mkdtempSync(join(tmpdir(), 'svc-thread-')), 'ends.mjs');
  writeFileSync(
    program,
    "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit());",
  );
  const { dir, store, generation } = stage({ place: 'thread' }, { file: program, execArgv: [] });
  assert.match(
    await settleOutcome(store.durable.commit(createBatch(generation, '1'))),
    /The thread that writes the state was lost/,
  );
  assert.is(store.rows.count('insights'), 0);
  assert.is(store.durable.commit(createBatch(generation, '2')), undefined);
  assert.is(store.rows.count('insights'), 1);
  store.close();
  removeHome(dir);
});

test('without a commit for a minute the thread ends; the next one has a new thread', async () => {
  const due: [run: () => void, ms: number][] = [];
  const dir = mkdtempSync(join(tmpdir(), 'svc-commits-'));
  const counts = join(mkdtempSync(join(tmpdir(), 'svc-thread-')), 'counts.mjs');
  const startFile = `${counts}.begun`;
  writeFileSync(
    counts,
    `import { appendFileSync } from 'node:fs'; appendFileSync('${startFile}', 'x'); await import('${WRITER.file}');`,
  );
  const store = openStore({
    file: join(dir, 'state.db'),
    pid: 1,
    now: 0,
    commits: { place: 'thread' },
    thread: { file: counts, execArgv: [] },
    later: (run, ms) => {
      due.push([run, ms]);
      return () => {};
    },
  });
  const generation = store.durable.claim();
  await store.durable.commit(createBatch(generation, '1'));
  // Once because of the commit, once because it was the last.
  due.shift()?.[0]();
  due.shift()?.[0]();
  const [rest, ms] = due.shift() ?? [];
  assert.is(ms, 60_000);
  assert.is(readFileSync(startFile, 'utf8'), 'x');
  rest?.();
  await store.durable.commit(createBatch(generation, '2'));
  assert.is(readFileSync(startFile, 'utf8'), 'xx');
  assert.is(store.rows.count('insights'), 2);
  store.close();
  removeHome(dir);
});

test('a thread that is still starting has ended before the state is given free', async () => {
  const slow = join(mkdtempSync(join(tmpdir(), 'svc-thread-')), 'slow.mjs');
  writeFileSync(
    slow,
    `import { existsSync, writeFileSync } from 'node:fs';
     const cell = new Int32Array(new SharedArrayBuffer(4));
     while (!existsSync('${slow}.go')) Atomics.wait(cell, 0, 0, 1);
     process.on('exit', () => writeFileSync('${slow}.ended', ''));
     await import('${WRITER.file}');`,
  );
  const { dir, store, generation } = stage({ place: 'auto' }, { file: slow, execArgv: [] });
  assert.is(store.durable.commit(createBatch(generation, '1'), true), undefined, 'it only begins');
  const releasing = store.release();
  writeFileSync(`${slow}.go`, '');
  await releasing;
  assert.ok(existsSync(`${slow}.ended`));
  removeHome(dir);
});

test('a state that was released can be opened by another process while this one lives (CLI-2)', async () => {
  const { dir, file, store, generation } = stage({ place: 'thread' });
  await store.durable.commit(createBatch(generation, '1'));
  assert.is(store.rows.count('insights'), 1);
  await store.release();
  const open = `
    const { Database } = await import('./src/kernel/sqlite/database.ts');
    try { new Database('${file}').close(); console.log('opened'); } catch (error) { console.log(error.code); }`;
  const other = ['--import', 'tsx', '--input-type=module', '-e', open];
  assert.is(spawnSync(process.execPath, other, { encoding: 'utf8' }).stdout, 'opened\n');
  removeHome(dir);
});

test('one of the shortest waits of many decides, and between fast and slow nothing changes', () => {
  const changes: PaceChange[] = [];
  const pace = new CommitPace('auto', (change) => changes.push(change));
  /** A window in which so many waits are short. */
  const look = (times: number, short: number, long: number) => {
    for (let n = 0; n < WINDOW; n++) pace.noteWait(n % 2 === 0 && n < times * 2 ? short : long);
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
  for (let n = 0; n < WINDOW; n++) forced.noteWait(0);
  assert.is(forced.place, 'thread');
});

test.run();
