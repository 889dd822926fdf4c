import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { JobListReader } from '../../../src/jobs/store/queries/jobListReader.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';

const test = suite('store: jobs that coordinate');

/** The migration that makes the list. */
const STEP = MIGRATIONS.findIndex((sql) => sql.includes('CREATE TABLE campaigns'));

const actor = (db: Database, id: string, coordinator: unknown, at: number) =>
  db.run(
    `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, parent, slot, waiting_since,
       activity, created_at, updated_at, since)
     VALUES (?, 'job', 2, ?, 1, 1, 0, 'coding', 'job', NULL, 0, NULL, 'live', ?, ?, ?)`,
    id,
    JSON.stringify({ context: { workflow: { coordinator } } }),
    at,
    at,
    at,
  );

test('jobs of release 0.2 whose workflow coordinates, or that have sub-runs, are found, whatever their type (CLI-3)', () => {
  const db = new Database(':memory:');
  for (const sql of MIGRATIONS.slice(0, STEP)) db.exec(sql);
  actor(db, 'plain', null, 1);
  actor(db, 'coordinates', { enabled: true }, 2);
  actor(db, 'off', { enabled: false }, 3);
  actor(db, 'went-on', null, 4);
  db.run(
    `INSERT INTO sub_runs (parent, name, n, description, params, depends_on, attempt, status)
     VALUES ('went-on', 'a', 0, 'a', '{}', '[]', 1, 'complete')`,
  );
  for (const sql of MIGRATIONS.slice(STEP)) db.exec(sql);
  const list = new JobListReader(db);
  assert.equal(list.total({ coordinates: true }), 2);
  const newest = { by: 'created', desc: true } as const;
  assert.equal(
    list.page({ coordinates: true }, newest, { limit: 10, offset: 0 }).map(({ id }) => id),
    ['went-on', 'coordinates'],
  );
  db.close();
});

test.run();
