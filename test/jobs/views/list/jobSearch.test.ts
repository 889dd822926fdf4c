import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../../src/kernel/sqlite/database.ts';
import { JobListReader } from '../../../../src/jobs/store/queries/jobListReader.ts';
import { JobSearch } from '../../../../src/jobs/views/list/jobSearch.ts';
import { listQueryPlans, migrated } from '../../../support/askedStatements.ts';

const test = suite('views: a search in the list of jobs');

const NEWEST = { by: 'created', desc: true } as const;
const FIRST = { limit: 2, offset: 0 };

/** Jobs `job-1` up to `job-5`; the odd ones are about apples and need a person. */
function withJobs(): Database {
  const db = migrated();
  for (let n = 1; n <= 5; n += 1) {
    const isOdd = n % 2 === 1;
    db.run(
      `INSERT INTO job_list (job_id, kind, status, state, ask, since, repo, workflow, phase, title, created_at, text)
       VALUES (?, 'job', 'coding', 'waiting', ?, 1, 'shop', 'w', 'p', ?, ?, ?)`,
      `job-${n}`,
      isOdd ? 'approval' : null,
      `title ${9 - n}`,
      n,
      isOdd ? 'apples' : 'pears',
    );
    db.run('INSERT INTO job_summaries VALUES (?, ?, NULL, NULL, 0, 0)', `job-${n}`, '');
    db.run(
      `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
       VALUES (?, 'job', 1, '{}', 1, 1, 1, '', '', 0, 'parked', 1, 1, 1)`,
      `job-${n}`,
    );
  }
  return db;
}

/** Jobs 2, 3 and 5 have cost something; 4 has used what has no price. */
function withCosts(): Database {
  const db = withJobs();
  for (const [n, microUsd, unpriced] of [
    [2, 30, 0],
    [3, 10, 0],
    [4, 0, 1],
    [5, 30, 0],
  ])
    db.run(
      "INSERT INTO usage_sums VALUES ('campaign', ?, '', ?, 5, 1, ?, 1, 1)",
      `job-${n}`,
      microUsd ?? 0,
      unpriced ?? 0,
    );
  return db;
}

const APPLES = { words: ['apple'] };
const search = (db = withJobs()) => new JobSearch(new JobListReader(db), 2);

test('a page has the first ones that match, and how many do', async () => {
  const { found, total } = await search().page(APPLES, NEWEST, FIRST);
  assert.equal([found.map(({ id }) => id), total], [['job-5', 'job-3'], 3]);
});

test('a further page continues in the same order', async () => {
  const { found } = await search().page(
    APPLES,
    { by: 'title', desc: false },
    { limit: 2, offset: 2 },
  );
  assert.equal(
    found.map(({ id }) => id),
    ['job-1'],
  );
});

test('a search for what no job has finds nothing', async () => {
  assert.equal(await search().page({ words: ['plums'] }, NEWEST, FIRST), { found: [], total: 0 });
});

test('the counts of all slices are added', async () => {
  const { total, needs, standings } = await search().counts(APPLES);
  assert.equal([total, needs.decide, standings['needs-you']], [3, 3, 3]);
});

test('a search is narrowed by the other filters', async () => {
  const { total } = await search().page({ ...APPLES, repo: 'site' }, NEWEST, FIRST);
  assert.is(total, 0);
});

test('the list by cost is sorted over all slices, equal ones as by creation; the reverse is the reverse (UI-1)', async () => {
  const searchPage = async (desc: boolean, offset: number) =>
    (await search(withCosts()).pageByCost({}, desc, { limit: 3, offset })).found.map(
      ({ id }) => id,
    );
  assert.equal(await searchPage(true, 0), ['job-2', 'job-5', 'job-3']);
  assert.equal(await searchPage(true, 3), ['job-4', 'job-1']);
  assert.equal(await searchPage(false, 0), ['job-1', 'job-4', 'job-3']);
});

test('the list by cost counts all that match', async () => {
  const { total } = await search(withCosts()).pageByCost(APPLES, true, FIRST);
  assert.is(total, 3);
});

test('the costs of all slices are added; what was not used is nothing', async () => {
  assert.equal(await search(withCosts()).sumCost(APPLES), {
    microUsd: 40,
    unpriced: 0,
    tokens: 10,
    unreported: 0,
  });
  assert.is(await search().sumCost(APPLES), null);
});

test('every text is read once: a slice is found by its place, not by an index', () => {
  const db = withJobs();
  const slice = { ...APPLES, repo: 'shop', rows: { after: 0, last: 2 } };
  const [plan] = listQueryPlans(db, (watched) => new JobListReader(watched).rows(slice));
  assert.equal(plan, ['SEARCH l USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)']);
});

test('others have their turn between two slices', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    if (turns < 10) setImmediate(count);
  };
  setImmediate(count);
  await search().page(APPLES, NEWEST, FIRST);
  assert.ok(turns >= 2);
});

test.run();
