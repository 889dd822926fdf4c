import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KernelError } from '../../src/kernel/contract.ts';
import type { DurableStore } from '../../src/kernel/writer.ts';
import { orderStage, paidOrder, removeHome, watchStore } from '../support/charts/orderStage.ts';

const test = suite('stopping a kernel whose commits are not acknowledged');

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A store that writes at once and acknowledges when the test lets it. */
class LateStore {
  readonly #waiting: (() => void)[] = [];
  isLate = false;
  readonly wrap = (store: DurableStore): DurableStore =>
    watchStore(store, () =>
      this.isLate
        ? new Promise<undefined>((resolve) => this.#waiting.push(() => resolve(undefined)))
        : undefined,
    );

  acknowledge(): void {
    this.isLate = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const stage = async () => {
  const late = new LateStore();
  const orders = orderStage({ wrap: late.wrap });
  await orders.kernel.start();
  await paidOrder(orders.kernel, 'a');
  const end = () => {
    orders.kill();
    removeHome(orders.dir);
  };
  return { late, end, ...orders };
};

const watch = (work: Promise<unknown>): { now: string } => {
  const state = { now: 'waits' };
  work.then(
    () => (state.now = 'done'),
    (error) => (state.now = error instanceof KernelError ? error.code : String(error)),
  );
  return state;
};

test('it ends within its grace, and those who wait are given no answer that could be wrong', async () => {
  const { kernel, late, clock, store, end } = await stage();
  late.isLate = true;
  const first = watch(kernel.send('a', { type: 'remind', afterMs: 5 }));
  await turns();
  const second = watch(kernel.send('a', { type: 'ship' }));
  await turns();
  const third = watch(kernel.send('a', { type: 'forget' }));
  await turns();
  const stopped = watch(kernel.stop(10_000));
  await turns();
  clock.advance(9_500);
  await turns();
  assert.is(stopped.now, 'waits');
  clock.advance(500);
  await turns();
  assert.equal(
    [stopped.now, first.now, second.now, third.now],
    ['done', 'stopping', 'stopping', 'stopping'],
  );
  // They are written all the same, and the next start continues from them.
  assert.is(store.durable.actor('a')?.seq, 5);
  end();
});

test('a late acknowledgement begins nothing', async () => {
  const { kernel, late, clock, runs, end } = await stage();
  late.isLate = true;
  void kernel.send('a', { type: 'ship' }).catch(() => {});
  await turns();
  const stopped = watch(kernel.stop(1_000));
  await turns();
  clock.advance(500);
  await turns();
  clock.advance(500);
  await turns();
  assert.is(stopped.now, 'done');
  late.acknowledge();
  await turns();
  assert.equal(runs, []);
  end();
});

test('an acknowledgement within the grace is answered, and effects are marked as cleanly stopped', async () => {
  const { kernel, late, clock, store, end } = await stage();
  await kernel.send('a', { type: 'ship' });
  await turns();
  late.isLate = true;
  const sendState = watch(kernel.send('a', { type: 'forget' }));
  await turns();
  const stopped = watch(kernel.stop(1_000));
  await turns();
  late.acknowledge();
  await turns();
  assert.is(sendState.now, 'done');
  clock.advance(500);
  await turns();
  assert.is(stopped.now, 'done');
  assert.equal(
    store.durable.listPendingEffects().map(({ cleanStop }) => cleanStop),
    [true],
  );
  end();
});

test.run();
