import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KernelError } from '../../src/kernel/contract.ts';
import type { RowChange } from '../../src/kernel/rowChange.ts';
import { readEventTypes, orderStage, paidOrder, removeHome } from '../support/charts/orderStage.ts';

const test = suite('rows that the store cannot take cost one submission');

const start = (id: string) => ({ chart: 'order', id, input: { id, price: 5 } });
const settleOutcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'written',
    (error) => (error instanceof KernelError ? `${error.code}: ${error.message}` : String(error)),
  );
const catchCode = async (promise: Promise<unknown>): Promise<string> =>
  (await settleOutcome(promise)).split(':')[0] ?? '';

const insight = (id: string, changed: object = {}): RowChange => ({
  op: 'put',
  table: 'insights',
  row: { job_id: 'a', id, at: 1, phase: 'p', category: 'c', text: 't', ...changed },
});

/** Two of one operation: only SQLite notices, when they are written. */
const pullRequest = (number: number, operation_id: string): RowChange => ({
  op: 'put',
  table: 'forge_prs',
  row: {
    repo: 'shop',
    number,
    operation_id,
    title: 't',
    body: '',
    head: `h${number}`,
    base: 'main',
    author: 'ann',
    state: 'open',
    created_at: 1,
  },
});

const stage = async () => {
  const orders = orderStage();
  await orders.kernel.start();
  await orders.kernel.submit({ starts: [start('a'), start('b')] });
  orders.batches.length = 0;
  return {
    ...orders,
    insights: () => orders.store.rows.all('insights', {}, { order: 'id' }).map(({ id }) => id),
    [Symbol.dispose]() {
      orders.kill();
      removeHome(orders.dir);
    },
  };
};

const BAD: Readonly<Record<string, unknown>> = {
  'a fraction': 0.4,
  'an endless number': Number.POSITIVE_INFINITY,
  'no number': Number.NaN,
  'a number that cannot be read again': 2 ** 53,
  'a text': 'twelve',
  'a text of digits': '12',
  'an object': { n: 1 },
  nothing: null,
};

for (const [what, at] of Object.entries(BAD))
  test(`${what} in a column of whole numbers is refused, and its neighbours in the commit are written`, async () => {
    using orders = await stage();
    const { kernel } = orders;
    const codes = await Promise.all([
      catchCode(kernel.send('a', { type: 'add', item: 'pen' })),
      catchCode(kernel.submit({ rows: [insight('x', { at })] })),
      catchCode(kernel.send('b', { type: 'add', item: 'ink' })),
    ]);
    assert.equal(codes, ['written', 'chart-error', 'written']);
  });

test('the refusal names table, column and value', async () => {
  using orders = await stage();
  const { kernel } = orders;
  assert.is(
    await settleOutcome(kernel.submit({ rows: [insight('x', { at: 0.4 })] })),
    'chart-error: The state cannot store this: insights.at is no whole number: 0.4.',
  );
});

test('of a submission with one bad row none is written', async () => {
  using orders = await stage();
  const { kernel, insights } = orders;
  await catchCode(kernel.submit({ rows: [insight('x'), insight('y', { at: 0.4 })] }));
  assert.equal(insights(), []);
});

test('what only SQLite refuses costs one of a hundred submissions', async () => {
  using orders = await stage();
  const { kernel, insights } = orders;
  await kernel.submit({ rows: [pullRequest(1, 'same')] });
  const codes = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      catchCode(
        kernel.submit({
          rows: [n === 37 ? pullRequest(2, 'same') : insight(String(n).padStart(2, '0'))],
        }),
      ),
    ),
  );
  assert.equal([codes[36], codes[37], codes[38]], ['written', 'chart-error', 'written']);
  assert.is(insights().length, 99);
});

test('neighbours of such a submission are written in few commits', async () => {
  using orders = await stage();
  const { kernel, batches } = orders;
  await kernel.submit({ rows: [pullRequest(1, 'same')] });
  batches.length = 0;
  await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      catchCode(kernel.submit({ rows: [n === 5 ? pullRequest(2, 'same') : insight(`${n}`)] })),
    ),
  );
  assert.ok(batches.length <= 16, `${batches.length} batches`);
});

test('events of neighbours keep their order when their group is written again', async () => {
  using orders = await stage();
  const { kernel, store } = orders;
  await kernel.submit({ rows: [pullRequest(1, 'same')] });
  const seqs = await Promise.all([
    kernel.send('a', { type: 'add', item: 'pen' }),
    catchCode(kernel.submit({ rows: [pullRequest(2, 'same')] })),
    kernel.send('a', { type: 'add', item: 'cap' }),
  ]);
  assert.equal(seqs, [
    { accepted: true, duplicate: false, seq: 2 },
    'chart-error',
    { accepted: true, duplicate: false, seq: 3 },
  ]);
  assert.equal(readEventTypes(store, 'a'), ['xstate.init', 'add', 'add']);
});

test('an event whose submission SQLite refuses has a note in the journal of its actor', async () => {
  using orders = await stage();
  const { kernel, store } = orders;
  await kernel.submit({ rows: [pullRequest(1, 'same')] });
  await catchCode(
    kernel.submit({
      sends: [{ to: 'a', event: { type: 'add', item: 'pen' } }],
      rows: [pullRequest(2, 'same')],
    }),
  );
  assert.equal(readEventTypes(store, 'a'), ['xstate.init', '(kernel.chartError)']);
});

for (const [what, bad] of [
  ['the kernel notices', () => insight('x', { at: 0.4 })],
  ['only SQLite notices', () => pullRequest(2, 'same')],
] as const)
  test(`an outcome of an effect with a row that ${what} is given up: its chart is told`, async () => {
    const orders = orderStage({
      ports: { 'parcel.send': async () => ({ rows: [bad()] }) },
    });
    const { kernel, store, kill, dir } = orders;
    await kernel.start();
    await kernel.submit({ rows: [pullRequest(1, 'same')] });
    await paidOrder(kernel, 'a');
    const failure = new Promise<void>((resolve) => {
      kernel.onCommit(({ steps }) => {
        if (steps.some(({ journal }) => journal.event.type === 'shipping.failed')) resolve();
      });
    });
    await kernel.send('a', { type: 'ship' });
    await failure;
    assert.ok(
      readEventTypes(store, 'a').includes('shipping.failed'),
      readEventTypes(store, 'a').join(),
    );
    kill();
    removeHome(dir);
  });

test.run();
