import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import type { ActorWrite, Batch } from '../../../src/kernel/writer.ts';

const HELD = { slot: true, waitingSince: null };
const WAITS = { slot: false, waitingSince: 5 };

function stage() {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const generation = store.durable.claim();
  const actor = (id: string, index: Partial<ActorWrite['index']>): ActorWrite => ({
    id,
    chart: 'job',
    version: 1,
    snapshot: '{}',
    seq: 1,
    frameSeq: 0,
    index: {
      label: 'x',
      kind: 'job',
      parent: null,
      slot: false,
      waitingSince: null,
      activity: 'live',
      ...index,
    },
    createdAt: 1,
    updatedAt: 1,
    since: 1,
  });
  const commit = (actors: ActorWrite[], rows: Batch['rows'] = []): void => {
    void store.durable.commit({
      generation,
      actors,
      journal: [],
      outboxPut: [],
      outboxDone: [],
      timersSet: [],
      timersDrop: [],
      inbox: [],
      mailPut: [],
      mailDone: [],
      frames: [],
      rows,
    });
  };
  const counts = () => [store.actors.slots(), store.actors.listWaiting(10).map(({ id }) => id)];
  return { store, actor, commit, counts };
}

test('slots and the line for them are counted along as actors move', () => {
  const { store, actor, commit, counts } = stage();
  const first = actor('a', {});
  commit([first, actor('b', HELD)]);
  assert.equal(counts(), [1, []]);
  const waiting = { ...actor('a', WAITS), was: first.index };
  commit([waiting]);
  assert.equal(counts(), [1, ['a']]);
  commit([{ ...actor('a', HELD), was: waiting.index }]);
  assert.equal(counts(), [2, []]);
  store.close();
});

test('a new actor is counted along', () => {
  const { store, actor, commit, counts } = stage();
  assert.equal(counts(), [0, []]);
  commit([
    { ...actor('a', HELD), was: null },
    { ...actor('b', WAITS), was: null },
  ]);
  assert.equal(counts(), [1, ['b']]);
  store.close();
});

test('what an unknown actor was before is read again', () => {
  const { store, actor, commit, counts } = stage();
  commit([actor('a', HELD)]);
  assert.equal(counts(), [1, []]);
  commit([actor('a', WAITS)]);
  assert.equal(counts(), [0, ['a']]);
  store.close();
});

test('a commit that fails counts for nothing', () => {
  const { store, actor, commit, counts } = stage();
  const first = actor('a', {});
  commit([first]);
  assert.equal(counts(), [0, []]);
  assert.throws(() =>
    commit([{ ...actor('a', HELD), was: first.index }], [{ op: 'put', table: 'none', row: {} }]),
  );
  assert.equal(counts(), [0, []]);
  store.close();
});

test.run();
