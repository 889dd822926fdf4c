import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DURABLE_CHARTS } from '../../../src/base/jobs/durableCharts.ts';
import { CHARTS } from '../../../src/host/runner/charts.ts';
import { inspectActor } from '../../../src/host/runner/inspectActor.ts';

const test = suite('runner: the charts whose actors it keeps');

test('every chart is known to the check of stored rows', () => {
  assert.equal(CHARTS.map(({ id }) => id).sort(), [...DURABLE_CHARTS].sort());
});

const inspect = (value: unknown) => {
  const snapshot = JSON.stringify({ status: 'active', value, context: {}, children: {} });
  const chart = CHARTS.find(({ id }) => id === 'job');
  return inspectActor('job-1', { chart: 'job', version: chart?.version ?? 0, snapshot });
};

test('a state that the chart does not have is a problem of the snapshot', () => {
  const inspection = inspect({ parked: 'unheard-of' });
  assert.match(
    'problem' in inspection ? inspection.problem : '',
    /^cannot be restored: .*unheard-of/s,
  );
});

test.run();
