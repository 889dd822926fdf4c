import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../src/kernel/sqlite/database.ts';
import { WatchedPrReader } from '../../../src/jobs/store/queries/watchedPrReader.ts';
import { listQueryPlans, migrated } from '../../support/askedStatements.ts';

const test = suite('store: pull requests of all jobs');

/** The job `waits` has two open ones at acme/shop and a merged one at acme/site; `over` has ended. */
function withPrs(): Database {
  const db = migrated();
  for (const [id, state] of [
    ['waits', 'waiting'],
    ['over', 'complete'],
  ])
    db.run(
      `INSERT INTO job_list (job_id, kind, status, state, since, workflow, phase, title, created_at, text)
       VALUES (?, 'job', 's', ?, 1, 'w', 'p', 't', 1, '')`,
      String(id),
      String(state),
    );
  for (const [repo, number, job, state] of [
    ['acme/shop', 1, 'waits', 'open'],
    ['acme/shop', 2, 'waits', 'open'],
    ['acme/shop', 3, 'over', 'open'],
    ['acme/site', 4, 'waits', 'merged'],
  ])
    db.run(
      `INSERT INTO pr_mappings (forge, repo, number, job_id, pr_id, title, head, base, url, state)
       VALUES ('github', ?, ?, ?, '', '', '', '', '', ?)`,
      String(repo),
      Number(number),
      String(job),
      String(state),
    );
  return db;
}

test('the repositories of a forge are those in which jobs have had pull requests', () => {
  assert.equal(new WatchedPrReader(withPrs()).repositories('github'), ['acme/shop', 'acme/site']);
});

test('a forge without pull requests has no repositories', () => {
  assert.equal(new WatchedPrReader(withPrs()).repositories('gitlab'), []);
});

test('repositories are found from one to the next by the key, not by reading every row', () => {
  const [plan] = listQueryPlans(withPrs(), (db) => new WatchedPrReader(db).repositories('github'));
  assert.equal(
    plan?.filter((line) => line.includes('pr_mappings')),
    [
      'SEARCH pr_mappings USING PRIMARY KEY (forge=?)',
      'SEARCH pr_mappings USING PRIMARY KEY (forge=? AND repo>?)',
    ],
  );
});

test('open ones of a repository are those of jobs that have not ended', () => {
  assert.equal(
    new WatchedPrReader(withPrs()).open('github', 'acme/shop').map(({ number }) => number),
    [1, 2],
  );
});

test('open ones of a repository are found without reading those of the others', () => {
  const [plan] = listQueryPlans(withPrs(), (db) =>
    new WatchedPrReader(db).open('github', 'acme/shop'),
  );
  assert.is(plan?.[0], 'SEARCH m USING INDEX pr_mappings_open (state=? AND forge=? AND repo=?)');
});

test.run();
