import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ActorIndex } from '../../../src/kernel/chart.ts';
import type { RowChange } from '../../../src/kernel/rowChange.ts';
import type { ActorRow, Batch } from '../../../src/kernel/writer.ts';
import { type OpenStore, openStore } from '../../../src/jobs/store/openStore.ts';

const test = suite('store rows');

const open = (): { store: OpenStore; commit(part: Partial<Batch>): void } => {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const generation = store.durable.claim();
  const none: Omit<Batch, 'generation'> = {
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
  return { store, commit: (part) => void store.durable.commit({ generation, ...none, ...part }) };
};

const insight = (id: string, text = 't') => ({
  job_id: 'j',
  id,
  at: 1,
  phase: 'p',
  category: 'c',
  text,
});
const actor = (id: string, createdAt: number, index: Partial<ActorIndex> = {}): ActorRow => ({
  id,
  chart: 'job',
  version: 1,
  snapshot: '{}',
  seq: 1,
  frameSeq: 0,
  index: {
    label: 'coding',
    kind: 'feature',
    parent: null,
    slot: false,
    waitingSince: null,
    activity: 'live',
    ...index,
  },
  createdAt,
  updatedAt: createdAt,
  since: createdAt,
});

test('put inserts or replaces the given columns, patch changes an existing row, drop removes', () => {
  const { store, commit } = open();
  const put: RowChange = { op: 'put', table: 'insights', row: insight('1') };
  commit({
    rows: [
      put,
      { op: 'put', table: 'insights', row: insight('1', 'new') },
      { op: 'put', table: 'insights', row: insight('2') },
    ],
  });
  commit({
    rows: [
      { op: 'patch', table: 'insights', key: { job_id: 'j', id: '2' }, set: { text: 'patched' } },
      {
        op: 'patch',
        table: 'insights',
        key: { job_id: 'j', id: 'missing' },
        set: { text: 'nothing' },
      },
    ],
  });
  assert.equal(store.rows.all('insights', { job_id: 'j' }), [
    insight('1', 'new'),
    insight('2', 'patched'),
  ]);
  commit({ rows: [{ op: 'drop', table: 'insights', key: { job_id: 'j', id: '1' } }] });
  assert.equal(store.rows.one('insights', { job_id: 'j', id: '1' }), undefined);
  assert.equal(store.rows.count('insights', { job_id: 'j' }), 1);
  store.close();
});

test('booleans are stored as 0 and 1, objects and lists as JSON', () => {
  const { store, commit } = open();
  commit({
    rows: [
      {
        op: 'put',
        table: 'tool_answers',
        row: { job_id: 'j', key: 'k', ok: true, result: { prs: [1, 2] } },
      },
    ],
  });
  assert.equal(store.rows.one('tool_answers', { ok: 1 }), {
    job_id: 'j',
    key: 'k',
    ok: 1,
    result: '{"prs":[1,2]}',
  });
  store.close();
});

test('unknown names and tables of the kernel are refused before they reach SQL, and with them the whole commit', () => {
  const { store, commit } = open();
  const catchCommitError = (change: RowChange) => {
    try {
      commit({ rows: [{ op: 'put', table: 'insights', row: insight('x') }, change] });
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
    return 'written';
  };
  assert.equal(
    catchCommitError({ op: 'put', table: 'actors', row: { id: 'x' } }),
    'actors is not a table of a feature',
  );
  assert.equal(
    catchCommitError({ op: 'drop', table: 'journal', key: { actor: 'x' } }),
    'journal is not a table of a feature',
  );
  assert.equal(
    catchCommitError({ op: 'put', table: 'insights; DROP TABLE actors', row: { id: 'x' } }),
    'insights; DROP TABLE actors is not a table of a feature',
  );
  assert.equal(
    catchCommitError({
      op: 'patch',
      table: 'insights',
      key: { 'id = 1 OR 1': 1 },
      set: { text: '' },
    }),
    'The table insights has no column id = 1 OR 1',
  );
  assert.equal(
    catchCommitError({ op: 'drop', table: 'insights', key: {} }),
    'The key of a change of the table insights is empty',
  );
  // @ts-expect-error no table of a feature
  assert.throws(() => store.rows.all('mail'), /mail is not a table of a feature/);
  // @ts-expect-error no column of the table
  assert.throws(() => store.rows.all('insights', {}, { order: 'at; --' }), /has no column at; --/);
  assert.is(store.rows.count('insights'), 0);
  store.close();
});

test('rows are read in order, in pages, with nulls as conditions', () => {
  const { store, commit } = open();
  const item = (n: number, pr: string | null) => ({
    job_id: 'j',
    n,
    id: `i${n}`,
    at: 9 - n,
    kind: 'message',
    author: 'a',
    text: '',
    pr_id: pr,
    url: null,
  });
  commit({
    rows: [3, 1, 2].map((n) => ({
      op: 'put',
      table: 'inbox_items',
      row: item(n, n === 2 ? 'pr' : null),
    })),
  });
  const ns = (rows: { n: number }[]) => rows.map((row) => row.n);
  assert.equal(ns(store.rows.all('inbox_items')), [1, 2, 3]);
  assert.equal(ns(store.rows.all('inbox_items', {}, { order: 'at' })), [3, 2, 1]);
  assert.equal(
    ns(
      store.rows.all(
        'inbox_items',
        {},
        { order: ['job_id', 'n'], desc: true, limit: 1, offset: 1 },
      ),
    ),
    [2],
  );
  assert.equal(ns(store.rows.all('inbox_items', { pr_id: null, url: null })), [1, 3]);
  assert.is(store.rows.count('inbox_items', { pr_id: 'pr' }), 1);
  store.close();
});

test('a list has the newest actors of a chart first, and says how many there are (HTTP-2)', () => {
  const { store, commit } = open();
  const last = actor('d', 4, { label: 'done', parent: 'a', kind: 'fix', activity: 'ended' });
  commit({
    actors: [
      actor('a', 1),
      actor('b', 2),
      actor('c', 3),
      last,
      { ...actor('e', 5), chart: 'other' },
    ],
  });
  const page = (limit: number, offset: number) => {
    const { rows, total } = store.actors.list({ chart: 'job', limit, offset });
    return [rows.map((row) => row.id).join(''), total];
  };
  assert.equal(page(10, 0), ['dcba', 4]);
  assert.equal(page(2, 1), ['cb', 4]);
  assert.equal(store.durable.actor('d'), last);
  store.close();
});

test('of an actor that is known to the store what changed is written, whatever it is', () => {
  const { store, commit } = open();
  const first = actor('a', 1);
  commit({ actors: [first] });
  const moved = {
    label: 'done',
    kind: 'fix',
    parent: 'p',
    slot: true,
    waitingSince: 7,
    activity: 'ended',
  } as const;
  commit({ actors: [{ ...first, index: moved, was: first.index }] });
  assert.equal(store.durable.actor('a')?.index, moved);
  commit({ actors: [{ ...first, seq: 9, index: { ...moved, slot: false }, was: moved }] });
  assert.equal(store.durable.actor('a')?.index, { ...moved, slot: false });
  assert.is(store.durable.actor('a')?.seq, 9);
  store.close();
});

test('slots are counted and waiting actors listed, the one that waits longest first', () => {
  const { store, commit } = open();
  commit({
    actors: [
      actor('a', 1, { slot: true }),
      actor('b', 2, { waitingSince: 50 }),
      actor('c', 3, { waitingSince: 40 }),
    ],
  });
  const [b, c] = [
    { id: 'b', since: 50 },
    { id: 'c', since: 40 },
  ];
  assert.equal(store.actors.slots(), 1);
  assert.equal(store.actors.listWaiting(10), [c, b]);
  assert.equal(store.actors.listWaiting(1), [c]);
  const granted = actor('c', 3, { slot: true });
  commit({ actors: [granted] });
  commit({ actors: [{ ...granted, seq: 2, snapshot: '{"x":1}' }] });
  assert.equal(store.actors.slots(), 2);
  assert.equal(store.actors.listWaiting(10), [b]);
  assert.equal(store.durable.actor('c')?.snapshot, '{"x":1}');
  store.close();
});

test('a commit that failed does not count as written', () => {
  const { store, commit } = open();
  const row = actor('a', 1, { slot: true });
  assert.throws(
    () => commit({ actors: [row], rows: [{ op: 'put', table: 'nothing', row: {} }] }),
    /nothing is not a table/,
  );
  commit({ actors: [row] });
  assert.is(store.actors.slots(), 1);
  store.close();
});

test('a journal event over 8 KiB is stored once, by hash, and read back whole', () => {
  const { store, commit } = open();
  const line = (seq: number, event: { type: string; text: string }) => ({
    actor: 'a',
    seq,
    at: 1,
    event,
    path: ['x'],
    effects: [],
    note: false,
  });
  const large = { type: 'large', text: 'é'.repeat(5_000) };
  commit({
    journal: [line(1, large), line(2, large), line(3, { type: 'small', text: '{"$blob":"no"}' })],
  });
  assert.equal(
    store.durable.journal('a', 0, 10).map((row) => row.event),
    [large, large, { type: 'small', text: '{"$blob":"no"}' }],
  );
  assert.equal(
    store.durable.journal('a', 1, 1).map((row) => row.seq),
    [2],
  );
  store.close();
});

test('what is pending comes oldest first', () => {
  const { store, commit } = open();
  const line = (name: string, at: number) => ({
    actor: name,
    seq: 1,
    at,
    event: { type: 'x' },
    path: [],
    effects: [],
    note: false,
  });
  const effect = (name: string, index: number) => ({
    effectId: `${name}/1/${index}`,
    actor: name,
    seq: 1,
    type: 't',
    params: { n: index },
    attempt: 1,
    startedSeq: 1,
    cleanStop: false,
  });
  const letter = (name: string, index: number) => ({
    id: `${name}/1/${index}`,
    to: 'x',
    event: { type: 'y' },
  });
  const order = [
    ['a', 10],
    ['b', 0],
    ['a', 2],
  ] as const;
  commit({
    journal: [line('a', 20), line('b', 10)],
    outboxPut: order.map(([name, index]) => effect(name, index)),
    mailPut: order.map(([name, index]) => letter(name, index)),
  });
  assert.equal(store.durable.listPendingEffects(), [
    effect('b', 0),
    effect('a', 2),
    effect('a', 10),
  ]);
  assert.equal(store.durable.listPendingMail(), [letter('b', 0), letter('a', 2), letter('a', 10)]);
  store.close();
});

test.run();
