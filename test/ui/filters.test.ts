import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  toJobsQuery,
  parseFilter,
  leadsToList,
  describeListPlace,
  toFilterQuery,
} from '../../ui/jobs/list/filters.ts';
import { MAX_FILTERS, parseSavedFilters, addSavedFilter } from '../../ui/jobs/list/savedFilters.ts';

const test = suite('dashboard: filters');

test('the address becomes a query of the runner; sub-runs that need no one are left out (UI-1)', () => {
  assert.equal(toJobsQuery(parseFilter({})), { subRuns: 'needing' });
  assert.equal(toJobsQuery(parseFilter({ parts: 'yes', q: ' cart ' })), { q: 'cart' });
  assert.equal(
    toJobsQuery(parseFilter({ is: 'needs-you,bad', repo: 'shop', workflow: 'w', sort: 'since' })),
    {
      is: 'needs-you,failed',
      repo: 'shop',
      workflow: 'w',
      sort: 'since',
      subRuns: 'needing',
    },
  );
});

test('a state, an order or a group that does not exist narrows and sorts nothing', () => {
  assert.equal(parseFilter({ is: 'nonsense', sort: 'size', group: 'x' }), parseFilter({}));
});

test('a filter survives the way into the address and back, and none is an empty address', () => {
  for (const query of [
    {},
    { q: 'x y' },
    { is: 'bad,good', repo: 'shop', workflow: 'w', parts: 'yes', sort: '-title', group: 'repo' },
  ]) {
    assert.equal(toFilterQuery(parseFilter(query)), query);
  }
});

test('a search that is longer than the runner takes is cut', () => {
  assert.is(parseFilter({ q: 'x'.repeat(300) }).text.length, 200);
});

test('the place in the list is shown with the number of all jobs that match', () => {
  assert.is(describeListPlace(0, 24, 20_000), '1–24 of 20,000');
  assert.is(describeListPlace(19_980, 20_004, 20_000), '19,981–20,000 of 20,000');
  assert.is(describeListPlace(0, 24, 1), '1 job');
  assert.is(describeListPlace(0, 24, 0), 'No jobs');
});

test('an address is of the list while view and filter are the same, wherever in the list it leads', () => {
  const filter = parseFilter({ q: 'a b' });
  assert.is(leadsToList('#/jobs?at=40&q=a+b', 'list', filter), true);
  assert.is(leadsToList('#/jobs?q=a', 'list', filter), false);
  assert.is(leadsToList('#/board?q=a+b', 'list', filter), false);
  assert.is(leadsToList('#/jobs/j1?q=a+b', 'list', filter), false);
});

test('saved views keep their names unique and their number bounded; anything else is dropped', () => {
  const one = { name: 'Mine', query: { q: 'a' }, board: true };
  assert.equal(addSavedFilter([one], { name: 'Mine', query: { q: 'b' } }), [
    { name: 'Mine', query: { q: 'b' } },
  ]);
  const many = Array.from({ length: MAX_FILTERS }, (_, index) => ({ name: `${index}`, query: {} }));
  assert.equal(addSavedFilter(many, one).length, MAX_FILTERS);
  assert.equal(addSavedFilter(many, one).at(-1), one);
  const wrong = [{ name: 1 }, null, { name: 'x', query: { q: 1 } }, { ...one, board: 'yes' }];
  assert.equal(parseSavedFilters(JSON.stringify([one, ...wrong])), [one]);
  assert.equal(parseSavedFilters('{'), []);
  assert.equal(parseSavedFilters(null), []);
  assert.equal(parseSavedFilters('{}'), []);
});

test.run();
