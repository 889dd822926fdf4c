import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readEnvironment } from '../../../src/host/config/home/env.ts';
import type { Port } from '../../../src/kernel/port.ts';
import type { Batch, DurableStore } from '../../../src/kernel/writer.ts';
import { createFaultPoints } from '../../../src/host/runner/faultPoints.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { WRITER } from '../../support/writer.ts';

const test = suite('runner: fault points');

const dir = mkdtempSync(join(tmpdir(), 'svc-faults-'));
test.after(() => rmSync(dir, { recursive: true, force: true }));

const EMPTY: Batch = {
  generation: 1,
  actors: [],
  journal: [],
  outboxPut: [],
  outboxDone: [],
  timersSet: [],
  timersDrop: [],
  inbox: [],
  mailPut: [],
  mailDone: [],
  frames: [],
  rows: [],
};
const request = { key: 'k', body_hash: '', job_id: '', reply: '', at: 0 };
const withRow: Batch = { ...EMPTY, rows: [{ op: 'put', table: 'requests', row: request }] };
const withEvent: Batch = {
  ...withRow,
  journal: [
    { actor: 'a', seq: 1, at: 0, event: { type: 'job.pause' }, path: [], effects: [], note: false },
  ],
};

/** A store with points around its commits; dying is noted instead of done. */
const setUp = (dieAt: string | null) => {
  const store: DurableStore = openStore({ file: ':memory:', pid: 1, now: 0 }).durable;
  store.claim();
  const countFile = join(mkdtempSync(join(dir, 'count-')), 'points');
  const deaths: { rows: number }[] = [];
  const points = createFaultPoints({ dieAt, countFile }, () =>
    deaths.push({ rows: store.journal('a', 0, 10).length }),
  );
  points.wrapCommits(store);
  return {
    store,
    points,
    deaths,
    lines: () => readFileSync(countFile, 'utf8').trimEnd().split('\n'),
  };
};

test('a point is named by what is committed or done, and numbered by itself and among all', async () => {
  const { store, points, lines } = setUp(null);
  await store.commit(withRow);
  await store.commit(withEvent);
  const { act } = points.wrapPorts<{ act: Port }>({ act: async () => ({ frames: [] }) });
  const run = {
    effectId: 'a/1/0',
    actorId: 'a',
    attempt: 1,
    recovered: false,
    signal: new AbortController().signal,
  };
  assert.equal(await act(undefined as never, run), { frames: [] });
  await store.commit(EMPTY);
  assert.equal(lines(), [
    '1 commit:requests:before#1',
    '2 commit:requests:after#1',
    '3 commit:job.pause:before#1',
    '4 commit:job.pause:after#1',
    '5 effect:act:before#1',
    '6 effect:act:after#1',
    '7 commit:outbox:before#1',
    '8 commit:outbox:after#1',
  ]);
});

test('a commit that is handed to the thread has a point on each side of that', async () => {
  const countFile = join(mkdtempSync(join(dir, 'count-')), 'points');
  const points = createFaultPoints({ dieAt: null, countFile }, () => undefined);
  const file = join(mkdtempSync(join(dir, 'state-')), 'state.db');
  const store = openStore({
    file,
    pid: 1,
    now: 0,
    commits: { place: 'thread', onHandOver: points.passHandOver },
    thread: WRITER,
  });
  points.wrapCommits(store.durable);
  store.durable.claim();
  await store.durable.commit(withEvent);
  store.close();
  assert.equal(readFileSync(countFile, 'utf8').trimEnd().split('\n'), [
    '1 commit:job.pause:before#1',
    '2 commit:job.pause:handing#1',
    '3 commit:job.pause:handed#1',
    '4 commit:job.pause:after#1',
  ]);
});

test('SVC_COMMITS says where commits wait, and nothing else', async () => {
  assert.is(readEnvironment({}).commits, 'auto');
  assert.is(readEnvironment({ SVC_COMMITS: 'thread' }).commits, 'thread');
  const refusal = await catchRefusal(async () => readEnvironment({ SVC_COMMITS: 'async' }));
  assert.is(
    refusal.message,
    'The environment variable SVC_COMMITS is "async", but must be one of auto, inline, thread. Unset it for the default, auto.',
  );
});

test('it dies once at the point that was asked for: by name before the commit is written, by number after it', async () => {
  const byName = setUp('commit:job.pause:before#1');
  await byName.store.commit(withRow);
  await byName.store.commit(withEvent);
  assert.equal(byName.deaths, [{ rows: 0 }]);
  const numbered = setUp('2');
  await numbered.store.commit(withEvent);
  assert.equal(numbered.deaths, [{ rows: 1 }]);
  assert.equal(numbered.lines().at(-1), '2 commit:job.pause:after#1');
});

test('the environment asks for them; without it none exist, and nonsense is refused', async () => {
  assert.is(readEnvironment({ SVC_FAULT_POINT: '', SVC_FAULT_COUNT: '' }).faults, null);
  assert.equal(readEnvironment({ SVC_FAULT_POINT: '17' }).faults, { dieAt: '17', countFile: null });
  assert.equal(readEnvironment({ SVC_FAULT_COUNT: '/tmp/points' }).faults, {
    dieAt: null,
    countFile: '/tmp/points',
  });
  const point = 'effect:session.open:before#2';
  assert.is(readEnvironment({ SVC_FAULT_POINT: point }).faults?.dieAt, point);
  const refusal = await catchRefusal(async () => readEnvironment({ SVC_FAULT_POINT: 'somewhere' }));
  assert.is(refusal.code, 'bad-argument');
  assert.match(refusal.message, 'SVC_FAULT_POINT is "somewhere"');
});

test.run();
