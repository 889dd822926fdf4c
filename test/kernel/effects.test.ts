import { getEventListeners } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Port } from '../../src/kernel/port.ts';
import {
  readEventTypes,
  orderStage,
  paidOrder,
  quiet,
  removeHome,
  watchStore,
} from '../support/charts/orderStage.ts';

const test = suite('durable effects');

test('an effect runs after its commit, and all that it brings about is committed with the mark that it is done', async () => {
  const pendingThen: string[][] = [];
  const orders = orderStage({
    ports: {
      'parcel.send': async (_params, run) => {
        pendingThen.push(orders.store.durable.listPendingEffects().map((row) => row.effectId));
        return {
          events: [{ type: 'shipped', parcel: `P-${run.effectId}` }],
          sends: [
            {
              to: 'b',
              event: { type: 'told', by: run.actorId },
              source: 'carrier',
              externalId: '1',
            },
          ],
          rows: [
            {
              op: 'put',
              table: 'insights',
              row: { job_id: 'a', id: 'P', at: 1, phase: 'p', category: 'parcel', text: 'sent' },
            },
          ],
          frames: [{ kind: 'log', data: { line: 'sent' } }],
        };
      },
    },
  });
  const { kernel, store, runs, batches } = orders;
  await kernel.start();
  await paidOrder(kernel, 'a');
  await paidOrder(kernel, 'b');
  batches.length = 0;
  await kernel.send('a', { type: 'ship' });
  await quiet(kernel);
  assert.equal(pendingThen, [['a/4/0']]);
  assert.equal(
    runs.map(({ signal, ...run }) => ({ ...run, aborted: signal.aborted })),
    [{ effectId: 'a/4/0', actorId: 'a', attempt: 1, recovered: false, aborted: false }],
  );
  const outcome = batches[1];
  assert.equal(batches.length, 2);
  assert.equal(outcome?.outboxDone, ['a/4/0']);
  assert.equal(
    outcome?.journal.map((row) => [row.actor, row.event.type]),
    [
      ['a', 'shipped'],
      ['b', 'told'],
    ],
  );
  assert.equal(outcome?.rows.length, 1);
  assert.equal(
    outcome?.frames.map((frame) => [frame.kind, frame.data]),
    [
      ['state', { state: 'closed' }],
      ['log', { line: 'sent' }],
    ],
  );
  assert.equal(store.durable.listPendingEffects(), []);
  assert.equal(kernel.why('a').pendingEffects, []);
  orders.kill();
  removeHome(orders.dir);
});

/** Throws the given number of times, then delivers. */
const failing = (times: number): Port => {
  let remaining = times;
  return async () => {
    if (remaining-- > 0) throw new Error('no carrier');
    return { events: [{ type: 'shipped', parcel: 'P' }] };
  };
};

test('a port that throws is run again with back-off under the same id', async () => {
  const { kernel, store, runs, clock, kill, dir } = orderStage({
    ports: { 'parcel.send': failing(2) },
    retryMs: [100, 1_000],
  });
  await kernel.start();
  await paidOrder(kernel, 'a');
  await kernel.send('a', { type: 'ship' });
  await quiet(kernel);
  assert.is(runs.length, 1);
  clock.advance(99);
  await quiet(kernel);
  assert.is(runs.length, 1);
  clock.advance(1);
  await quiet(kernel);
  // A throw does not use up the starts that recovery counts.
  assert.equal(runs.length, 2);
  assert.equal(
    store.durable.listPendingEffects().map((row) => row.attempt),
    [1],
  );
  clock.advance(1_000);
  await quiet(kernel);
  assert.equal(
    runs.map(({ effectId, attempt }) => [effectId, attempt]),
    [
      ['a/4/0', 1],
      ['a/4/0', 2],
      ['a/4/0', 3],
    ],
  );
  assert.equal(kernel.state('a')?.value, 'closed');
  kill();
  removeHome(dir);
});

test('an effect that is tried again keeps no listener of the pauses before', async () => {
  const listening: number[] = [];
  const port: Port = async (_params, { signal }) => {
    listening.push(getEventListeners(signal, 'abort').length);
    throw new Error('no carrier');
  };
  const { kernel, clock, kill, dir } = orderStage({
    ports: { 'parcel.send': port },
    retryMs: [100, 100],
  });
  await kernel.start();
  await paidOrder(kernel, 'a');
  await kernel.send('a', { type: 'ship' });
  for (let pause = 0; pause < 2; pause++) {
    await quiet(kernel);
    clock.advance(100);
  }
  await quiet(kernel);
  assert.equal(listening, [0, 0, 0]);
  kill();
  removeHome(dir);
});

test('an error with a code may be tried again for longer, and the chart is given the code', async () => {
  const unreachable = Object.assign(new Error('no carrier'), { code: 'unreachable' });
  const { kernel, runs, clock, batches, kill, dir } = orderStage({
    ports: { 'parcel.send': () => Promise.reject(unreachable) },
    retryMs: [],
    getRetryDelays: (type, code) =>
      type === 'parcel.send' && code === 'unreachable' ? [100, 40_000] : undefined,
  });
  await kernel.start();
  await paidOrder(kernel, 'a');
  await kernel.send('a', { type: 'ship' });
  for (const wait of [100, 40_000]) {
    await quiet(kernel);
    clock.advance(wait);
  }
  await quiet(kernel);
  assert.is(runs.length, 3);
  assert.match(JSON.stringify(batches.at(-1)), /"code":"unreachable"/);
  kill();
  removeHome(dir);
});

test('after the last retry the chart is notified, in the commit that removes the effect', async () => {
  const { kernel, store, runs, clock, batches, kill, dir } = orderStage({
    ports: { 'parcel.send': failing(9) },
    retryMs: [100],
  });
  await kernel.start();
  await paidOrder(kernel, 'a');
  await kernel.send('a', { type: 'ship' });
  await quiet(kernel);
  clock.advance(100);
  await quiet(kernel);
  assert.equal(runs.length, 2);
  assert.equal(kernel.state('a')?.value, { packed: 'waiting' });
  const last = store.durable.journal('a', 4, 10);
  assert.equal(
    last.map((row) => row.event),
    [
      {
        type: 'shipping.failed',
        why: 'port-failed',
        attempts: 2,
        error: 'no carrier',
        at: clock.now(),
      },
    ],
  );
  assert.equal(batches.at(-1)?.outboxDone, ['a/4/0']);
  kill();
  removeHome(dir);
});

test('an outcome that cannot be written is kept and tried again; the port is not run twice', async () => {
  let fail = false;
  const { kernel, runs, clock, kill, dir } = orderStage({
    ports: {
      'parcel.send': async () => {
        fail = true;
        return { events: [{ type: 'shipped', parcel: 'P' }] };
      },
    },
    wrap: (store) =>
      watchStore(store, () => {
        if (fail) throw new Error('disk full');
        return undefined;
      }),
  });
  await kernel.start();
  await paidOrder(kernel, 'a');
  await kernel.send('a', { type: 'ship' });
  await quiet(kernel);
  assert.equal(kernel.state('a')?.value, { packed: 'shipping' });
  fail = false;
  clock.advance(100);
  await quiet(kernel);
  assert.equal(kernel.state('a')?.value, 'closed');
  assert.equal(runs.length, 1);
  kill();
  removeHome(dir);
});

test('an effect whose event is refused or throws is done all the same', async () => {
  const { kernel, store, errors, kill, dir } = orderStage({
    ports: {
      'parcel.send': async () => ({ events: [{ type: 'pay', amount: 1 }, { type: 'break' }] }),
    },
  });
  await kernel.start();
  await paidOrder(kernel, 'a');
  await kernel.send('a', { type: 'ship' });
  await quiet(kernel);
  assert.equal(store.durable.listPendingEffects(), []);
  assert.equal(readEventTypes(store, 'a').at(-1), '(kernel.chartError)');
  assert.equal(errors, [
    'outcome of effect a/4/0: Chart order failed at break (a in packed.shipping): the till is broken',
  ]);
  kill();
  removeHome(dir);
});

test('a stop turns the outside away, aborts ports and marks what is left as cleanly stopped', async () => {
  const aborts: string[] = [];
  const { kernel, store, runs, kill, dir } = orderStage({
    ports: {
      'parcel.send': (_params, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborts.push('aborted');
            // Words after the abort are not taken: the effect is not finished.
            resolve({ events: [{ type: 'shipped', parcel: 'half' }] });
          });
        }),
    },
  });
  await kernel.start();
  await paidOrder(kernel, 'a');
  await kernel.send('a', { type: 'ship' });
  await quiet(kernel);
  const stopped = kernel.stop(60_000);
  const late = await kernel.send('a', { type: 'close' }).catch((error) => error.code);
  await stopped;
  assert.equal(late, 'stopping');
  assert.equal(aborts, ['aborted']);
  assert.equal(runs.length, 1);
  assert.equal(
    store.durable
      .listPendingEffects()
      .map(({ effectId, attempt, cleanStop }) => ({ effectId, attempt, cleanStop })),
    [{ effectId: 'a/4/0', attempt: 1, cleanStop: true }],
  );
  assert.equal(kernel.state('a')?.value, { packed: 'shipping' });
  kill();
  removeHome(dir);
});

test('a stop waits for a deaf port no longer than its grace', async () => {
  const { kernel, store, clock, kill, dir } = orderStage();
  await kernel.start();
  await paidOrder(kernel, 'a');
  await kernel.send('a', { type: 'ship' });
  await quiet(kernel);
  const stopped = kernel.stop(5_000);
  await quiet(kernel);
  assert.is(store.durable.listPendingEffects()[0]?.cleanStop, false);
  clock.advance(5_000);
  await stopped;
  assert.is(store.durable.listPendingEffects()[0]?.cleanStop, true);
  kill();
  removeHome(dir);
});

test.run();
