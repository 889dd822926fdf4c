import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PostOutcome } from '../../../src/host/traces/postSpans.ts';
import { MOST_SPANS } from '../../../src/host/traces/traceExporter.ts';
import { openTraceStage, type StageState, WHOLE_JOB } from './traceStage.ts';

const test = suite('host/traces: delivery');

const UNREACHABLE: PostOutcome = { is: 'failed', problem: 'answered 503', retryAfterMs: null };
const NAMES = [
  'invoke_workflow workflows/job.md',
  'phase work',
  'wait slot',
  'wait approval',
  'invoke_agent work',
];

test('the spans of a job are sent five seconds after its commits, in one request', async () => {
  const stage = await openTraceStage();
  stage.open().start();
  await stage.pass(0);
  stage.addJob('a');
  stage.commit('a', WHOLE_JOB);
  await stage.pass(4_999);
  assert.is(stage.requests.length, 0);
  await stage.pass(1);
  assert.equal(
    stage.spans().map(({ name }) => name),
    NAMES,
  );
});

test('what has not ended is sent when it ends', async () => {
  const stage = await openTraceStage();
  stage.open().start();
  stage.addJob('a');
  stage.commit('a', WHOLE_JOB.slice(0, 4));
  await stage.pass(5_000);
  stage.commit('a', WHOLE_JOB.slice(4));
  await stage.pass(5_000);
  assert.equal(
    stage.requests.map(({ body }) => (body.match(/"name":"(?=wait|phase|invoke)/g) ?? []).length),
    [2, 3],
  );
  assert.equal(
    stage
      .spans()
      .map(({ name }) => name)
      .sort(),
    [...NAMES].sort(),
  );
});

test('a span has the same id whenever it is sent', async () => {
  const ids = async () => {
    const stage = await openTraceStage();
    stage.addJob('a');
    stage.commit('a', WHOLE_JOB);
    stage.open().start();
    await stage.pass(0);
    return stage.spans().map(({ traceId, spanId }) => [traceId, spanId]);
  };
  assert.equal(await ids(), await ids());
});

test('after a restart only what was not taken is sent', async () => {
  const stage = await openTraceStage();
  stage.addJob('a');
  stage.commit('a', WHOLE_JOB.slice(0, 4));
  const first = stage.open();
  first.start();
  await stage.pass(0);
  stage.requests.length = 0;
  await first.stop(0);
  stage.commit('a', WHOLE_JOB.slice(4));
  stage.open().start();
  await stage.pass(0);
  assert.equal(
    stage.spans().map(({ name }) => name),
    ['invoke_workflow workflows/job.md', 'phase work', 'wait approval'],
  );
});

test('a collector that fails is tried again after 5, 10 and 20 seconds, then gets all', async () => {
  const stage = await openTraceStage();
  stage.answers.push(UNREACHABLE, UNREACHABLE, UNREACHABLE);
  stage.addJob('a');
  stage.commit('a', WHOLE_JOB);
  stage.open().start();
  await stage.pass(0);
  for (const [ms, count] of [
    [4_999, 1],
    [1, 2],
    [9_999, 2],
    [1, 3],
    [19_999, 3],
    [1, 4],
  ] as const) {
    await stage.pass(ms);
    assert.is(stage.requests.length, count);
  }
  assert.is(new Set(stage.requests.map(({ body }) => body)).size, 1);
  assert.equal(stage.warnings, [{ problem: 'answered 503' }]);
});

test('Retry-After is waited for', async () => {
  const stage = await openTraceStage();
  stage.answers.push({ is: 'failed', problem: 'answered 429', retryAfterMs: 90_000 });
  stage.addJob('a');
  stage.commit('a', WHOLE_JOB);
  stage.open().start();
  await stage.pass(0);
  await stage.pass(89_999);
  assert.is(stage.requests.length, 1);
  await stage.pass(1);
  assert.is(stage.requests.length, 2);
});

test('a wait that a collector asks for ends after an hour', async () => {
  const stage = await openTraceStage();
  stage.answers.push({ is: 'failed', problem: 'answered 429', retryAfterMs: 1e12 });
  stage.addJob('a');
  stage.commit('a', WHOLE_JOB);
  stage.open().start();
  await stage.pass(0);
  await stage.pass(3_600_000);
  assert.is(stage.requests.length, 2);
});

test('a change of the settings ends the wait', async () => {
  const stage = await openTraceStage();
  stage.answers.push(UNREACHABLE);
  stage.addJob('a');
  stage.commit('a', WHOLE_JOB);
  const exporter = stage.open();
  exporter.start();
  await stage.pass(0);
  exporter.settingsChanged();
  await stage.pass(0);
  assert.is(stage.requests.length, 2);
});

test('spans that a collector refuses for good are not sent again', async () => {
  const stage = await openTraceStage();
  stage.answers.push({ is: 'dropped', problem: 'answered 400' });
  stage.addJob('a');
  stage.commit('a', WHOLE_JOB);
  stage.open().start();
  await stage.pass(3_600_000);
  assert.is(stage.requests.length, 1);
  assert.equal(stage.warnings, [{ problem: 'answered 400', spans: 5 }]);
});

test('spans that a collector has left out are reported, and not sent again', async () => {
  const stage = await openTraceStage();
  stage.answers.push({ is: 'accepted', rejected: 2, message: 'too old' });
  stage.addJob('a');
  stage.commit('a', WHOLE_JOB);
  stage.open().start();
  await stage.pass(3_600_000);
  assert.is(stage.requests.length, 1);
  assert.equal(stage.warnings, [{ rejected: 2, spans: 5, message: 'too old' }]);
});

test('commits are taken while a request is not answered', async () => {
  const stage = await openTraceStage();
  let answer: (outcome: PostOutcome) => void = () => {};
  stage.answers.push(new Promise<PostOutcome>((resolve) => (answer = resolve)));
  stage.addJob('a');
  stage.addJob('b');
  stage.commit('a', WHOLE_JOB);
  stage.open().start();
  await stage.pass(0);
  stage.commit('b', WHOLE_JOB);
  await stage.pass(60_000);
  assert.is(stage.requests.length, 1);
  answer({ is: 'accepted', rejected: 0, message: '' });
  await stage.pass(5_000);
  assert.is(stage.spans().length, 2 * NAMES.length);
});

test('a start sends the jobs of the last three days, and no older ones', async () => {
  const stage = await openTraceStage();
  for (const [jobId, daysAgo] of [
    ['new', 2.9],
    ['old', 3.1],
  ] as const) {
    stage.addJob(jobId, { daysAgo });
    stage.commit(jobId, WHOLE_JOB);
  }
  stage.open().start();
  await stage.pass(0);
  const roots = stage.spans().filter(({ parentSpanId }) => parentSpanId === undefined);
  assert.equal(
    roots.map(({ attributes }) => attributes['svc.job.id']),
    ['new'],
  );
});

test(`a request has at most ${MOST_SPANS} spans`, async () => {
  const stage = await openTraceStage();
  const waits = Array.from({ length: 2 * MOST_SPANS }, (_, index): StageState[] => [
    { at: 1_000 + 2 * index, visit: 1, state: 'parked.event', parked: 'event' },
    { at: 1_001 + 2 * index, visit: 1, state: 'working.preparing' },
  ]);
  stage.addJob('a');
  stage.commit('a', [...WHOLE_JOB.slice(0, 3), ...waits.flat()]);
  stage.open().start();
  await stage.pass(0);
  const counts = stage.requests.map(({ body }) => (body.match(/"spanId"/g) ?? []).length);
  assert.equal(counts, [MOST_SPANS, MOST_SPANS, 2]);
});

test('a job whose rows cannot be read does not hold up another', async () => {
  const stage = await openTraceStage();
  for (const jobId of ['a', 'b']) {
    stage.addJob(jobId);
    stage.commit(jobId, WHOLE_JOB);
  }
  stage.store.db.run("UPDATE job_list SET state = 'nonsense' WHERE job_id = 'a'");
  stage.open().start();
  stage.commit('a', []);
  await stage.pass(5_000);
  assert.is(stage.spans().length, NAMES.length);
});

test('the trace of a sub-run names that of its parent', async () => {
  const stage = await openTraceStage();
  stage.addJob('a');
  stage.addJob('b', { parent: 'a' });
  stage.commit('a', WHOLE_JOB);
  stage.commit('b', WHOLE_JOB);
  stage.open().start();
  await stage.pass(0);
  const roots = stage.spans().filter(({ parentSpanId }) => parentSpanId === undefined);
  const [parent, child] = ['a', 'b'].map((id) =>
    roots.find(({ attributes }) => attributes['svc.job.id'] === id),
  );
  assert.equal(
    child?.links?.map(({ traceId, spanId }) => [traceId, spanId]),
    [[parent?.traceId, parent?.spanId]],
  );
});

test('headers of the variable are added, and are secrets', async () => {
  const stage = await openTraceStage();
  stage.settings.headersVariable = 'LOGIN';
  stage.settings.headers = { 'x-a': 'a', 'x-b': 'b' };
  const secrets: string[] = [];
  stage.addJob('a');
  stage.commit('a', WHOLE_JOB);
  stage
    .open({ env: { LOGIN: 'x-b=from%20there' }, addSecrets: (some) => void secrets.push(...some) })
    .start();
  await stage.pass(0);
  assert.equal(stage.requests[0]?.headers, { 'x-a': 'a', 'x-b': 'from there' });
  assert.equal(secrets, ['from there']);
});

test.run();
