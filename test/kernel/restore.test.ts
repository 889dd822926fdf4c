import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMachine, raise } from 'xstate';
import type { DurableChart } from '../../src/kernel/chart.ts';
import { checkChart } from '../../src/kernel/kernel.ts';
import { KernelError } from '../../src/kernel/contract.ts';
import { persist, restore } from '../../src/kernel/restore.ts';
import { startMachine, stepMachine } from '../../src/kernel/stepMachine.ts';
import { orderChart, orderMachine } from '../support/charts/orderChart.ts';

const test = suite('durable restore');

const options = { maxIterations: 10 };
const createChart = (
  machine: DurableChart['machine'],
  more: Partial<DurableChart> = {},
): DurableChart => ({
  ...orderChart,
  id: 'light',
  machine,
  ...more,
});
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof KernelError && error.code === 'snapshot-unreadable'
      ? error.message
      : `another error: ${error}`;
  }
  return 'no error';
};

const released = createChart(
  createMachine({ options, initial: 'red', states: { red: { on: { go: 'green' } }, green: {} } }),
);
const oldRecord = persist(released, startMachine(released.machine, undefined).snapshot);

test('a snapshot comes back as it was', () => {
  const snapshot = startMachine(orderMachine, { id: 'a', price: 5 }).snapshot;
  const record = persist(orderChart, snapshot);
  assert.equal(
    JSON.parse(record.snapshot),
    JSON.parse(JSON.stringify(orderMachine.getPersistedSnapshot(snapshot))),
  );
  const back = restore(orderChart, 'a', record);
  assert.equal(back.value, snapshot.value);
  assert.equal(back.context, snapshot.context);
  assert.equal([...back.tags], [...snapshot.tags]);
  assert.equal(back.status, 'active');
});

test('a history state keeps its memory', () => {
  const machine = createMachine({
    options,
    initial: 'work',
    states: {
      work: {
        initial: 'one',
        states: { one: { on: { next: 'two' } }, two: {}, hist: { type: 'history' } },
        on: { rest: 'rest' },
      },
      rest: { on: { back: 'work.hist' } },
    },
  });
  const chart = createChart(machine);
  let snapshot = startMachine(machine, undefined).snapshot;
  for (const type of ['next', 'rest'])
    snapshot = stepMachine(machine, snapshot, { type })?.snapshot ?? snapshot;
  const back = restore(chart, 'a', persist(chart, snapshot));
  assert.equal(stepMachine(machine, back, { type: 'back' })?.snapshot.value, { work: 'two' });
});

test('a state that has become compound is refused, not entered silently', () => {
  const now = createChart(
    createMachine({
      options,
      initial: 'red',
      states: { red: { initial: 'bright', states: { bright: {}, dim: {} } }, green: {} },
    }),
  );
  assert.is(
    refusal(() => restore(now, 'lamp-1', oldRecord)),
    'The snapshot of lamp-1 (chart light, version 1) cannot be read by version 1: the stored state "red" would become {"red":"bright"}',
  );
});

test('a state that is gone is refused', () => {
  const now = createChart(createMachine({ options, initial: 'green', states: { green: {} } }));
  assert.match(
    refusal(() => restore(now, 'lamp-1', oldRecord)),
    /^The snapshot of lamp-1 \(chart light, version 1\) cannot be read by version 1: /,
  );
});

test('an older snapshot is migrated step by step; a newer one and a missing migration are refused', () => {
  const machine = createMachine({ options, initial: 'stop', states: { stop: {}, green: {} } });
  const migrations = {
    1: (snapshot: Record<string, unknown>) => ({ ...snapshot, value: 'halt' }),
    2: (snapshot: Record<string, unknown>) => ({
      ...snapshot,
      value: snapshot.value === 'halt' ? 'stop' : 'green',
    }),
  };
  const third = createChart(machine, { version: 3, migrations });
  assert.is(restore(third, 'a', oldRecord).value, 'stop');
  assert.match(
    refusal(() =>
      restore(
        createChart(machine, { version: 3, migrations: { 1: migrations[1] } }),
        'a',
        oldRecord,
      ),
    ),
    /there is no migration from version 2$/,
  );
  assert.match(
    refusal(() => restore(released, 'a', { ...oldRecord, version: 2 })),
    /version 2\) cannot be read by version 1: it was written by a newer release$/,
  );
  assert.match(
    refusal(() => restore(released, 'a', { ...oldRecord, snapshot: '{' })),
    /cannot be read/,
  );
});

test('a chart that could not be restored is refused before it runs', () => {
  const why = (machine: DurableChart['machine']) => {
    try {
      checkChart(createChart(machine));
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
    return 'fine';
  };
  assert.is(why(orderMachine), 'fine');
  assert.match(
    why(createMachine({ options, initial: 'a', states: { a: { after: { 5: 'b' } }, b: {} } })),
    /^Chart light, state a: after is not durable/,
  );
  assert.match(
    why(createMachine({ options, initial: 'a', states: { a: { invoke: { src: 'x' } } } })),
    /^Chart light, state a: invoke is not durable/,
  );
  assert.match(
    why(createMachine({ options, on: { go: { guard: () => true, actions: [] } } })),
    /^Chart light, state \(root\): a guard has no name/,
  );
  assert.match(why(createMachine({})), /maxIterations is not set/);
});

test('a raise is taken within the step; a delayed one is an error', () => {
  const machine = createMachine({
    options,
    initial: 'a',
    states: {
      a: {
        on: {
          soon: { actions: raise({ type: 'now' }) },
          later: { actions: raise({ type: 'now' }, { delay: 5 }) },
          now: 'b',
        },
      },
      b: {},
    },
  });
  const { snapshot } = startMachine(machine, undefined);
  const stepped = stepMachine(machine, snapshot, { type: 'soon' });
  assert.equal(stepped?.snapshot.value, 'b');
  assert.equal(stepped?.effects, []);
  assert.equal(stepped?.path, ['a', 'b']);
  assert.throws(
    () => stepMachine(machine, snapshot, { type: 'later' }),
    /xstate.raise is not allowed in a durable chart/,
  );
});

test.run();
