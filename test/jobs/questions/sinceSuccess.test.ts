import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSinceSuccess } from '../../../src/jobs/questions/sinceSuccess.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { Kernel, RowChange } from '../../../src/contract/records/changes.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { memoryStore } from '../../support/memoryStore.ts';

const test = suite('what changed in a job since a phase succeeded');

type VisitRow = Tables['phase_visits'];

/** Visit `n` lasts from `n` × 100 to `n` × 100 + 50. */
const visit = (n: number, phase: string, more: Partial<VisitRow> = {}): RowChange => ({
  op: 'put',
  table: 'phase_visits',
  row: {
    job_id: 'j',
    visit: n,
    phase,
    status: phase,
    started_at: n * 100,
    ended_at: n * 100 + 50,
    sessions: 1,
    overlay_hash: 'one',
    outcome: 'advanced',
    approved_by: null,
    approved_person: null,
    ...more,
  },
});
const message = (n: number, at: number): RowChange => ({
  op: 'put',
  table: 'inbox_items',
  row: {
    job_id: 'j',
    n,
    id: `m${n}`,
    at,
    kind: 'message',
    author: 'developer',
    text: 'x',
    pr_id: null,
    url: null,
    superseded_by: null,
    acknowledged_at: null,
    held: null,
    override: null,
  },
});
const FAILED = { outcome: 'failed' };

async function readSince(...rows: RowChange[]) {
  const store = memoryStore();
  const deps = { screen: null, charts: [], ports: {}, clock: new SimulatedClock() };
  const kernel: Kernel = createKernel({ ...deps, store: store.durable });
  await kernel.start();
  await kernel.submit({ rows });
  const job = () => ({ createdAt: '1970-01-01T00:00:00.007Z', params: {} });
  return createSinceSuccess({ rows: store.rows, job }).sinceSuccess('j');
}

test('the last phase that succeeded, and what began and came since then (UI-1)', async () => {
  const since = await readSince(
    visit(1, 'planning', { outcome: 'approval' }),
    visit(2, 'coding', FAILED),
    visit(3, 'coding', FAILED),
    message(1, 120),
    message(2, 210),
  );
  assert.equal(since, {
    phase: 'planning',
    at: '1970-01-01T00:00:00.150Z',
    visits: 2,
    overlay: false,
    messages: 1,
    files: null,
  });
});

test('no phase has succeeded: since the job was created', async () => {
  const since = await readSince(visit(1, 'coding', FAILED));
  assert.equal([since.phase, since.at, since.visits], [null, '1970-01-01T00:00:00.007Z', 1]);
});

test('other instructions than the success ran with are a change; unknown ones are not', async () => {
  const first = visit(1, 'planning');
  const ran = (overlay_hash: string | null) =>
    readSince(first, visit(2, 'coding', { ...FAILED, overlay_hash }));
  assert.equal(
    [(await ran('two')).overlay, (await ran('one')).overlay, (await ran(null)).overlay],
    [true, false, false],
  );
});

test.run();
