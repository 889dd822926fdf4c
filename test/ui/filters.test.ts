import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { askedFor, filterOf, isOfList, placeText, queryOf } from '../../ui/jobs/list/filters.ts';
import { MAX_FILTERS, readFilters, withFilter } from '../../ui/jobs/list/savedFilters.ts';

const test = suite('dashboard: filters');

test('the address becomes a query of the runner; sub-runs that need no one are left out (UI-1)', () => {
  assert.equal(askedFor(filterOf({})), { subRuns: 'needing' });
  assert.equal(askedFor(filterOf({ parts: 'yes', q: ' cart ' })), { q: 'cart' });
  assert.equal(
    askedFor(filterOf({ is: 'needs-you,bad', repo: 'shop', workflow: 'w', sort: 'since' })),
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
  assert.equal(filterOf({ is: 'nonsense', sort: 'size', group: 'x' }), filterOf({}));
});

test('a filter survives the way into the address and back, and none is an empty address', () => {
  for (const query of [
    {},
    { q: 'x y' },
    { is: 'bad,good', repo: 'shop', workflow: 'w', parts: 'yes', sort: '-title', group: 'repo' },
  ]) {
    assert.equal(queryOf(filterOf(query)), query);
  }
});

test('a search that is longer than the runner takes is cut', () => {
  assert.is(filterOf({ q: 'x'.repeat(300) }).text.length, 200);
});

test('the place in the list is shown with the number of all jobs that match', () => {
  assert.is(placeText(0, 24, 20_000), '1–24 of 20,000');
  assert.is(placeText(19_980, 20_004, 20_000), '19,981–20,000 of 20,000');
  assert.is(placeText(0, 24, 1), '1 job');
  assert.is(placeText(0, 24, 0), 'No jobs');
});

test('an address is of the list while view and filter are the same, wherever in the list it leads', () => {
  const filter = filterOf({ q: 'a b' });
  assert.is(isOfList('#/jobs?at=40&q=a+b', 'list', filter), true);
  assert.is(isOfList('#/jobs?q=a', 'list', filter), false);
  assert.is(isOfList('#/board?q=a+b', 'list', filter), false);
  assert.is(isOfList('#/jobs/j1?q=a+b', 'list', filter), false);
});

test('saved views keep their names unique and their number bounded; anything else is dropped', () => {
  const one = { name: 'Mine', query: { q: 'a' }, board: true };
  assert.equal(withFilter([one], { name: 'Mine', query: { q: 'b' } }), [
    { name: 'Mine', query: { q: 'b' } },
  ]);
  const many = Array.from({ length: MAX_FILTERS }, (_, index) => ({ name: `${index}`, query: {} }));
  assert.equal(withFilter(many, one).length, MAX_FILTERS);
  assert.equal(withFilter(many, one).at(-1), one);
  const wrong = [{ name: 1 }, null, { name: 'x', query: { q: 1 } }, { ...one, board: 'yes' }];
  assert.equal(readFilters(JSON.stringify([one, ...wrong])), [one]);
  assert.equal(readFilters('{'), []);
  assert.equal(readFilters(null), []);
  assert.equal(readFilters('{}'), []);
});

test.run();
