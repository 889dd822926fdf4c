import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LoginRow } from '../../../src/api/server/login/logins.ts';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { openLoginTable } from '../../../src/host/start/openLoginTable.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('logins while the control plane is away');

const createRow = (cookie_hash: string, used_at = 1): LoginRow => ({
  cookie_hash,
  page_key_hash: 'k',
  created_at: 1,
  used_at,
});
const put = (row: LoginRow) => ({ op: 'put' as const, table: 'logins' as const, row });

const openTable = () => {
  const clock = new SimulatedClock();
  const rows: LoginRow[] = [createRow('old')];
  const writes = createDeferred<void>();
  const table = openLoginTable({
    all: () => rows,
    write: () => writes.promise,
    clock,
    awaySince: () => 1,
  });
  return { clock, writes, table, hashes: () => table.all().map((row) => row.cookie_hash) };
};

test('a login counts before it is kept', async () => {
  const { clock, table, hashes } = openTable();
  const written = table.write([put(createRow('new'))]);
  assert.equal(hashes(), ['old', 'new']);
  clock.advance(1_000);
  await written;
  assert.equal(hashes(), ['old', 'new']);
});

test('so do its end, and its last use', () => {
  const { table, hashes } = openTable();
  void table.write([
    { op: 'patch', table: 'logins', key: { cookie_hash: 'old' }, set: { used_at: 9 } },
  ]);
  assert.equal(table.all(), [createRow('old', 9)]);
  void table.write([{ op: 'drop', table: 'logins', key: { cookie_hash: 'old' } }]);
  assert.equal(hashes(), []);
});

test('one that is refused no longer counts', async () => {
  const { writes, table, hashes } = openTable();
  const written = table.write([put(createRow('new'))]);
  writes.reject(new Error('refused'));
  await written.catch(() => {});
  assert.equal(hashes(), ['old']);
});

test.run();
