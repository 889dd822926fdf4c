import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import {
  buildJobCondition,
  buildCountSource,
  type JobListFilter,
} from '../../../src/jobs/store/queries/jobListFilter.ts';
import { JobListReader } from '../../../src/jobs/store/queries/jobListReader.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { listQueryPlans } from '../../support/askedStatements.ts';

const test = suite('store: jobs that are alike are counted');

const COLUMNS = 'job_id, parent, kind, status, state, ask, since, dismissed_at, repo, workflow';
const put = (db: Database, id: string, more: Record<string, string | number | null> = {}) => {
  const row = {
    job_id: id,
    parent: null,
    kind: 'job',
    status: 'coding',
    state: 'working',
    ask: null,
    since: 1,
    dismissed_at: null,
    repo: 'shop',
    workflow: 'w.md',
    ...more,
  };
  db.run(
    `INSERT INTO job_list (${COLUMNS}, phase, title, created_at, text) VALUES (${'?, '.repeat(10)} 'p', 't', 1, '')`,
    ...Object.values(row),
  );
};

/** Groups as they are kept, and as they are when the list is counted. */
function groups(db: Database) {
  const all = (sql: string) => db.all(sql).map((row) => Object.values(row).join(' '));
  return {
    kept: all('SELECT * FROM job_groups ORDER BY 1, 2, 3, 4, 5, 6, 7, 8'),
    counted:
      all(`SELECT state, coalesce(ask, ''), dismissed_at IS NOT NULL, parent IS NOT NULL, kind, coalesce(repo, ''),
        workflow, iif(instr(status, ':') = 0, status, substr(status, 1, instr(status, ':') - 1)), count(*)
      FROM job_list GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8`),
  };
}

function openDatabase(): Database {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  return db;
}

test('the counts follow every change of the list, and a group without jobs is gone (JOB-9)', () => {
  const db = openDatabase();
  put(db, 'a');
  put(db, 'b', { status: 'coding:part-1' });
  put(db, 'c', { repo: null, parent: 'a' });
  assert.equal(groups(db).kept, [
    'working  0 0 job shop w.md coding 2',
    'working  0 1 job  w.md coding 1',
  ]);
  for (const [id, set] of [
    ['a', "state = 'waiting', ask = 'approval', since = 2, dismissed_at = NULL"],
    ['a', 'dismissed_at = 7'],
    ['b', "status = 'coding:part-2'"],
    ['b', "status = 'testing'"],
    ['c', "repo = 'shop', workflow = 'x.md'"],
    ['c', "text = 'else'"],
  ] as const) {
    db.run(`UPDATE job_list SET ${set} WHERE job_id = ?`, id);
    const { kept, counted } = groups(db);
    assert.equal(kept, counted, `${id}: ${set}`);
  }
  db.run('DELETE FROM job_list');
  assert.equal(groups(db).kept, []);
  db.close();
});

test('an older store is counted when it is migrated', () => {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS.slice(0, 26));
  put(db, 'a');
  put(db, 'b', { state: 'waiting', ask: 'input', repo: null });
  migrate(db, MIGRATIONS);
  const { kept, counted } = groups(db);
  assert.equal(kept, counted);
  assert.equal(new JobListReader(db).activities(), { live: 1, parked: 1, ended: 0 });
  db.close();
});

test('what the list is filtered by in the dashboard is counted without reading the jobs', () => {
  const db = openDatabase();
  const explainCountQuery = (filter: JobListFilter): string => {
    const { where, values } = buildJobCondition(filter);
    const { from, tally } = buildCountSource(filter);
    return db
      .all(`EXPLAIN QUERY PLAN SELECT ${tally} FROM ${from} ${where}`, ...values)
      .map(({ detail }) => String(detail))
      .filter((line) => /\bjob_list\b/.test(line) && !/^SEARCH (?:p|s|d) /.test(line))
      .join('; ');
  };
  const failedParts = 'SEARCH job_list USING INDEX job_list_failed_parts (ask=?)';
  for (const filter of [
    {},
    { needs: 'me' },
    { is: ['waiting', 'needs-you'] },
    { repo: 'shop', workflow: 'w.md', onlyNeedingSubRuns: true },
    { status: 'coding' },
  ] satisfies JobListFilter[])
    assert.is(explainCountQuery(filter), failedParts, JSON.stringify(filter));
  db.close();
});

test('a whole status is counted by its index', () => {
  const db = openDatabase();
  put(db, 'a', { status: 'coding:part-1' });
  const [plan] = listQueryPlans(db, (watched) =>
    new JobListReader(watched).total({ status: 'coding:part-1' }),
  );
  assert.equal(plan, ['SEARCH l USING COVERING INDEX job_list_status (status=?)']);
});

test('where many jobs have a whole status, a page of them is found along its order', () => {
  const db = openDatabase();
  for (let n = 0; n < 1_001; n += 1) put(db, `job-${n}`, { status: 'coding:part-1' });
  const plans = listQueryPlans(db, (watched) =>
    new JobListReader(watched).page(
      { status: 'coding:part-1' },
      { by: 'title', desc: false },
      { limit: 10, offset: 0 },
    ),
  );
  assert.match(plans.at(-1)?.join('; ') ?? '', 'USING INDEX job_list_title');
});

test.run();
