import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type {
  IntrinsicParams,
  RowChange,
  Submission,
} from '../../../src/contract/records/changes.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';

const test = suite('records: reads and writes infer from the tables');

// Each `@ts-expect-error` is a fact that the compiler proves: without an error on the next line,
// the check of the types fails.

type Put = IntrinsicParams['row.put'];

const PUT: RowChange = { op: 'put', table: 'campaigns', row: { job_id: 'job-1' } };
const KEY = { job_id: 'job-1', n: 1 };
const MESSAGE = { ...KEY, id: 'm', at: 1, kind: 'message', author: 'ann', text: 'hello' } as const;

test('a row is read with the types of its columns, without naming them', () => {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  void store.durable.commit({ ...EMPTY, generation: store.durable.claim(), rows: [PUT] });
  const [row] = store.rows.all('campaigns', { job_id: 'job-1' });
  const jobId: string | undefined = row?.job_id;
  // @ts-expect-error text is not a number
  const wrong: number | undefined = row?.job_id;
  assert.equal(jobId, 'job-1');
  assert.equal(wrong, 'job-1');
  store.close();
});

test('a table that does not exist cannot be read', () => {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  // @ts-expect-error there is no such table
  assert.throws(() => store.rows.all('campaign'), /campaign is not a table/);
  store.close();
});

test('a column that the table does not have can be no condition and no order', () => {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  // @ts-expect-error there is no such column
  assert.throws(() => store.rows.all('campaigns', { job: 'job-1' }), /has no column job/);
  // @ts-expect-error there is no such column
  assert.throws(() => store.rows.all('campaigns', {}, { order: 'job' }), /has no column job/);
  store.close();
});

test('what a chart or the runner writes is checked in the same way', () => {
  const accepted: Put = { table: 'inbox_items', row: MESSAGE };
  const refused: unknown[] = [
    // @ts-expect-error the column is not of this table
    { table: 'inbox_items', row: { ...MESSAGE, reference: 'SHOP-1' } } satisfies Put,
    // @ts-expect-error the table does not exist
    { table: 'inbox_item', row: MESSAGE } satisfies Put,
    // @ts-expect-error another table has this kind of value
    { table: 'inbox_items', row: { ...MESSAGE, kind: 'note' } } satisfies Put,
    // @ts-expect-error the author may not be left out
    { table: 'inbox_items', row: { ...MESSAGE, author: undefined } } satisfies Put,
    {
      // @ts-expect-error a change of rows by a submission
      rows: [{ op: 'drop', table: 'inbox_items', key: { reference: 'SHOP-1' } }],
    } satisfies Submission,
    // @ts-expect-error a patch with a wrong type
    { op: 'patch', table: 'inbox_items', key: KEY, set: { at: 'now' } } satisfies RowChange,
  ];
  assert.is(accepted.table, 'inbox_items');
  assert.is(refused.length, 6);
});

test('only columns that may be null can be left out of a row', () => {
  const row: Extract<RowChange<'inbox_items'>, { op: 'put' }>['row'] = MESSAGE;
  const read: Partial<Tables['inbox_items']> = row;
  assert.is(read.pr_id, undefined);
});

const EMPTY = {
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
};

test.run();
