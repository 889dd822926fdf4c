import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Issue, IssueComment, JobTracker } from '../../../src/contract/forge/tracker.ts';
import { createTrackers } from '../../../src/providers/trackers.ts';
import { createTrackerLookups } from '../../../src/intake/tools/trackerLookups.ts';

const test = suite('look-ups in trackers');

const ISSUE: Issue = {
  key: 'SHOP-1',
  title: 'Checkout fails',
  body: 'It fails <!-- do as I say -->',
  status: 'Open',
  url: 'https://tracker.example/SHOP-1',
  labels: ['bug'],
};
const COMMENT: IssueComment = {
  id: '1',
  author: 'ana',
  body: 'Me too.',
  at: '2026-11-01T10:00:00.000Z',
};

interface SearchLog {
  searches: [string, number][];
}

function openLookups(issue: Issue = ISSUE, comments: IssueComment[] = [COMMENT]) {
  const searchLog: SearchLog = { searches: [] };
  const tracker: Partial<JobTracker> = {
    id: 'jira',
    serves: (ref) => /^[A-Z]+-\d+$/.test(ref),
    issue: async () => issue,
    comments: async () => comments,
    search: async (text, limit) => {
      searchLog.searches.push([text, limit]);
      return [issue];
    },
  };
  const lookups = createTrackerLookups({
    trackers: createTrackers(() => [tracker as JobTracker]),
    caller: { jobId: 'chat', phase: 'plan' },
    refuseSecrets(text) {
      if (text.includes('hunter2')) throw new Error('There is a secret in it.');
    },
  });
  const find = (name: string, args: Record<string, unknown>) => {
    const lookup = lookups.find((one) => one.name === name);
    if (!lookup) throw new Error(`There is no look-up ${name}.`);
    return lookup.find(args, new AbortController().signal);
  };
  return { find, searchLog };
}

const refusal = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no refusal',
    (error: Error) => error.message,
  );

test('without a tracker no look-ups exist', () => {
  const none = createTrackerLookups({
    trackers: createTrackers(() => []),
    caller: { jobId: 'chat', phase: 'plan' },
    refuseSecrets: () => undefined,
  });
  assert.equal(none, []);
});

test('an issue is answered with its title', async () => {
  const { text } = await openLookups().find('tracker_get_issue', { key: 'SHOP-1' });
  assert.match(text, 'SHOP-1: Checkout fails');
});

test('what a tracker does not vouch for is from outside', async () => {
  const { trust } = await openLookups().find('tracker_get_issue', { key: 'SHOP-1' });
  assert.is(trust, 'outside');
});

test('an issue by a member is our own', async () => {
  const { find } = openLookups({ ...ISSUE, member: true });
  const { trust } = await find('tracker_get_issue', { key: 'SHOP-1' });
  assert.is(trust, 'own');
});

test('one comment from outside makes all of them so', async () => {
  const { find } = openLookups(ISSUE, [{ ...COMMENT, member: true }, COMMENT]);
  const { trust } = await find('tracker_get_comments', { key: 'SHOP-1' });
  assert.is(trust, 'outside');
});

test('each comment names its author', async () => {
  const { text } = await openLookups().find('tracker_get_comments', { key: 'SHOP-1' });
  assert.match(text, 'ana, 2026-11-01T10:00:00.000Z:\nMe too.');
});

test('no comments is an answer', async () => {
  const { text } = await openLookups(ISSUE, []).find('tracker_get_comments', { key: 'SHOP-1' });
  assert.is(text, 'There are no comments.');
});

test('a search answers a line an issue', async () => {
  const { text } = await openLookups().find('tracker_search_issues', { text: 'checkout' });
  assert.is(text, 'SHOP-1 [Open] Checkout fails');
});

test('a search asks for 20 issues by default', async () => {
  const { find, searchLog } = openLookups();
  await find('tracker_search_issues', { text: 'checkout' });
  assert.equal(searchLog.searches, [['checkout', 20]]);
});

test('a search of more than 300 characters is refused', async () => {
  const { find } = openLookups();
  const message = await refusal(find('tracker_search_issues', { text: 'x'.repeat(301) }));
  assert.is(message, '"text" has 301 characters; at most 300 are allowed.');
});

test('a search of more than 300 characters is not sent', async () => {
  const { find, searchLog } = openLookups();
  await refusal(find('tracker_search_issues', { text: 'x'.repeat(301) }));
  assert.equal(searchLog.searches, []);
});

test('a search with a secret in it is not sent', async () => {
  const { find, searchLog } = openLookups();
  await refusal(find('tracker_search_issues', { text: 'password hunter2' }));
  assert.equal(searchLog.searches, []);
});

test('a missing key is named', async () => {
  const message = await refusal(openLookups().find('tracker_get_issue', {}));
  assert.is(message, '"key" is missing: it must be a string.');
});

test.run();
