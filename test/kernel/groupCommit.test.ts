import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KernelError } from '../../src/kernel/contract.ts';
import {
  readEventTypes,
  orderStage,
  paidOrder,
  quiet,
  removeHome,
  watchStore,
} from '../support/charts/orderStage.ts';

const test = suite('durable group commit');

const start = (id: string) => ({ chart: 'order', id, input: { id, price: 5 } });
const catchCode = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error) => (error instanceof KernelError ? error.code : String(error)),
  );

test('events of one turn share one transaction: one journal row each, one snapshot per actor', async () => {
  const { kernel, batches, store, kill, dir } = orderStage();
  await kernel.start();
  await kernel.submit({ starts: [start('a'), start('b')] });
  batches.length = 0;
  const results = await Promise.all([
    kernel.send('a', { type: 'add', item: 'pen' }),
    kernel.send('b', { type: 'add', item: 'ink' }),
    kernel.send('a', { type: 'add', item: 'cap' }),
  ]);
  assert.equal(results, [
    { accepted: true, duplicate: false, seq: 2 },
    { accepted: true, duplicate: false, seq: 2 },
    { accepted: true, duplicate: false, seq: 3 },
  ]);
  assert.equal(
    batches.map((batch) => [batch.actors.map((row) => row.id), batch.journal.length]),
    [[['a', 'b'], 3]],
  );
  assert.equal(readEventTypes(store, 'a'), ['xstate.init', 'add', 'add']);
  assert.equal(store.rows.all('insights', { job_id: 'a' }, { order: 'id' }).length, 2);
  kill();
  removeHome(dir);
});

test('an event that the chart does not take is refused and leaves no trace', async () => {
  const { kernel, batches, store, kill, dir } = orderStage();
  await kernel.start();
  await kernel.submit({ starts: [start('a')] });
  batches.length = 0;
  const result = await kernel.send('a', { type: 'pay', amount: 1 });
  assert.equal(result, {
    accepted: false,
    duplicate: false,
    refusal: {
      state: ['filling'],
      accepts: [
        'add',
        'pay',
        'told',
        'break',
        'grow',
        'odd',
        'split',
        'tell',
        'remind',
        'forget',
        'reminder',
        'close',
      ],
      guards: [{ name: 'coversPrice', says: 'the amount covers the price' }],
    },
  });
  assert.equal(batches.length, 0);
  assert.equal(readEventTypes(store, 'a'), ['xstate.init']);
  kill();
  removeHome(dir);
});

test('a chart that throws refuses that event alone, with a line in the journal', async () => {
  const { kernel, store, kill, dir } = orderStage();
  await kernel.start();
  await kernel.submit({ starts: [start('a')] });
  const [broken, fine, odd, foreign] = await Promise.all([
    catchCode(kernel.send('a', { type: 'break' })),
    kernel.send('a', { type: 'add', item: 'pen' }),
    catchCode(kernel.send('a', { type: 'odd' })),
    catchCode(kernel.send('a', { type: 'xstate.stop' })),
  ]);
  assert.equal(broken, 'chart-error');
  assert.equal(fine, { accepted: true, duplicate: false, seq: 3 });
  assert.equal(odd, 'chart-error');
  assert.equal(foreign, 'chart-error');
  assert.equal(readEventTypes(store, 'a'), [
    'xstate.init',
    '(kernel.chartError)',
    'add',
    '(kernel.chartError)',
    '(kernel.chartError)',
  ]);
  assert.is(
    store.durable.journal('a', 1, 1)[0]?.event.error,
    'Chart order failed at break (a in filling): the till is broken',
  );
  assert.equal(kernel.state('a')?.context, {
    id: 'a',
    price: 5,
    paid: 0,
    items: ['pen'],
    paidAt: null,
    note: '',
  });
  kill();
  removeHome(dir);
});

test('a context over 64 KiB refuses the event that made it so, not its neighbours', async () => {
  const { kernel, kill, dir } = orderStage();
  await kernel.start();
  await kernel.submit({ starts: [start('a')] });
  const results = await Promise.all([
    kernel.send('a', { type: 'add', item: 'pen' }),
    catchCode(kernel.send('a', { type: 'grow', bytes: 66_000 })),
    kernel.send('a', { type: 'add', item: 'ink' }),
  ]);
  assert.is(results[1], 'context-too-large');
  assert.equal(kernel.state('a')?.context, {
    id: 'a',
    price: 5,
    paid: 0,
    items: ['pen', 'ink'],
    paidAt: null,
    note: '',
  });
  await kernel.send('a', { type: 'grow', bytes: 60_000 });
  assert.is(
    await catchCode(kernel.send('a', { type: 'grow', bytes: 66_000 })),
    'context-too-large',
  );
  kill();
  removeHome(dir);
});

test('a failed commit refuses the whole batch and what it stepped is forgotten', async () => {
  let fail = false;
  const { kernel, store, kill, dir } = orderStage({
    wrap: (inner) =>
      watchStore(inner, () => {
        if (fail) throw new Error('disk full');
        return undefined;
      }),
  });
  await kernel.start();
  await kernel.submit({ starts: [start('a')] });
  fail = true;
  const codes = await Promise.all([
    catchCode(kernel.send('a', { type: 'add', item: 'pen' })),
    catchCode(kernel.submit({ starts: [start('b')] })),
  ]);
  assert.equal(codes, ['commit-failed', 'commit-failed']);
  fail = false;
  assert.equal(kernel.state('a')?.seq, 1);
  assert.equal(kernel.state('b'), undefined);
  assert.equal(await kernel.send('a', { type: 'add', item: 'pen' }), {
    accepted: true,
    duplicate: false,
    seq: 2,
  });
  assert.equal(readEventTypes(store, 'a'), ['xstate.init', 'add']);
  kill();
  removeHome(dir);
});

test('a commit that was written although its answer was lost is found in the store', async () => {
  let lose = false;
  const { kernel, store, kill, dir } = orderStage({
    wrap: (inner) => ({
      ...watchStore(inner, () => undefined),
      commit(batch, overlap) {
        const written = inner.commit(batch, overlap);
        if (lose) throw new Error('connection lost');
        return written;
      },
    }),
  });
  await kernel.start();
  await kernel.submit({ starts: [start('a')] });
  lose = true;
  assert.is(await catchCode(kernel.send('a', { type: 'add', item: 'pen' })), 'commit-failed');
  lose = false;
  assert.equal(await kernel.send('a', { type: 'add', item: 'ink' }), {
    accepted: true,
    duplicate: false,
    seq: 3,
  });
  assert.equal(readEventTypes(store, 'a'), ['xstate.init', 'add', 'add']);
  kill();
  removeHome(dir);
});

test('all or nothing: a refused, repeated or taken part leaves nothing of the submission, and its neighbours stay', async () => {
  const { kernel, store, kill, dir } = orderStage();
  await kernel.start();
  await kernel.submit({ starts: [start('a')] });
  const row = {
    op: 'put' as const,
    table: 'insights',
    row: { job_id: 'x', id: 'x', at: 1, phase: 'p', category: 'c', text: 't' },
  };
  const [refused, neighbour, taken, broken] = await Promise.all([
    kernel.submit({
      allOrNothing: true,
      starts: [start('new')],
      sends: [{ to: 'a', event: { type: 'ship' } }],
      rows: [row],
    }),
    kernel.send('a', { type: 'add', item: 'pen' }),
    kernel.submit({ allOrNothing: true, starts: [start('new'), start('a')], rows: [row] }),
    catchCode(
      kernel.submit({
        allOrNothing: true,
        sends: [
          { to: 'a', event: { type: 'add', item: 'ink' } },
          { to: 'a', event: { type: 'break' } },
        ],
      }),
    ),
  ]);
  assert.equal(refused.sends[0]?.accepted, false);
  assert.equal(neighbour.accepted, true);
  assert.equal(
    taken.started.map((one) => one.created),
    [true, false],
  );
  assert.equal(broken, 'chart-error');
  assert.equal(kernel.state('new'), undefined);
  assert.equal(store.rows.count('insights', { job_id: 'x' }), 0);
  assert.equal(readEventTypes(store, 'a'), ['xstate.init', 'add', '(kernel.chartError)']);
  const whole = await kernel.submit({
    allOrNothing: true,
    starts: [start('new')],
    sends: [{ to: 'new', event: { type: 'add', item: 'cap' } }],
    rows: [row],
  });
  assert.equal(whole, {
    started: [{ id: 'new', created: true }],
    sends: [{ accepted: true, duplicate: false, seq: 2 }],
  });
  assert.is(store.rows.count('insights', { job_id: 'x' }), 1);
  kill();
  removeHome(dir);
});

test('without it, what is not refused is written', async () => {
  const { kernel, kill, dir } = orderStage();
  await kernel.start();
  await kernel.submit({ starts: [start('a')] });
  const submitted = await kernel.submit({
    starts: [start('a')],
    sends: [
      { to: 'a', event: { type: 'ship' } },
      { to: 'a', event: { type: 'add', item: 'pen' } },
    ],
  });
  assert.equal(submitted.started, [{ id: 'a', created: false }]);
  assert.equal(
    submitted.sends.map((send) => send.accepted),
    [false, true],
  );
  assert.is(await catchCode(kernel.send('unknown', { type: 'add' })), 'unknown-actor');
  assert.is(
    await catchCode(kernel.submit({ starts: [{ chart: 'none', id: 'z', input: {} }] })),
    'unknown-chart',
  );
  kill();
  removeHome(dir);
});

test('a delivery from outside counts once per source and id; a refused one may come again', async () => {
  const orders = orderStage();
  await orders.kernel.start();
  await orders.kernel.submit({ starts: [start('a')] });
  const origin = { source: 'forge', externalId: '42' };
  const early = { source: 'forge', externalId: '43' };
  const [first, same] = await Promise.all([
    orders.kernel.send('a', { type: 'add', item: 'pen' }, origin),
    orders.kernel.send('a', { type: 'add', item: 'pen' }, origin),
  ]);
  assert.equal(first, { accepted: true, duplicate: false, seq: 2 });
  assert.equal(same, { accepted: true, duplicate: true, seq: 2 });
  assert.is((await orders.kernel.send('a', { type: 'ship' }, early)).accepted, false);
  await orders.kernel.send('a', { type: 'pay', amount: 5 });
  orders.kill();
  const later = orderStage({ dir: orders.dir, clock: orders.clock });
  await later.kernel.start();
  assert.equal(await later.kernel.send('a', { type: 'add', item: 'pen' }, origin), {
    accepted: true,
    duplicate: true,
    seq: 2,
  });
  assert.equal(await later.kernel.send('a', { type: 'ship' }, early), {
    accepted: true,
    duplicate: false,
    seq: 4,
  });
  later.kill();
  removeHome(orders.dir);
});

test('every event is stamped with the time of its commit, whatever it says itself', async () => {
  const { kernel, store, clock, kill, dir } = orderStage();
  await kernel.start();
  await kernel.submit({ starts: [start('a')] });
  clock.advance(7_000);
  await kernel.send('a', { type: 'add', item: 'pen', at: 5 });
  const rows = store.durable.journal('a', 0, 10);
  assert.equal(
    rows.map((row) => [row.at, row.event.at]),
    [
      [clock.now() - 7_000, clock.now() - 7_000],
      [clock.now(), clock.now()],
    ],
  );
  kill();
  removeHome(dir);
});

test('secrets are screened out of events before a chart sees them: journal and snapshot hold the same', async () => {
  const { kernel, store, kill, dir } = orderStage({
    screen: (json) => json.replaceAll('hunter2', '***'),
  });
  await kernel.start();
  await kernel.submit({ starts: [start('a')] });
  await kernel.send('a', { type: 'add', item: 'hunter2' });
  assert.equal(store.durable.journal('a', 1, 1)[0]?.event.item, '***');
  assert.not.match(JSON.stringify([kernel.state('a'), store.durable.actor('a')]), 'hunter2');
  kill();
  removeHome(dir);
});

test('an owner that another has replaced cannot write', async () => {
  const { kernel, store, kill, dir } = orderStage();
  await kernel.start();
  await kernel.submit({ starts: [start('a')] });
  store.durable.claim();
  assert.is(await catchCode(kernel.send('a', { type: 'add', item: 'pen' })), 'commit-failed');
  assert.equal(readEventTypes(store, 'a'), ['xstate.init']);
  kill();
  removeHome(dir);
});

test('actors start actors and write to each other, durably', async () => {
  const { kernel, store, batches, kill, dir } = orderStage();
  await kernel.start();
  await paidOrder(kernel, 'a');
  batches.length = 0;
  await kernel.send('a', { type: 'split', into: 'b' });
  await kernel.send('a', { type: 'split', into: 'b' });
  await kernel.send('a', { type: 'tell', to: 'b' });
  await quiet(kernel);
  assert.equal(readEventTypes(store, 'b'), ['xstate.init', 'told']);
  assert.equal(store.durable.listPendingMail(), []);
  assert.equal(
    batches.map((batch) => [batch.mailPut.map((mail) => mail.id), batch.mailDone]),
    [
      [[], []],
      [[], []],
      [['a/6/0'], []],
      [[], ['a/6/0']],
    ],
  );
  kill();
  removeHome(dir);
});

test.run();
