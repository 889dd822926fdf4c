import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KernelError } from '../../src/kernel/contract.ts';
import { DoubtfulCommits } from '../../src/kernel/doubtfulCommits.ts';
import { HALVE_FROM } from '../../src/kernel/groupCommit.ts';
import type { Batch, DurableStore } from '../../src/kernel/writer.ts';
import {
  readEventTypes,
  orderStage,
  paidOrder,
  quiet,
  removeHome,
  watchStore,
} from '../support/charts/orderStage.ts';

const test = suite('groups that are stepped while the disk takes the ones before');

const start = (id: string) => ({ chart: 'order', id, input: { id, price: 5 } });
const catchCode = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error) => (error instanceof KernelError ? error.code : String(error)),
  );

/** A disk that takes each batch when the test lets it, or fails. */
class SlowDisk {
  readonly batches: Batch[] = [];
  readonly #waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  isFast = true;

  readonly wrap = (store: DurableStore): DurableStore =>
    watchStore(store, (batch) => {
      this.batches.push(batch);
      if (this.isFast) return undefined;
      return new Promise<undefined>((resolve, reject) => {
        this.#waiting.push({ resolve: () => resolve(undefined), reject });
      });
    });

  /** The oldest of those that wait is on the disk. */
  take(): void {
    this.#waiting.shift()?.resolve();
  }

  fail(): void {
    this.#waiting.shift()?.reject(new Error('the disk is broken'));
  }
}

const stage = async () => {
  const disk = new SlowDisk();
  const orders = orderStage({ wrap: disk.wrap });
  await orders.kernel.start();
  await orders.kernel.submit({ starts: [start('a'), start('b')] });
  disk.batches.length = 0;
  disk.isFast = false;
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { disk, turns, ...orders };
};

test('an event is stepped from what the one before it has left in the store, and none is answered before the disk has it', async () => {
  const { kernel, store, disk, turns, kill, dir } = await stage();
  const answers: number[] = [];
  const add = (item: string) =>
    kernel.send('a', { type: 'add', item }).then((outcome) => {
      if (outcome.accepted) answers.push(outcome.seq);
    });
  const pen = add('pen');
  await turns();
  const ink = add('ink');
  await turns();
  assert.equal(
    disk.batches.map(({ actors }) => actors[0]?.seq),
    [2, 3],
  );
  assert.equal(readEventTypes(store, 'a'), ['xstate.init', 'add', 'add']);
  assert.equal(answers, []);
  disk.take();
  await pen;
  await turns();
  assert.equal(answers, [2]);
  disk.take();
  await ink;
  assert.equal(answers, [2, 3]);
  kill();
  removeHome(dir);
});

test('a refusal and a repeat wait for what they are due to', async () => {
  const { kernel, disk, turns, kill, dir } = await stage();
  const origin = { source: 'forge', externalId: '42' };
  const answers: string[] = [];
  const first = kernel.send('a', { type: 'add', item: 'pen' }, origin);
  await turns();
  const repeat = kernel
    .send('a', { type: 'add', item: 'pen' }, origin)
    .then(({ accepted }) => answers.push(accepted ? 'a repeat' : 'refused'));
  const refused = kernel
    .send('a', { type: 'ship' })
    .then(({ accepted }) => answers.push(accepted ? 'accepted' : 'refused'));
  await turns();
  assert.is(disk.batches.length, 1);
  assert.equal(answers, []);
  disk.take();
  await Promise.all([first, repeat, refused]);
  assert.equal(answers, ['a repeat', 'refused']);
  kill();
  removeHome(dir);
});

test('at most two groups are under way: what comes then shares the next', async () => {
  const { kernel, disk, turns, kill, dir } = await stage();
  const sends: Promise<unknown>[] = [];
  for (const afterMs of [10, 20, 30, 40]) {
    sends.push(kernel.send('a', { type: 'remind', afterMs }));
    await turns();
  }
  assert.is(disk.batches.length, 2);
  disk.take();
  await turns();
  assert.equal(
    disk.batches.map(({ journal }) => journal.length),
    [1, 1, 2],
  );
  disk.take();
  disk.take();
  await Promise.all(sends);
  kill();
  removeHome(dir);
});

test('a group that fails takes the refusals after it along, and nothing is stepped until those behind it have ended', async () => {
  const { kernel, disk, turns, kill, dir } = await stage();
  const codes = [catchCode(kernel.send('a', { type: 'add', item: 'pen' }))];
  await turns();
  codes.push(catchCode(kernel.send('b', { type: 'add', item: 'ink' })));
  await turns();
  codes.push(catchCode(kernel.send('b', { type: 'add', item: 'cap' })));
  disk.fail();
  await turns();
  assert.is(disk.batches.length, 2);
  disk.fail();
  await turns();
  assert.is(disk.batches.length, 3);
  disk.take();
  assert.equal(await Promise.all(codes), ['commit-failed', 'commit-failed', 'no error']);
  const broken = catchCode(kernel.send('a', { type: 'add', item: 'pad' }));
  await turns();
  const refusal = catchCode(kernel.send('a', { type: 'ship' }));
  await turns();
  disk.fail();
  assert.equal([await broken, await refusal], ['commit-failed', 'commit-failed']);
  kill();
  removeHome(dir);
});

test('a wave of events becomes two halves that take turns', async () => {
  const { kernel, disk, turns, kill, dir } = await stage();
  const wave = () =>
    Array.from({ length: HALVE_FROM }, (_, n) =>
      kernel.send('a', { type: 'remind', afterMs: 10 + n }),
    );
  // During the first group nothing came that could have been stepped.
  const first = Promise.all(wave());
  await turns();
  disk.take();
  await first;
  disk.batches.length = 0;
  const second = Promise.all(wave());
  await turns();
  assert.equal(
    disk.batches.map(({ journal }) => journal.length),
    [HALVE_FROM / 2, HALVE_FROM / 2],
  );
  disk.take();
  disk.take();
  await second;
  kill();
  removeHome(dir);
});

test('what a commit asked for that was called failed and was written begins once, when the next one succeeds', async () => {
  const { kernel, store, disk, turns, runs, kill, dir } = await stage();
  disk.isFast = true;
  await paidOrder(kernel, 'c');
  disk.isFast = false;
  const lost = catchCode(
    kernel.submit({
      sends: [
        { to: 'c', event: { type: 'ship' } },
        { to: 'a', event: { type: 'tell', to: 'b' } },
      ],
    }),
  );
  await turns();
  disk.fail();
  assert.is(await lost, 'commit-failed');
  assert.equal(runs.length, 0);
  disk.isFast = true;
  await kernel.send('b', { type: 'add', item: 'ink' });
  await quiet(kernel);
  assert.equal(
    runs.map(({ actorId, recovered }) => [actorId, recovered]),
    [['c', false]],
  );
  assert.equal(readEventTypes(store, 'b'), ['xstate.init', 'add', 'told']);
  await kernel.send('b', { type: 'add', item: 'cap' });
  await quiet(kernel);
  assert.is(runs.length, 1);
  kill();
  removeHome(dir);
});

test('an outcome that was called failed and was written is not applied a second time', async () => {
  const outcomes: (() => void)[] = [];
  const disk = new SlowDisk();
  const { kernel, store, clock, kill, dir } = orderStage({
    wrap: disk.wrap,
    ports: {
      'parcel.send': () =>
        new Promise((resolve) => {
          outcomes.push(() => resolve({ frames: [{ kind: 'log', data: { line: 'sent' } }] }));
        }),
    },
  });
  await kernel.start();
  await kernel.submit({ starts: [start('c')] });
  await paidOrder(kernel, 'd');
  await kernel.send('d', { type: 'ship' });
  const lines = () => store.durable.frames('d', 0, 100).filter(({ kind }) => kind === 'log').length;
  const before = lines();
  disk.isFast = false;
  outcomes.shift()?.();
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  disk.fail();
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  disk.isFast = true;
  clock.advance(100);
  await quiet(kernel);
  assert.is(lines() - before, 1);
  assert.equal(store.durable.listPendingEffects(), []);
  kill();
  removeHome(dir);
});

test('a commit that was not written is forgotten, also one that only added lines', async () => {
  const { kernel, store, disk, kill, dir } = await stage();
  disk.isFast = true;
  await kernel.send('a', { type: 'add', item: 'pen' });
  const batch = disk.batches.at(-1);
  assert.ok(batch);
  const actors = batch.actors.map((row) => ({ ...row, frameSeq: row.frameSeq + 1 }));
  const doubt = new DoubtfulCommits(store.durable);
  const rest = { notice: { steps: [], frames: [] }, effects: [] };
  doubt.add({ batch: { ...batch, actors }, ...rest });
  doubt.add({ batch, ...rest });
  assert.equal(
    doubt.settle().map((one) => one.batch),
    [batch],
  );
  kill();
  removeHome(dir);
});

test('the kernel asks by itself, a second later, where nothing else is written', async () => {
  const { kernel, disk, turns, runs, clock, kill, dir } = await stage();
  disk.isFast = true;
  await paidOrder(kernel, 'c');
  disk.isFast = false;
  const lost = catchCode(kernel.send('c', { type: 'ship' }));
  await turns();
  disk.fail();
  assert.is(await lost, 'commit-failed');
  disk.isFast = true;
  clock.advance(1_000);
  await quiet(kernel);
  assert.equal(
    runs.map(({ actorId }) => actorId),
    ['c'],
  );
  kill();
  removeHome(dir);
});

test.run();
