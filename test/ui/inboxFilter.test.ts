import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listSnoozeTimes } from '../../ui/inbox/snoozeTimes.ts';
import {
  formatInboxFilter,
  listInboxChoices,
  matchesInboxFilter,
  NO_INBOX_FILTER,
  parseInboxFilter,
} from '../../ui/inbox/inboxFilter.ts';
import { toJobItem } from '../../ui/inbox/inboxItems.ts';
import { summary } from '../support/summaries.ts';

const test = suite('dashboard: filters of the inbox, and times to snooze until');

const needs = { group: 'decide', ask: 'input', since: '2026-01-01T00:00:00.000Z' } as const;
const items = [
  summary('a', { needs, repoSlug: 'shop', reviewers: ['ada', 'Ben'] }),
  summary('b', { needs, repoSlug: 'web', workflowPath: 'workflows/bug.md', createdBy: 'Ada' }),
].flatMap((job) => toJobItem(job) ?? []);

test('items are chosen by repository, workflow and person, of those that wait (UI-1)', () => {
  assert.equal(listInboxChoices(items, null), {
    repos: ['shop', 'web'],
    workflows: ['workflows/bug.md', 'workflows/job.md'],
    people: ['ada', 'Ben'],
  });
  assert.equal(
    listInboxChoices(items, 'Ben').people,
    ['Ben', 'ada'],
    'who is logged in comes first',
  );
  const ids = (filter: Partial<typeof NO_INBOX_FILTER>) =>
    items
      .filter((item) => matchesInboxFilter(item, { ...NO_INBOX_FILTER, ...filter }))
      .map(({ id }) => id);
  assert.equal(ids({}), ['a', 'b']);
  assert.equal(ids({ repo: 'shop' }), ['a']);
  assert.equal(ids({ repo: 'shop', workflow: 'workflows/bug.md' }), []);
  assert.equal(ids({ person: 'ADA' }), ['a', 'b'], 'who asked for it, or is to review it');
  assert.equal(ids({ person: 'Ben' }), ['a']);
});

test('a stored filter comes back; an unreadable one filters nothing', () => {
  const filter = { repo: 'shop', workflow: null, person: 'ada' };
  assert.equal(parseInboxFilter(formatInboxFilter(filter)), filter);
  assert.equal(parseInboxFilter('no JSON'), NO_INBOX_FILTER);
  assert.equal(parseInboxFilter('{"repo":7}'), NO_INBOX_FILTER);
});

test('times are in the future, in order; Monday is left out where tomorrow is one', () => {
  const at = (text: string) => listSnoozeTimes(new Date(text).getTime());
  const wednesday = at('2026-01-07T10:00:00');
  assert.is(wednesday.length, 5);
  const times = wednesday.map((one) => one.at);
  assert.equal(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.is(new Date(times.at(-1) ?? 0).getDay(), 1);
  assert.is(at('2026-01-04T10:00:00').length, 4, 'a Sunday');
  assert.is(at('2026-01-07T20:00:00').length, 4, 'after the evening');
});

test.run();
