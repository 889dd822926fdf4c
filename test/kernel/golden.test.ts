import { readdirSync, readFileSync } from 'node:fs';
import type { StateValue } from 'xstate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DurableChart, DurableEvent } from '../../src/kernel/chart.ts';
import { restore } from '../../src/kernel/restore.ts';
import { stepMachine } from '../../src/kernel/stepMachine.ts';
import { orderChart } from '../support/charts/orderChart.ts';

/**
 * Snapshots written by released versions of the charts, `<chart>.v<version>.json`. A file is never
 * edited: a store somewhere has the same content.
 */
interface Golden {
  chart: string;
  version: number;
  snapshot: Record<string, unknown>;
  state: { value: StateValue; tags: string[]; status: string };
  /** What the next event must lead to; null = it is refused. */
  then: { event: DurableEvent; value: StateValue | null };
}

const folder = new URL('../fixtures/snapshots/', import.meta.url);
const charts: Record<string, DurableChart> = { order: orderChart };
const files = readdirSync(folder).filter((name) => charts[name.split('.')[0] ?? '']);

const test = suite('golden snapshots');

for (const file of files) {
  const goldens = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Golden[];
  for (const { chart: id, version, snapshot, state, then } of goldens) {
    test(`${id} version ${version} in ${JSON.stringify(state.value)} is restored by today's code and continues`, () => {
      const chart = charts[id];
      assert.ok(chart);
      const today = restore(chart, 'golden', {
        chart: id,
        version,
        snapshot: JSON.stringify(snapshot),
      });
      assert.equal({ value: today.value, tags: [...today.tags], status: today.status }, state);
      assert.equal(
        stepMachine(chart.machine, today, then.event)?.snapshot.value ?? null,
        then.value,
      );
    });
  }
}

test('there are snapshots of every chart', () => {
  assert.equal(
    [...new Set(files.map((name) => name.split('.')[0]))].sort(),
    Object.keys(charts).sort(),
  );
});

test.run();
