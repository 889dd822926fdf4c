import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SlotCounts } from '../../../src/kernel/sqlite/slotCounts.ts';
import { ActorList } from '../../../src/kernel/sqlite/actorList.ts';
import { BudgetStopReader } from '../../../src/policy/budgets/budgetStopReader.ts';
import { ALL_JOBS, ENDED } from '../../../src/jobs/store/copiedState.ts';
import type { Database } from '../../../src/kernel/sqlite/database.ts';
import { JobListReader } from '../../../src/jobs/store/queries/jobListReader.ts';
import { listQueryPlans, migrated } from '../../support/askedStatements.ts';

const test = suite('store: what is asked of very many waiting jobs');

/** A job that waits, with what it waits for. */
function put(db: Database, id: string, ask: string | null, parked: object): void {
  db.run(
    `INSERT INTO job_list (job_id, kind, status, state, ask, since, workflow, phase, title, created_at, text)
     VALUES (?, 'job', 'coding', 'waiting', ?, 1, 'w', 'p', 't', 1, '')`,
    id,
    ask,
  );
  db.run('INSERT INTO job_summaries VALUES (?, ?, ?, NULL, 0, 0)', id, '', JSON.stringify(parked));
}
const stoppedBy = (scope: string, key: string) => ({ kind: 'budget', exceeded: { scope, key } });

/** `raise` waits for a person, `tomorrow` for the next day, `pr` for its pull request. */
function withJobs(): Database {
  const db = migrated();
  put(db, 'raise', 'budget', stoppedBy('repository', 'shop'));
  put(db, 'tomorrow', null, stoppedBy('day', ''));
  db.run("INSERT INTO timers VALUES ('tomorrow', 'budget', 1, '{}')");
  put(db, 'pr', null, { kind: 'event' });
  return db;
}

test('a job that waits for a person to raise a budget is stopped by it', () => {
  const stops = new BudgetStopReader(withJobs());
  assert.equal(stops.listStoppedBy('repository', 'shop', 'budget'), ['raise']);
});

test('a job that waits for the next window of a budget is stopped by it', () => {
  const stops = new BudgetStopReader(withJobs());
  assert.equal(stops.listStoppedBy('day', '', 'budget'), ['tomorrow']);
});

test('a job that has continued is no longer stopped by what it waited for', () => {
  const db = withJobs();
  db.run("UPDATE job_list SET state = 'working', ask = NULL WHERE job_id = 'tomorrow'");
  assert.equal(new BudgetStopReader(db).listStoppedBy('day', '', 'budget'), []);
});

test('a budget with another key has stopped none of them', () => {
  const stops = new BudgetStopReader(withJobs());
  assert.equal(stops.listStoppedBy('repository', 'site', 'budget'), []);
});

test('what a budget has stopped is found without reading the jobs that wait for something else', () => {
  const [plan] = listQueryPlans(withJobs(), (db) =>
    new BudgetStopReader(db).listStoppedBy('day', '', 'budget'),
  );
  assert.equal(
    plan?.filter((line) => /job_list|job_summaries| s /.test(line)),
    [
      'SEARCH job_list USING INDEX job_list_state (state=? AND ask=?)',
      'SEARCH l USING INDEX sqlite_autoindex_job_list_1 (job_id=?)',
      'SEARCH s USING PRIMARY KEY (job_id=?)',
    ],
  );
});

test('the rows of all that wait are found by the index alone', () => {
  const [plan] = listQueryPlans(withJobs(), (db) =>
    new JobListReader(db).rows({ states: ['waiting'] }),
  );
  assert.equal(plan, ['SEARCH l USING COVERING INDEX job_list_state (state=?)']);
});

test('ids of rows come in the order of the rows', () => {
  const jobs = new JobListReader(withJobs());
  assert.equal(jobs.readIds([3, 1]), ['pr', 'raise']);
});

test('what a copy for a backup holds is read from indexes alone', () => {
  const plans = listQueryPlans(withJobs(), (db) => [db.all(ALL_JOBS), db.all(ENDED)]);
  assert.equal(plans, [
    ['SEARCH actors USING COVERING INDEX actors_created (chart=?)'],
    ['SCAN actors USING COVERING INDEX actors_ended'],
  ]);
});

test('the newest actors of a chart are found without counting the others', () => {
  const plans = listQueryPlans(withJobs(), (db) =>
    new ActorList(db, new SlotCounts(db)).newest('job', { limit: 10, offset: 0 }),
  );
  assert.equal(plans, [['SEARCH actors USING INDEX actors_created (chart=?)']]);
});

test.run();
