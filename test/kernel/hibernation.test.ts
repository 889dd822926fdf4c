import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { orderStage, paidOrder, removeHome, watchStore } from '../support/charts/orderStage.ts';

const test = suite('durable hibernation and frames');

test('an actor that was removed from memory continues from its row', async () => {
  const loads: string[] = [];
  const { kernel, kill, dir } = orderStage({
    hotActors: 2,
    wrap: (store) => ({
      ...watchStore(store, () => undefined),
      actor(id) {
        loads.push(id);
        return store.actor(id);
      },
    }),
  });
  await kernel.start();
  for (const id of ['a', 'b', 'c']) await paidOrder(kernel, id);
  loads.length = 0;
  await kernel.send('b', { type: 'told', by: 'x' });
  await kernel.send('a', { type: 'told', by: 'y' });
  await kernel.send('a', { type: 'told', by: 'z' });
  assert.equal(loads, ['a']);
  assert.equal(kernel.state('a'), {
    id: 'a',
    chart: 'order',
    seq: 5,
    value: { packed: 'waiting' },
    tags: ['moving'],
    status: 'active',
    context: {
      id: 'a',
      price: 5,
      paid: 5,
      items: ['book of a'],
      paidAt: Date.UTC(2026, 0, 1),
      note: 'told by z',
    },
  });
  kill();
  removeHome(dir);
});

test('a start looks at what is pending and at nothing else', async () => {
  const first = orderStage();
  await first.kernel.start();
  for (let n = 0; n < 50; n++) await paidOrder(first.kernel, `parked-${n}`);
  first.kill();
  const loads: string[] = [];
  const next = orderStage({
    dir: first.dir,
    wrap: (store) => ({
      ...watchStore(store, () => undefined),
      actor(id) {
        loads.push(id);
        return store.actor(id);
      },
    }),
  });
  await next.kernel.start();
  assert.equal(loads, []);
  next.kill();
  removeHome(first.dir);
});

test('frames are numbered per actor without a gap, in the order of the commit, and reported after it (HTTP-3)', async () => {
  const orders = orderStage();
  const reported: [string, number][] = [];
  const frameCounts: number[] = [];
  orders.kernel.onCommit(({ frames }) => {
    frameCounts.push(orders.store.durable.frames('a', 0, 100).length);
    for (const frame of frames) reported.push([frame.actor, frame.n]);
  });
  await orders.kernel.start();
  await paidOrder(orders.kernel, 'a');
  const line = (text: string) => ({
    frames: [{ actor: 'a', frame: { kind: 'log', data: { line: text } } }],
  });
  await Promise.all([
    orders.kernel.submit(line('one')),
    orders.kernel.submit(line('two')),
    orders.kernel.send('a', { type: 'reminder' }),
  ]);
  assert.equal(
    reported,
    [1, 2, 3, 4, 5, 6].map((n) => ['a', n]),
  );
  assert.equal(frameCounts, [3, 6]);
  assert.equal(
    orders.store.durable.frames('a', 3, 100).map(({ n, kind, data }) => [n, kind, data]),
    [
      [4, 'log', { line: 'one' }],
      [5, 'log', { line: 'two' }],
      [6, 'log', { line: 'reminded' }],
    ],
  );
  orders.kill();
  const next = orderStage({ dir: orders.dir });
  await next.kernel.start();
  await next.kernel.submit(line('after a restart'));
  assert.equal(
    next.store.durable.frames('a', 6, 100).map((frame) => frame.n),
    [7],
  );
  assert.equal(next.kernel.state('a')?.seq, 4);
  next.kill();
  removeHome(orders.dir);
});

test('many lines of one actor are one row of it, with the snapshot as it was', async () => {
  const { kernel, batches, store, kill, dir } = orderStage();
  await kernel.start();
  await paidOrder(kernel, 'a');
  const before = store.durable.actor('a');
  batches.length = 0;
  await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      kernel.submit({
        frames: [{ actor: 'a', frame: { kind: 'log', data: { line: String(n) } } }],
      }),
    ),
  );
  assert.equal(
    batches.map((batch) => [batch.actors.length, batch.journal.length, batch.frames.length]),
    [[1, 0, 100]],
  );
  assert.is(batches[0]?.actors[0]?.snapshot, before?.snapshot);
  assert.equal(store.durable.actor('a')?.frameSeq, (before?.frameSeq ?? 0) + 100);
  kill();
  removeHome(dir);
});

test.run();
