import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  readEventTypes,
  type OrderStage,
  orderStage,
  paidOrder,
  quiet,
  removeHome,
} from '../support/charts/orderStage.ts';

const test = suite('durable recovery');

/** A kernel whose order `a` has a parcel on its way. */
async function shipping(): Promise<OrderStage> {
  const orders = orderStage();
  await orders.kernel.start();
  await paidOrder(orders.kernel, 'a');
  await orders.kernel.send('a', { type: 'ship' });
  await quiet(orders.kernel);
  return orders;
}

const killed = (orders: OrderStage): OrderStage => {
  orders.kill();
  return orderStage({ dir: orders.dir, clock: orders.clock });
};

test('after a kill every effect that was not done runs again, and the journal says why (RUN-4)', async () => {
  const next = killed(await shipping());
  assert.equal(await next.kernel.start(), { effects: 1, mail: 0, givenUp: 0 });
  assert.equal(
    next.runs.map(({ effectId, attempt, recovered }) => ({ effectId, attempt, recovered })),
    [{ effectId: 'a/4/0', attempt: 2, recovered: true }],
  );
  const [note] = next.store.durable.journal('a', 4, 10);
  assert.equal(note, {
    actor: 'a',
    seq: 5,
    at: next.clock.now(),
    event: {
      type: 'kernel.recovered',
      effect: 'parcel.send',
      effectId: 'a/4/0',
      attempt: 2,
      why: 'the runner ended without a stop',
      at: next.clock.now(),
    },
    path: [],
    effects: [],
    note: true,
  });
  next.kill();
  removeHome(next.dir);
});

test('the fifth start without progress gives the effect up instead of running it', async () => {
  let orders = await shipping();
  for (const attempt of [2, 3, 4, 5]) {
    orders = killed(orders);
    await orders.kernel.start();
    assert.equal(
      orders.runs.map((run) => run.attempt),
      [attempt],
    );
  }
  orders = killed(orders);
  assert.equal(await orders.kernel.start(), { effects: 0, mail: 0, givenUp: 1 });
  assert.equal(orders.runs, []);
  assert.equal(orders.store.durable.listPendingEffects(), []);
  assert.equal(orders.kernel.state('a')?.value, { packed: 'waiting' });
  assert.equal(
    orders.store.durable.journal('a', 8, 10).map((row) => row.event),
    [
      {
        type: 'shipping.failed',
        why: 'restarts-without-progress',
        attempts: 5,
        error: 'the runner was restarted 5 times without progress',
        at: orders.clock.now(),
      },
    ],
  );
  orders.kill();
  removeHome(orders.dir);
});

test('an effect that a start gives up is given up although the disk is full just then', async () => {
  let orders = await shipping();
  for (let start = 2; start <= 5; start++) {
    orders = killed(orders);
    await orders.kernel.start();
  }
  orders = killed(orders);
  const { durable } = orders.store;
  const commit = durable.commit.bind(durable);
  let failures = 2;
  durable.commit = (batch) => {
    if (batch.outboxDone.length > 0 && failures-- > 0) throw new Error('the disk is full');
    return commit(batch);
  };
  await orders.kernel.start();
  assert.equal(orders.kernel.state('a')?.value, { packed: 'shipping' });
  for (const ms of [100, 1_000]) {
    orders.clock.advance(ms);
    await quiet(orders.kernel);
  }
  assert.equal(orders.runs, []);
  assert.equal(orders.store.durable.listPendingEffects(), []);
  assert.equal(orders.kernel.state('a')?.value, { packed: 'waiting' });
  orders.kill();
  removeHome(orders.dir);
});

test('progress between two restarts resets the count', async () => {
  let orders = await shipping();
  for (let restart = 0; restart < 7; restart++) {
    orders = killed(orders);
    await orders.kernel.start();
    assert.equal(
      orders.runs.map((run) => run.attempt),
      [restart === 0 ? 2 : 1],
    );
    await orders.kernel.send('a', { type: 'told', by: `restart ${restart}` });
  }
  orders.kill();
  removeHome(orders.dir);
});

test('the first start after a takeover does not count: what ended the other machine was not the effect', async () => {
  let orders = await shipping();
  const starts: [isTakeover: boolean, attempt: number, why: string][] = [
    [false, 2, 'the runner ended without a stop'],
    [true, 2, 'another runner had it, which is lost'],
    [true, 2, 'another runner had it, which is lost'],
    [false, 3, 'the runner ended without a stop'],
  ];
  for (const [isTakeover, attempt, why] of starts) {
    orders.kill();
    orders = orderStage({ dir: orders.dir, clock: orders.clock, isTakeover: () => isTakeover });
    await orders.kernel.start();
    assert.equal(
      orders.runs.map((run) => run.attempt),
      [attempt],
    );
    assert.is(orders.store.durable.journal('a', 0, 100).at(-1)?.event.why, why);
  }
  orders.kill();
  removeHome(orders.dir);
});

test('clean stops never count (RUN-6)', async () => {
  let orders = await shipping();
  for (let restart = 0; restart < 7; restart++) {
    const stopped = orders.kernel.stop(1_000);
    await quiet(orders.kernel);
    orders.clock.advance(1_000);
    await stopped;
    orders = killed(orders);
    await orders.kernel.start();
    assert.equal(
      orders.runs.map(({ attempt, recovered }) => [attempt, recovered]),
      [[1, true]],
    );
  }
  orders.kill();
  removeHome(orders.dir);
});

test('a message that was committed and not delivered is delivered once', async () => {
  const first = orderStage();
  await first.kernel.start();
  await paidOrder(first.kernel, 'a');
  await paidOrder(first.kernel, 'b');
  // The file is given free in the very notice of the commit that wrote the letter: its delivery
  // finds it closed.
  first.kernel.onCommit(({ steps }) => {
    if (steps.some((step) => step.journal.event.type === 'tell')) first.kill();
  });
  await first.kernel.send('a', { type: 'tell', to: 'b' });
  await new Promise((resolve) => setImmediate(resolve));
  const next = orderStage({ dir: first.dir, clock: first.clock });
  assert.equal(await next.kernel.start(), { effects: 0, mail: 1, givenUp: 0 });
  assert.equal(readEventTypes(next.store, 'b'), ['xstate.init', 'add', 'pay', 'told']);
  const last = killed(next);
  assert.equal(await last.kernel.start(), { effects: 0, mail: 0, givenUp: 0 });
  last.kill();
  removeHome(first.dir);
});

test('timers fire on time; those that fell due while no kernel ran fire at the start', async () => {
  const first = orderStage();
  await first.kernel.start();
  await paidOrder(first.kernel, 'a');
  await paidOrder(first.kernel, 'b');
  await first.kernel.send('a', { type: 'remind', afterMs: 1_000 });
  await first.kernel.send('b', { type: 'remind', afterMs: 5_000 });
  assert.equal(first.kernel.why('a').timers, [
    { name: 'reminder', due: first.clock.now() + 1_000 },
  ]);
  first.clock.advance(1_000);
  await quiet(first.kernel);
  assert.equal(readEventTypes(first.store, 'a').at(-1), 'reminder');
  assert.equal(readEventTypes(first.store, 'b').at(-1), 'remind');
  const next = killed(first);
  next.clock.advance(10_000);
  await next.kernel.start();
  assert.equal(readEventTypes(next.store, 'b').at(-1), 'reminder');
  assert.equal(next.store.durable.timers(10), []);
  next.kill();
  removeHome(next.dir);
});

test('a timer that is replaced or cancelled does not fire, not even at the last moment', async () => {
  const { kernel, store, clock, kill, dir } = orderStage();
  await kernel.start();
  await paidOrder(kernel, 'a');
  await kernel.send('a', { type: 'remind', afterMs: 1_000 });
  await kernel.send('a', { type: 'remind', afterMs: 3_000 });
  clock.advance(1_000);
  await quiet(kernel);
  assert.is(readEventTypes(store, 'a').at(-1), 'remind');
  const cancelled = kernel.send('a', { type: 'forget' });
  clock.advance(2_000);
  await cancelled;
  await quiet(kernel);
  assert.equal(readEventTypes(store, 'a').at(-1), 'forget');
  assert.equal(store.durable.timers(10), []);
  kill();
  removeHome(dir);
});

test('an actor that this release cannot read keeps its effects for one that can, and does not stop the others', async () => {
  const first = await shipping();
  await paidOrder(first.kernel, 'b');
  first.kill();
  const { orderChart } = await import('../support/charts/orderChart.ts');
  const next = orderStage({
    dir: first.dir,
    clock: first.clock,
    charts: [{ ...orderChart, id: 'other' }],
  });
  await next.kernel.start();
  await quiet(next.kernel);
  assert.is(next.store.durable.listPendingEffects().length, 1);
  next.kill();
  const last = orderStage({
    dir: first.dir,
    clock: first.clock,
    ports: { 'parcel.send': async () => ({ events: [{ type: 'shipped', parcel: 'P' }] }) },
  });
  await last.kernel.start();
  await quiet(last.kernel);
  assert.equal(last.kernel.state('a')?.value, 'closed');
  assert.equal(last.kernel.state('b')?.value, { packed: 'waiting' });
  last.kill();
  removeHome(first.dir);
});

test.run();
