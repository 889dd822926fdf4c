import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../../src/jobs/store/migrations/migrations.ts';
import { WatchedPrReader } from '../../../../src/jobs/store/queries/watchedPrReader.ts';
import { createPollTurns } from '../../../../src/forges/inbound/polling/pollers.ts';

const test = suite('runner: which pull requests a poll asks about');

type Pr = [repo: string, number: number, state?: string, job?: string, forge?: string];

/** A store with these pull requests; the job `over` has ended, `job` waits. */
function reader(prs: readonly Pr[]): WatchedPrReader {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  for (const [id, state] of [
    ['job', 'waiting'],
    ['over', 'complete'],
  ])
    db.run(
      `INSERT INTO job_list (job_id, kind, status, state, since, workflow, phase, title, created_at, text)
       VALUES (?, 'job', 's', ?, 1, 'w', 'p', 't', 1, '')`,
      String(id),
      String(state),
    );
  for (const [repo, number, state = 'open', job = 'job', forge = 'github'] of prs)
    db.run(
      `INSERT INTO pr_mappings (forge, repo, number, job_id, pr_id, title, head, base, url, state)
       VALUES (?, ?, ?, ?, '', '', '', '', '', ?)`,
      forge,
      repo,
      number,
      job,
      state,
    );
  return new WatchedPrReader(db);
}

const places = (pulls: readonly { repo: string; number: number }[]) =>
  pulls.map(({ repo, number }) => `${repo}#${number}`).join(' ');

test('unmerged ones of live jobs are asked about at every poll (EVT-2)', () => {
  const prs = reader([
    ['shop', 2, 'closed'],
    ['shop', 1],
    ['shop', 3, 'merged'],
    ['shop', 4, 'open', 'over'],
    ['site', 1, 'open', 'job', 'gitlab'],
  ]);
  const next = createPollTurns(prs);
  assert.is(places(next('github')), 'shop#1 shop#2');
  assert.is(places(next('github')), 'shop#1 shop#2');
  assert.is(places(next('gitlab')), 'site#1');
  assert.is(prs.count('github', 10), 2);
  assert.is(prs.count('github', 1), 1);
  assert.equal(prs.forges(), ['github', 'gitlab']);
  assert.equal(prs.jobs('github', 10), ['job']);
});

test('where too many are watched for one poll, polls take turns, and none is left out', () => {
  const prs = reader([
    ['a', 1],
    ['a', 7, 'closed'],
    ['b', 2],
    ['b', 3, 'closed'],
  ]);
  const next = createPollTurns(prs, 2);
  assert.is(places(next('github')), 'a#1 a#7');
  assert.is(places(next('github')), 'b#2 b#3');
  assert.is(places(next('github')), 'a#1 a#7', 'again from the first');
  const three = createPollTurns(prs, 3);
  assert.is(places(three('github')), 'a#1 a#7 b#2');
  assert.is(places(three('github')), 'b#3');
  assert.is(places(three('github')), 'a#1 a#7 b#2');
});

test.run();
