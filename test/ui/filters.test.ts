import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byTone, choices, filtered, filterOf, queryOf } from '../../ui/jobs/list/filters.ts';
import { MAX_FILTERS, readFilters, withFilter } from '../../ui/jobs/list/savedFilters.ts';
import { parked, summary } from '../support/summaries.ts';

const test = suite('dashboard: filters');

const JOBS = [
  summary('a', { description: 'Fix the Cart', parked: parked('approval') }),
  summary('b', {
    description: 'Fix the stock',
    repoSlug: 'stock',
    workflowPath: 'workflows/fix.md',
  }),
  summary('c', { parentJobId: 'a', description: 'A part' }),
  summary('d', { ended: true, status: 'failed' }),
];
const shown = (query: Record<string, string>) =>
  filtered(JOBS, filterOf(query)).map(({ id }) => id);

test('all words must occur in the job; sub-runs are shown only on request (UI-1)', () => {
  assert.equal(shown({}), ['a', 'b', 'd']);
  assert.equal(shown({ parts: 'yes' }), ['a', 'b', 'c', 'd']);
  assert.equal(shown({ q: 'CART fix' }), ['a']);
  assert.equal(shown({ q: 'fix' }), ['a', 'b']);
  assert.equal(shown({ q: 'waits: approval' }), ['a']);
});

test('status, repository and workflow narrow the list, and an unknown status does not', () => {
  assert.equal(shown({ is: 'needs-you,bad' }), ['a', 'd']);
  assert.equal(shown({ is: 'nonsense' }), ['a', 'b', 'd']);
  assert.equal(shown({ repo: 'stock' }), ['b']);
  assert.equal(shown({ workflow: 'workflows/fix.md', repo: 'shop' }), []);
});

test('a filter survives the way into the address and back, and none is an empty address', () => {
  for (const query of [
    {},
    { q: 'x y' },
    { is: 'bad,good', repo: 'shop', workflow: 'w', parts: 'yes' },
  ]) {
    assert.equal(queryOf(filterOf(query)), query);
  }
});

test('the board has a column for each kind of status, and each job once', () => {
  const columns = byTone(JOBS);
  assert.equal(Object.values(columns).flat().length, JOBS.length);
  assert.equal(columns['needs-you'].length, 1);
  assert.equal(columns.working.length, 2);
  assert.equal(columns.bad.length, 1);
  assert.equal(
    choices(JOBS, ({ repoSlug }) => repoSlug),
    ['shop', 'stock'],
  );
});

test('a thousand jobs are filtered in less than 50 ms', () => {
  const many = Array.from({ length: 1_000 }, (_, index) =>
    summary(`job-${index}`, { description: `Change ${index} of the cart ${'x'.repeat(200)}` }),
  );
  const started = performance.now();
  assert.is(filtered(many, filterOf({ q: 'cart 77', is: 'working' })).length > 0, true);
  const ms = performance.now() - started;
  console.log(`note: 1,000 jobs filtered in ${ms.toFixed(1)} ms`);
  assert.ok(ms < 50, `${ms} ms`);
});

test('saved filters keep their names unique and their number bounded; anything else is dropped', () => {
  const one = { name: 'Mine', query: { q: 'a' } };
  assert.equal(withFilter([one], { name: 'Mine', query: { q: 'b' } }), [
    { name: 'Mine', query: { q: 'b' } },
  ]);
  const many = Array.from({ length: MAX_FILTERS }, (_, index) => ({ name: `${index}`, query: {} }));
  assert.equal(withFilter(many, one).length, MAX_FILTERS);
  assert.equal(withFilter(many, one).at(-1), one);
  assert.equal(
    readFilters(JSON.stringify([one, { name: 1 }, null, { name: 'x', query: { q: 1 } }])),
    [one],
  );
  assert.equal(readFilters('{'), []);
  assert.equal(readFilters(null), []);
  assert.equal(readFilters('{}'), []);
});

test.run();
