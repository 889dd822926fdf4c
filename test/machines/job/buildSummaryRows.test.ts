import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart } from '../../../machines/index.ts';
import type { ActorState, DurableEvent } from '../../../src/kernel/chart.ts';
import { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job chart: the row of its summary');

/** What a step writes there; undefined = nothing. */
function summaryAfter(job: SteppedJob, step: () => void): Record<string, unknown> | undefined {
  const before: ActorState = job.state;
  step();
  const event: DurableEvent = { type: 'test', at: job.now };
  const changes = jobChart.rows?.(before, job.state, event) ?? [];
  const change = changes.find(({ table }) => table === 'job_summaries');
  return change?.op === 'put' ? change.row : undefined;
}

test('a job that begins to wait writes what for', () => {
  const job = new SteppedJob().run();
  const row = summaryAfter(job, () => job.end());
  assert.is(JSON.parse(String(row?.parked)).kind, 'approval');
});

test('a job that continues writes nothing: its row in the list says that it waits no more', () => {
  const job = new SteppedJob().run().end();
  assert.is(
    summaryAfter(job, () => job.approve()),
    undefined,
  );
  assert.is(job.context.parked, null);
});

test.run();
