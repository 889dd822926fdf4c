import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Billing, UsageReport } from '../../../src/contract/session/usageReport.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import type { RowChange } from '../../../src/contract/records/changes.ts';
import { createLedger } from '../../../src/policy/usage/ledger.ts';
import type { UsagePlace } from '../../../src/policy/usage/usagePlace.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('usage: ledger of a session');

const PLACE: UsagePlace = {
  subject: 'job-1',
  root: 'job-1',
  visit: 1,
  session: 1,
  phase: 'coding',
  workflow: 'workflows/job.md',
  repository: null,
  provider: 'builtin',
};
const BILLING: Billing = { endpoint: null, vendor: null, paidBy: 'key', model: 'own-model' };

const report = (inputTokens: number, more: Partial<UsageReport> = {}): UsageReport => ({
  type: 'usage',
  usage: { inputTokens, outputTokens: 1, cachedInputTokens: 0 },
  ...more,
});

/** A store that outlives its runners; `write` is what a runner commits with. */
async function openStage() {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const clock = new SimulatedClock();
  const kernel = createKernel({ screen: null, store: store.durable, charts: [], ports: {}, clock });
  await kernel.start();
  const commit = async (rows: RowChange[]): Promise<void> => void (await kernel.submit({ rows }));
  return {
    clock,
    commit,
    rows: store.rows,
    calls: () => store.rows.all('usage_calls'),
    /** A run of the session; a second one is that of another process. */
    run: (writeRows = commit) =>
      createLedger({
        rows: store.rows,
        writeRows,
        now: () => clock.now(),
        settings: { budgets: { prices: [{ model: 'own-model', input: 1, output: 1 }] } },
        screen: (text) => text.replaceAll('hunter2', '[secret]'),
      }).open(PLACE, BILLING),
  };
}

test('a call is in the store when its promise resolves', async () => {
  const { run, calls } = await openStage();
  await run().take(report(10));
  assert.is(calls().length, 1);
});

test('calls that are reported together are numbered in their order', async () => {
  const { run, calls } = await openStage();
  const recorder = run();
  await Promise.all([recorder.take(report(10)), recorder.take(report(20))]);
  assert.equal(
    calls().map(({ seq, input_tokens }) => [seq, input_tokens]),
    [
      [1, 10],
      [2, 20],
    ],
  );
});

test('a runner that dies between the commit and its answer has written the call once', async () => {
  const { run, commit, calls } = await openStage();
  await new Promise<void>((died) => {
    const dying = run(async (rows) => {
      await commit(rows);
      died();
      await new Promise(() => {});
    });
    void dying.take(report(10));
  });
  await run().take(report(20));
  assert.equal(
    calls().map(({ seq, input_tokens }) => [seq, input_tokens]),
    [
      [1, 10],
      [2, 20],
    ],
  );
});

test('a call that could not be written is reported as lost, and uses up no number', async () => {
  const { run, commit, calls } = await openStage();
  let fails = true;
  const recorder = run((rows) => (fails ? Promise.reject(new Error('disk full')) : commit(rows)));
  const lost = await recorder.take(report(10)).then(
    () => null,
    (error: unknown) => error,
  );
  fails = false;
  await recorder.take(report(20));
  assert.instance(lost, Error);
  assert.equal(
    calls().map(({ seq }) => seq),
    [1],
  );
});

test('a call has the model that its endpoint names, and else that of the session', async () => {
  const { run, calls } = await openStage();
  const recorder = run();
  await recorder.take(report(10, { model: 'other-model' }));
  await recorder.take(report(10));
  assert.equal(
    calls().map(({ model, micro_usd }) => [model, micro_usd]),
    [
      ['other-model', null],
      ['own-model', 11],
    ],
  );
});

test('the name of a model is kept without secrets, and cut', async () => {
  const { run, calls } = await openStage();
  await run().take(report(10, { model: `hunter2${'x'.repeat(500)}` }));
  const model = calls()[0]?.model ?? '';
  assert.ok(model.startsWith('[secret]'));
  assert.is(model.length, 200);
});

test('an estimate is marked as one, and is no report of the endpoint', async () => {
  const { run, calls } = await openStage();
  const recorder = run();
  await recorder.take(report(10, { source: 'estimated' }));
  assert.is(calls()[0]?.source, 'estimated');
  assert.is(recorder.whole(), null);
});

test('what the sum of a session has beyond its calls is a row of its end', async () => {
  const { run, commit, calls } = await openStage();
  const recorder = run();
  await recorder.take(report(10));
  const usage = { inputTokens: 25, outputTokens: 4, cachedInputTokens: 0 };
  await commit(recorder.endRows({ usage, hasAnswered: true }));
  assert.equal(
    calls().map(({ input_tokens, output_tokens }) => [input_tokens, output_tokens]),
    [
      [10, 1],
      [15, 3],
    ],
  );
});

test('a sum that its calls add up to leaves no row', async () => {
  const { run, commit, calls } = await openStage();
  const recorder = run();
  await recorder.take(report(10));
  await commit(recorder.endRows({ usage: report(10).usage, hasAnswered: true }));
  assert.is(calls().length, 1);
});

test('a session that reports nothing leaves one row, whose cost is not known', async () => {
  const { run, commit, calls } = await openStage();
  await commit(run().endRows({ usage: null, hasAnswered: true }));
  const [call] = calls();
  assert.is(call?.source, 'none');
  assert.is(call?.micro_usd, null);
});

test('an agent that was never answered by a model leaves no row', async () => {
  const { run } = await openStage();
  assert.equal(run().endRows({ usage: null, hasAnswered: false }), []);
});

test('a run that reports nothing after one that did leaves no row', async () => {
  const { run, commit, calls } = await openStage();
  await run().take(report(10));
  await commit(run().endRows({ usage: null, hasAnswered: true }));
  assert.is(calls().length, 1);
});

test('the sum of a session includes the runs that a crash cut off', async () => {
  const { run } = await openStage();
  await run().take(report(10));
  const second = run();
  await second.take(report(20));
  assert.is(second.whole()?.inputTokens, 30);
});

test('the time of a session is that of its rows, to its end', async () => {
  const { run, commit, rows, clock } = await openStage();
  const recorder = run();
  clock.advance(1_000);
  await recorder.take(report(10));
  clock.advance(500);
  await recorder.take(report(10));
  clock.advance(250);
  await commit(recorder.endRows({ usage: null, hasAnswered: true }));
  assert.equal(
    rows.all('usage_calls').map(({ ms }) => ms),
    [1_000, 750],
  );
  assert.is(rows.one('usage_sums', { scope: 'job', key: 'job-1', window: '' })?.ms, 1_750);
});

test.run();
