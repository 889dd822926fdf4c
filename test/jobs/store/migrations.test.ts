import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { MIGRATIONS_OF_0_2 } from '../../../src/jobs/store/migrations/release02.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';

const test = suite('the migrations of state.db');

const HOME = join(import.meta.dirname, '..', '..', 'fixtures', 'homes', '0.2', 'state.sql');

const listSchema = (db: Database) =>
  db.all('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name');

test('those of 0.2 are as they were released', () => {
  const hash = createHash('sha256').update(JSON.stringify(MIGRATIONS_OF_0_2)).digest('hex');
  assert.is(hash, '71108f4a5dbae2dbf32e7f392aa54e16f3841ae075913d5aa2f75e582bd2b99b');
});

test('a home of 0.2 ends with the schema of a new one', () => {
  const [fresh, home] = [new Database(':memory:'), new Database(':memory:')];
  migrate(fresh, MIGRATIONS);
  migrate(home, MIGRATIONS_OF_0_2);
  home.exec(readFileSync(HOME, 'utf8'));
  migrate(home, MIGRATIONS);
  assert.equal(listSchema(home), listSchema(fresh));
  fresh.close();
  home.close();
});

test.run();
