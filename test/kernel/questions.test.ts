import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { setup } from 'xstate';
import type { InspectionEvent } from '../../src/kernel/contract.ts';
import { listWaysOut } from '../../src/kernel/listWaysOut.ts';
import { startMachine } from '../../src/kernel/stepMachine.ts';
import { orderChart } from '../support/charts/orderChart.ts';
import { orderStage, paidOrder, removeHome } from '../support/charts/orderStage.ts';

const test = suite('durable questions');

test('why: what it waits for, since when, who can move it and which guards say what', async () => {
  const { kernel, clock, kill, dir } = orderStage();
  await kernel.start();
  const since = clock.now();
  await paidOrder(kernel, 'a');
  clock.advance(5_000);
  await kernel.send('a', { type: 'told', by: 'b' });
  const { waysOut: ways, ...rest } = kernel.why('a');
  assert.equal(rest, {
    id: 'a',
    state: ['packed.waiting'],
    since,
    waitsFor: ['the carrier', 'a person to press ship'],
    pendingEffects: [],
    timers: [],
  });
  assert.equal(ways[0], {
    event: 'ship',
    from: 'a clerk',
    target: 'packed.shipping',
    open: true,
    guards: [{ name: 'hasItems', says: 'there is something in the basket', value: true }],
  });
  assert.equal(
    ways.map((way) => way.event),
    [
      'ship',
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
  );
  assert.throws(
    () => kernel.why('unknown'),
    (error: { code?: string }) => error.code === 'unknown-actor',
  );
  kill();
  removeHome(dir);
});

test('the value of a guard that reads the event is unknown before the event arrives', async () => {
  const { kernel, kill, dir } = orderStage();
  await kernel.start();
  await kernel.submit({ starts: [{ chart: 'order', id: 'a', input: { id: 'a', price: 5 } }] });
  const pay = kernel.why('a').waysOut.find((way) => way.event === 'pay');
  assert.equal(pay?.open, 'depends');
  assert.equal(pay?.guards, [
    { name: 'coversPrice', says: 'the amount covers the price', value: 'depends' },
  ]);
  for (const item of ['one', 'two', 'three']) await kernel.send('a', { type: 'add', item });
  const add = kernel.why('a').waysOut.find((way) => way.event === 'add');
  assert.equal(add?.open, false);
  assert.equal(add?.guards, [{ name: 'isSmall', says: 'the basket has room', value: false }]);
  kill();
  removeHome(dir);
});

test('what whatIf and can say is what then happens, and asking changes nothing', async () => {
  const { kernel, store, clock, batches, kill, dir } = orderStage();
  await kernel.start();
  await kernel.submit({ starts: [{ chart: 'order', id: 'a', input: { id: 'a', price: 5 } }] });
  await kernel.send('a', { type: 'add', item: 'pen' });
  const events = [
    { type: 'ship' },
    { type: 'pay', amount: 1 },
    { type: 'pay', amount: 5 },
    { type: 'remind', afterMs: 5_000 },
    { type: 'add', item: 'ink' },
    { type: 'ship' },
    { type: 'shipped', parcel: 'P' },
    { type: 'told', by: 'b' },
  ];
  for (const event of events) {
    batches.length = 0;
    const before = kernel.state('a');
    const can = kernel.can('a', event);
    const guess = kernel.whatIf('a', event);
    assert.equal(kernel.state('a'), before);
    assert.equal(batches.length, 0);
    const result = await kernel.send('a', event);
    const after = kernel.state('a');
    assert.equal(can, result.accepted, event.type);
    assert.equal(guess.accepted, result.accepted, event.type);
    assert.equal(guess.value, after?.value, event.type);
    assert.equal(guess.tags, after?.tags, event.type);
    assert.equal(guess.status, after?.status, event.type);
    const row = result.accepted ? store.durable.journal('a', result.seq - 1, 1)[0] : undefined;
    assert.equal(
      guess.effects.map((effect) => effect.type),
      row?.effects.map((effect) => effect.type) ?? [],
      event.type,
    );
    const changed = Object.entries(after?.context ?? {}).filter(
      ([key, value]) =>
        JSON.stringify(value) !== JSON.stringify(Reflect.get(Object(before?.context), key)),
    );
    const expected = Object.fromEntries(
      changed.map(([key, value]) => [key, value === clock.now() ? '<time>' : value]),
    );
    assert.equal(guess.changes, expected, event.type);
  }
  assert.equal(kernel.whatIf('a', { type: 'add', item: 'x' }), {
    accepted: false,
    value: 'closed',
    tags: [],
    status: 'done',
    changes: {},
    effects: [],
  });
  kill();
  removeHome(dir);
});

test('times are masked in answers', async () => {
  const { kernel, kill, dir } = orderStage();
  await kernel.start();
  await paidOrder(kernel, 'a');
  assert.equal(kernel.whatIf('a', { type: 'remind', afterMs: 5_000 }).effects, [
    { type: 'timer.set', params: { name: 'reminder', due: '<time>', event: { type: 'reminder' } } },
  ]);
  assert.equal(kernel.can('a', { type: 'break' }), false);
  assert.equal(kernel.can('a', { type: 'grow', bytes: 70_000 }), false);
  assert.equal(kernel.can('unknown', { type: 'add' }), false);
  assert.throws(
    () => kernel.whatIf('a', { type: 'break' }),
    (error: { code?: string }) => error.code === 'chart-error',
  );
  kill();
  removeHome(dir);
});

test('a way that an earlier one takes away is not open', () => {
  const machine = setup({ guards: { yes: () => true, no: () => false } }).createMachine({
    initial: 'outer',
    states: {
      outer: {
        initial: 'inner',
        on: { go: 'elsewhere', leave: 'elsewhere', stay: 'elsewhere' },
        states: {
          inner: {
            on: {
              go: [
                { guard: 'no', target: 'one' },
                { guard: 'yes', target: 'two' },
                { target: 'one' },
              ],
              stay: {},
            },
          },
          one: {},
          two: {},
        },
      },
      elsewhere: {},
    },
  });
  const note = { readsEvent: false, says: '' };
  const chart = { ...orderChart, machine, guards: { yes: note, no: note }, senders: {} };
  assert.equal(
    listWaysOut(chart, startMachine(machine, undefined).snapshot).map(
      ({ event, from, target, open }) => [event, from, target, open],
    ),
    [
      ['go', 'anybody', 'outer.one', false],
      ['go', 'anybody', 'outer.two', true],
      ['go', 'anybody', 'outer.one', false],
      ['go', 'anybody', 'elsewhere', false],
      ['leave', 'anybody', 'elsewhere', true],
      ['stay', 'anybody', 'elsewhere', false],
    ],
  );
});

test('inspectors see committed steps in the shape of live actors; one that throws does no harm', async () => {
  const { kernel, errors, kill, dir } = orderStage();
  await kernel.start();
  const events: InspectionEvent[] = [];
  kernel.inspect(() => {
    throw new Error('broken inspector');
  });
  const end = kernel.inspect((event) => events.push(event));
  kernel.onCommit(() => {
    throw new Error('broken listener');
  });
  await kernel.submit({ starts: [{ chart: 'order', id: 'a', input: { id: 'a', price: 5 } }] });
  await kernel.send('a', { type: 'add', item: 'pen' });
  end();
  await kernel.send('a', { type: 'add', item: 'ink' });
  assert.equal(
    events.map((event) => [event.type, event.sessionId]),
    [
      ['@xstate.actor', 'a'],
      ['@xstate.event', 'a'],
      ['@xstate.snapshot', 'a'],
      ['@xstate.event', 'a'],
      ['@xstate.snapshot', 'a'],
    ],
  );
  assert.is(JSON.parse(String(events[0]?.definition)).id, 'order');
  assert.equal(
    [...new Set(errors)],
    ['commit listener: broken listener', 'inspection observer: broken inspector'],
  );
  kill();
  removeHome(dir);
});

test.run();
