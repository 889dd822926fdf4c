import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';

const test = suite('store: what people are to be notified of');

function openState(): Database {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  return db;
}

function putJob(db: Database, ask: string | null, state: string, since = 1): void {
  db.run(
    `INSERT INTO job_list (job_id, kind, status, state, ask, since, workflow, phase, title, created_at, text)
     VALUES ('j1', 'job', 's', ?, ?, ?, 'w.md', 'p', 't', 1, '')`,
    state,
    ask,
    since,
  );
}

/** As the kernel writes it: its conflict clause counts for the triggers too. */
const changeJob = (db: Database, ask: string | null, since: number) =>
  db.run('UPDATE OR ROLLBACK job_list SET ask = ?, since = ? WHERE job_id = ?', ask, since, 'j1');

function putSchedule(db: Database, label: string, since: number): void {
  db.run(
    `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
     VALUES ('schedule.nightly', 'schedule', 1, '{}', 1, 1, 0, ?, 'schedule', 0, 'parked', 1, 1, ?)
     ON CONFLICT (id) DO UPDATE SET label = excluded.label, since = excluded.since`,
    label,
    since,
  );
}

function putAccount(db: Database, label: string): void {
  db.run(
    `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
     VALUES ('pool:x', 'quota', 1, '{}', 1, 1, 0, ?, 'quota', 0, 'live', 1, 1, 5)
     ON CONFLICT (id) DO UPDATE SET label = excluded.label`,
    label,
  );
}

const listFacts = (db: Database): string[] =>
  db
    .all('SELECT id, kind, job_id FROM notification_facts ORDER BY at, id')
    .map(({ id, kind, job_id }) => `${id} ${kind} ${job_id}`);

test('an ask is a fact, in the statement that makes it true', () => {
  const db = openState();
  putJob(db, null, 'working');
  assert.equal(listFacts(db), []);
  changeJob(db, 'approval', 2);
  changeJob(db, null, 3);
  changeJob(db, 'approval', 4);
  changeJob(db, 'failed', 5);
  assert.equal(listFacts(db), [
    'j1/approval/2 needs-you j1',
    'j1/approval/4 needs-you j1',
    'j1/failed/5 broken j1',
  ]);
});

test('a job that asks from the start is one too', () => {
  const db = openState();
  putJob(db, 'budget', 'waiting', 7);
  assert.equal(listFacts(db), ['j1/budget/7 budget j1']);
});

test('a change of something else is none, and the same ask again does not fail its commit', () => {
  const db = openState();
  putJob(db, 'halted', 'waiting', 2);
  db.run("UPDATE OR ROLLBACK job_list SET phase = 'q', ask = 'halted', since = 2");
  changeJob(db, null, 3);
  changeJob(db, 'halted', 2);
  assert.equal(listFacts(db), ['j1/halted/2 broken j1']);
  assert.equal(
    db.all('SELECT ask FROM job_list').map(({ ask }) => ask),
    ['halted'],
  );
});

test('a budget warning is one, once', () => {
  const db = openState();
  for (const at of [3, 4])
    db.run(
      `INSERT INTO budget_warnings (scope, key, metric, window, cap, job_id, at, text)
       VALUES ('day', '', 'usd', '2026-06-10', 10, 'j1', ?, '80 % spent')
       ON CONFLICT (scope, key, metric, window, cap) DO UPDATE SET at = excluded.at`,
      at,
    );
  assert.equal(listFacts(db), ['budget/day//usd/2026-06-10/10 budget j1']);
});

test('an account that closes is one, but not a probe that meets the same limit', () => {
  const db = openState();
  for (const label of ['open', 'throttled', 'exhausted', 'probing', 'exhausted', 'open'])
    putAccount(db, label);
  assert.equal(listFacts(db), ['pool:x/exhausted/5 account null']);
  for (const label of ['probing', 'billing']) putAccount(db, label);
  assert.equal(listFacts(db), ['pool:x/billing/5 account null', 'pool:x/exhausted/5 account null']);
});

test('a schedule that pauses itself is one, each time', () => {
  const db = openState();
  putSchedule(db, 'waiting', 1);
  for (const since of [2, 5]) {
    putSchedule(db, 'paused', since);
    putSchedule(db, 'paused', since);
    putSchedule(db, 'planning', since + 1);
  }
  assert.equal(listFacts(db), [
    'schedule.nightly/paused/2 broken null',
    'schedule.nightly/paused/5 broken null',
  ]);
});

test('a schedule that continues settles what was shown of its pause, and of no other schedule', () => {
  const db = openState();
  putSchedule(db, 'paused', 2);
  for (const fact of ['schedule.nightly/paused/2', 'schedule.nightly-2/paused/2'])
    db.run(
      `INSERT INTO notification_shown (fact, message, channel, settled) VALUES (?, 'm', 'c', 0)`,
      fact,
    );
  putSchedule(db, 'planning', 3);
  assert.equal(
    db.all('SELECT fact FROM notification_shown WHERE settled = 1').map(({ fact }) => fact),
    ['schedule.nightly/paused/2'],
  );
});

test.run();
