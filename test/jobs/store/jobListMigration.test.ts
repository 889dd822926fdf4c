import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { JobListReader } from '../../../src/jobs/store/queries/jobListReader.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';

const test = suite('store: the list of jobs of svc 0.2');

/** Version of the store in svc 0.2. */
const RELEASED = 6;
const SINCE = '2026-01-01T00:00:00.000Z';

interface Old {
  activity: 'live' | 'parked' | 'ended';
  label: string;
  value?: unknown;
  parent?: string;
  context?: Record<string, unknown>;
}

const add = (db: Database, id: string, at: number, old: Old) =>
  db.run(
    `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, parent, slot, waiting_since,
       activity, created_at, updated_at, since) VALUES (?, 'job', 2, ?, 1, 1, 0, ?, 'job', ?, 0, NULL, ?, ?, ?, ?)`,
    id,
    JSON.stringify({
      value: old.value ?? {},
      context: { workflowPath: 'w.md', phase: 'coding', params: {}, ...old.context },
    }),
    old.label,
    old.parent ?? null,
    old.activity,
    at,
    at,
    at,
  );

test('the jobs of a home of release 0.2 are in the list as they are: states, what they ask, texts (HTTP-2)', () => {
  const db = new Database(':memory:');
  for (const sql of MIGRATIONS.slice(0, RELEASED)) db.exec(sql);
  const parked = (kind: string) => ({ parked: { kind, since: SINCE, reason: `waits: ${kind}` } });
  const jobs: Record<string, Old> = {
    queued: { activity: 'live', label: 'queued', value: 'queued' },
    works: { activity: 'live', label: 'coding:item', value: { working: 'inSession' } },
    plan: { activity: 'parked', label: 'planning', context: parked('approval') },
    asks: { activity: 'parked', label: 'coding', context: parked('developer') },
    paused: { activity: 'parked', label: 'coding', context: parked('paused') },
    failed: { activity: 'ended', label: 'failed', context: { escalationMessage: 'Broken PIPE' } },
    done: { activity: 'ended', label: 'complete' },
    part: {
      activity: 'ended',
      label: 'complete',
      context: { subRunFailures: { failed: 0, escalated: 1 } },
    },
    over: { activity: 'ended', label: 'cancelled' },
    cafe: {
      activity: 'live',
      label: 'coding',
      value: { working: 'inSession' },
      context: { params: { description: ' Das Café\nmore', repoSlug: 'shop' } },
    },
  };
  for (const [at, [id, old]] of Object.entries(jobs).entries()) add(db, id, at + 1, old);
  for (const sql of MIGRATIONS.slice(RELEASED)) db.exec(sql);
  const rows = db.all('SELECT job_id, state, ask, since, title FROM job_list ORDER BY rowid');
  assert.equal(
    rows.map(({ job_id, state, ask }) => [job_id, state, ask]),
    [
      ['queued', 'queued', null],
      ['works', 'working', null],
      ['plan', 'waiting', 'approval'],
      ['asks', 'waiting', 'input'],
      ['paused', 'waiting', null],
      ['failed', 'failed', 'failed'],
      ['done', 'complete', null],
      ['part', 'partial', null],
      ['over', 'cancelled', null],
      ['cafe', 'working', null],
    ],
  );
  assert.is(rows[2]?.since, Date.parse(SINCE), 'a parked job waits since it was parked');
  assert.is(rows[5]?.since, 6);
  assert.is(rows[9]?.title, 'das cafe');
  assert.is(rows[0]?.title, 'queued', 'a job without a description is called by its id');
  const list = new JobListReader(db);
  const searchJobs = (word: string) =>
    list
      .page({ words: [word] }, { by: 'created', desc: true }, { limit: 9, offset: 0 })
      .map(({ id }) => id);
  const findListed = (id: string) => list.findJob(id);
  assert.is(findListed('cafe')?.description, ' Das Café\nmore');
  assert.is(findListed('queued')?.description, '');
  assert.is(findListed('queued')?.parked, null);
  assert.equal(JSON.parse(findListed('plan')?.parked ?? ''), parked('approval').parked);
  assert.is(findListed('failed')?.escalation, 'Broken PIPE');
  assert.is(findListed('part')?.escalated, 1);
  assert.is(findListed('part')?.failed, 0);
  assert.equal(searchJobs('cafe'), ['cafe']);
  assert.equal(searchJobs('pipe'), ['failed']);
  assert.equal(searchJobs('waits: approval'), ['plan']);
  assert.equal(list.counts({}).needs, { decide: 2, review: 0, broken: 1 });
  db.close();
});

test('jobs of a released home that wait for a person at a pull request need one (JOB-9)', () => {
  const db = new Database(':memory:');
  for (const sql of MIGRATIONS.slice(0, RELEASED)) db.exec(sql);
  const waits = (kinds: unknown, pr: object, more: object = {}): Old => ({
    activity: 'parked',
    label: 'awaiting-merge',
    context: {
      parked: { kind: 'event', since: SINCE, reason: 'waits' },
      awaited: { kinds, prId: null, from: 'coding', after: 'reporting', ...more },
      prs: [{ state: 'merged' }, pr],
    },
  });
  const open = { state: 'open' };
  const jobs: Record<string, Old> = {
    any: waits(null, open),
    merge: waits(['merged'], open),
    checks: waits(['check_passed', 'check_failed'], open),
    over: waits(null, { state: 'closed' }),
    gone: waits(null, { ...open, blocked: { why: 'gone', asks: true } }),
    outside: waits(null, open, { external: 'a deployment' }),
  };
  for (const [at, [id, old]] of Object.entries(jobs).entries()) add(db, id, at + 1, old);
  for (const sql of MIGRATIONS.slice(RELEASED)) db.exec(sql);
  const rows = db.all("SELECT job_id FROM job_list WHERE ask = 'review' ORDER BY rowid");
  assert.equal(
    rows.map(({ job_id }) => job_id),
    ['any', 'merge'],
  );
  assert.is(new JobListReader(db).counts({}).needs.review, 2, 'the counts by group know it too');
  db.close();
});

test('the first page, the counts and the choices are answered from indexes', () => {
  const db = new Database(':memory:');
  for (const sql of MIGRATIONS) db.exec(sql);
  const plan = (sql: string) =>
    db
      .all(`EXPLAIN QUERY PLAN ${sql}`)
      .map(({ detail }) => String(detail))
      .join('; ');
  const newest = plan(
    'SELECT l.rowid FROM job_list l WHERE l.parent IS NULL ORDER BY l.created_at DESC, l.rowid DESC LIMIT 50',
  );
  assert.match(newest, /COVERING INDEX job_list_created/);
  assert.not.match(newest, /TEMP B-TREE FOR ORDER BY/);
  assert.match(plan('SELECT count(*) FROM job_list l WHERE l.parent IS NULL'), /COVERING INDEX/);
  assert.match(plan('SELECT min(repo) FROM job_list WHERE repo > 1'), /INDEX job_list_repo/);
  db.close();
});

test.run();
