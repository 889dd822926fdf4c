import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS, STORE_VERSION } from '../../../src/jobs/store/migrations/migrations.ts';

const test = suite('migrations with snapshots that are no JSON');

/** Adds the actor of a job with this snapshot, whatever columns the table has in this version. */
function addJob(db: Database, snapshot: string): void {
  const columns = db
    .all('PRAGMA table_info(actors)')
    .filter(({ notnull, dflt_value: value }) => notnull === 1 && value === null);
  const known: Record<string, string> = { id: 'job-1', chart: 'job', activity: 'live', snapshot };
  db.run(
    `INSERT INTO actors (${columns.map(({ name }) => String(name)).join(', ')})
      VALUES (${columns.map(() => '?').join(', ')})`,
    ...columns.map(({ name, type }) => known[String(name)] ?? (type === 'INTEGER' ? 1 : 'x')),
  );
}

for (const version of MIGRATIONS.keys()) {
  test(`a store of version ${version} is brought up to date, without actors and with a broken one`, () => {
    for (const snapshot of [null, '{"cut', '']) {
      const db = new Database(':memory:');
      migrate(db, MIGRATIONS.slice(0, version));
      if (version > 0 && snapshot !== null) addJob(db, snapshot);
      migrate(db, MIGRATIONS);
      assert.equal(db.get('PRAGMA user_version')?.user_version, STORE_VERSION);
      const snapshots = db.all('SELECT snapshot FROM actors').map((row) => row.snapshot);
      assert.equal(snapshots, version > 0 && snapshot !== null ? [snapshot] : []);
      db.close();
    }
  });
}

test('a store whose tables are none of svc is migrated too', () => {
  const things = 'CREATE TABLE things (id TEXT PRIMARY KEY) STRICT';
  const db = new Database(':memory:');
  migrate(db, [things]);
  migrate(db, [things, 'ALTER TABLE things ADD COLUMN colour TEXT']);
  assert.equal(db.get('PRAGMA user_version')?.user_version, 2);
  db.close();
});

test.run();
