import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuthoredEvent } from '../../src/contract/forge/forge.ts';
import { Database } from '../../src/kernel/sqlite/database.ts';
import { FeatureTables } from '../../src/kernel/sqlite/featureTables.ts';
import { createRowReader } from '../support/createRowReader.ts';
import { PrSight } from '../../src/forges/inbound/polling/prSight.ts';
import { collectUnheardLines } from '../../src/forges/inbound/collectUnheardLines.ts';
import { createLocalForge } from '../../src/providers/local/forge.ts';
import { parseWakeRules } from '../../src/providers/rest/wakeRules.ts';
import { makeGitRepository } from '../support/gitRepository.ts';
import { finalSchema } from '../support/memoryStore.ts';

const test = suite('a row that cannot be read stops no news of other jobs');

const db = new Database(':memory:');
db.exec(finalSchema());
const rows = createRowReader(db, new FeatureTables(db));
test.after(() => db.close());

/** Puts a row; columns that are not named get a value that can be read. */
function put(table: string, values: Record<string, string | number>): void {
  const needed = db
    .all('SELECT name, type FROM pragma_table_info(?) WHERE "notnull" = 1', table)
    .map(({ name, type }) => [String(name), type === 'INTEGER' ? 0 : 'x'] as const);
  const row = { ...Object.fromEntries(needed), ...values };
  const names = Object.keys(row);
  db.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...Object.values(row),
  );
}

test('polls tell the other jobs of a forge what they no longer see (EVT-4)', () => {
  const pr = (number: number) => ({ forge: 'hub', repo: 'acme/app', number });
  put('pr_mappings', { ...pr(1), job_id: 'broken', pr_id: 'hub#1', state: 'odd' });
  put('pr_mappings', { ...pr(2), job_id: 'fine', pr_id: 'hub#2', state: 'open' });
  const sight = new PrSight({ rows, prs: { withProblem: () => [] } });
  const forge = { id: 'hub', consistencyMs: 0 };
  const unseen = [1, 2].map((number) => ({ repo: 'acme/app', number }));
  sight.noteAnsweredPoll(forge, { unseen }, 0);
  assert.equal(
    sight.noteAnsweredPoll(forge, { unseen }, 1).map(({ to }) => to),
    ['fine'],
  );
  const seen = unseen.map((one) => ({ ...one, isOpen: true }));
  assert.equal(sight.findReopened(forge, { seen }, 2), []);
});

test('lines about comments that reach no job continue, and what was reported once is not reported again', () => {
  put('unheard_news', { job_id: 'broken', external_id: 'e', at: -1 });
  assert.throws(() => rows.one('unheard_news', { job_id: 'broken', external_id: 'e' }));
  const one: AuthoredEvent = {
    own: false,
    bot: false,
    member: false,
    event: {
      kind: 'commented',
      forge: 'hub',
      repo: 'acme/app',
      number: 12,
      prId: 'hub:acme/app#12',
      author: 'zoe',
      text: 'Ship it.',
      url: '',
      externalId: 'e',
      happenedAt: 0,
    },
  };
  const { frames } = collectUnheardLines(
    { rows, place: () => ({ phase: 'coding', visit: 1 }), now: () => 0 },
    ['broken', 'fine'].map((jobId) => ({ jobId, one })),
    parseWakeRules('', ''),
  );
  assert.equal(
    frames.map(({ actor }) => actor),
    ['fine'],
  );
});

test('the other pull requests of a local repository are still seen', async () => {
  const repository = makeGitRepository({ files: { 'list.txt': '1\n' } });
  repository.commit({ 'a.txt': 'a\n' }, { branch: 'feature' });
  const branches = { repo: 'shop', base: 'main', head: 'feature' };
  put('forge_prs', { ...branches, number: 1, operation_id: '1', state: 'odd' });
  put('forge_prs', { ...branches, number: 2, operation_id: '2', state: 'open' });
  const forge = createLocalForge({
    mayAct: mayAlwaysAct,
    repos: { shop: { path: repository.path, defaultBranch: 'main' } },
    rows,
    webUrl: () => '',
  });
  const { unseen } = await forge.news([1, 2].map((number) => ({ repo: 'shop', number })));
  assert.equal(unseen, []);
  repository.remove();
});

test.run();
