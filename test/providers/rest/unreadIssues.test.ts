import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobTracker } from '../../../src/contract/forge/tracker.ts';
import { readAtPath } from '../../../src/base/json/untrusted.ts';
import { readGithubSettings } from '../../../src/providers/github/forge/settings.ts';
import { createGithubIssuesTracker } from '../../../src/providers/github/issues/tracker.ts';
import { markdownToAdf } from '../../../src/providers/jira/adf/markdownToAdf.ts';
import { readJiraSettings } from '../../../src/providers/jira/tracker/settings.ts';
import { createJiraTracker } from '../../../src/providers/jira/tracker/tracker.ts';
import { readLinearSettings } from '../../../src/providers/linear/plugin.ts';
import { createLinearTracker } from '../../../src/providers/linear/tracker/tracker.ts';
import { readTracker } from '../../../src/sessions/agentJob/readTracker.ts';
import { FakeGithubIssues } from '../../support/forges/fakeTrackers/fakeGithubIssues.ts';
import { FakeJira } from '../../support/forges/fakeTrackers/fakeJira.ts';
import { FakeLinear } from '../../support/forges/fakeTrackers/fakeLinear.ts';
import type { IssueStore } from '../../support/forges/fakeTrackers/issueStore.ts';
import { trackerStage } from '../../support/forges/trackerStage.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('what cannot be read of an issue leaves the rest of it');

const BASE = 'http://127.0.0.1:9';
const TOKEN = 'tracker-secret';

/** Changes an answer in its place, and answers it. */
type Change = (body: unknown, pathname: string) => unknown;
type Path = readonly string[];

/** Changes the list at a place of an answer, where it has one. */
const changeList =
  (path: Path, change: (all: readonly unknown[]) => unknown): Change =>
  (body) => {
    const all = readAtPath(body, ...path);
    if (!Array.isArray(all)) return body;
    const last = path.at(-1);
    if (last === undefined) return change(all);
    Reflect.set(Object(readAtPath(body, ...path.slice(0, -1))), last, change(all));
    return body;
  };

interface Kind {
  name: string;
  key: string;
  open(change: Change): { tracker: JobTracker; store: IssueStore; settled: Settled };
  text(words: string): unknown;
  /** Members of a comment. */
  members: { id: string; date: string };
  /** Where these lists are in answers about them. */
  comments: Path;
  labels: Path;
  found: Path;
}
type Settled = <T>(work: Promise<T>) => Promise<T>;

const KINDS: readonly Kind[] = [
  ...([2, 3] as const).map(
    (version): Kind => ({
      name: `Jira, version ${version}`,
      key: 'SHOP-1',
      text: version === 3 ? markdownToAdf : (words) => words,
      open(change) {
        const it = trackerStage(
          (clock) => new FakeJira(version, clock),
          ({ url }, body) => change(body, url.pathname),
        );
        it.fake.store.addUser(TOKEN, 'svc');
        const username = version === 3 ? 'svc@example.test' : '';
        const settings = readJiraSettings({ baseUrl: BASE, token: TOKEN, username });
        const tracker = createJiraTracker({ settings, accountClient: it.accountClient });
        return { tracker, store: it.fake.store, settled: it.settled };
      },
      members: { id: 'id', date: 'created' },
      comments: ['comments'],
      labels: ['fields', 'labels'],
      found: ['issues'],
    }),
  ),
  {
    name: 'Linear',
    key: 'ENG-1',
    text: (words) => words,
    open(change) {
      const it = trackerStage(
        (clock) => new FakeLinear(clock),
        ({ url }, body) => change(body, url.pathname),
      );
      it.fake.store.addUser('lin_api_key', 'svc');
      const settings = readLinearSettings({ baseUrl: BASE, apiKey: 'lin_api_key' });
      const tracker = createLinearTracker({ settings, accountClient: it.accountClient });
      return { tracker, store: it.fake.store, settled: it.settled };
    },
    members: { id: 'id', date: 'createdAt' },
    comments: ['data', 'issue', 'comments', 'nodes'],
    labels: ['data', 'issue', 'labels', 'nodes'],
    found: ['data', 'issues', 'nodes'],
  },
  {
    name: 'GitHub issues',
    key: 'acme/shop#1',
    text: (words) => words,
    open(change) {
      const it = trackerStage(
        (clock) => new FakeGithubIssues(clock),
        ({ url }, body) => change(body, url.pathname),
      );
      it.fake.store.addUser(TOKEN, 'svc');
      const tracker = createGithubIssuesTracker({
        clock: it.clock,
        accountClient: it.accountClient,
        settings: readGithubSettings({ baseUrl: BASE, token: TOKEN }),
      });
      return { tracker, store: it.fake.store, settled: it.settled };
    },
    members: { id: 'id', date: 'created_at' },
    comments: [],
    labels: ['labels'],
    found: ['items'],
  },
];

const isTwo = (one: unknown): boolean => JSON.stringify(one).includes('two');

for (const kind of KINDS) {
  const { key, members } = kind;
  const stage = (change: Change) => {
    const it = kind.open(change);
    const issue = it.store.addIssue(key, 'Add a note', kind.text('x'), { labels: ['ui'] });
    for (const [n, words] of ['one', 'two', 'three'].entries())
      it.store.addComment(issue, 'ann', kind.text(words), { at: it.store.clock.now() + n });
    return it;
  };
  /** Changes the comment `two` wherever it comes. */
  const atTwo = (replace: (one: Record<string, unknown>) => unknown): Change =>
    changeList(kind.comments, (all) => all.map((one) => (isTwo(one) ? replace(Object(one)) : one)));

  const BAD: Record<string, (one: Record<string, unknown>) => unknown> = {
    'is null': () => null,
    'has no id': (one) => ({ ...one, [members.id]: undefined }),
    'has a date that is none': (one) => ({ ...one, [members.date]: 'soon' }),
    'has a number as its text': (one) => ({ ...one, body: 7 }),
  };
  for (const [title, replace] of Object.entries(BAD))
    test(`${kind.name}: a comment that ${title}`, async () => {
      const { tracker, settled } = stage(atTwo(replace));
      const query = { key: () => key, text: '', limit: 5 };
      const { comments, unread } = await settled(readTracker(tracker, 'get_comments', query));
      assert.equal(
        (comments as { body: string }[]).map(({ body }) => body),
        ['one', 'three'],
      );
      assert.is((unread as string[]).length, 1);
      assert.match(String(unread), /^One comment cannot be read and was ignored: /);
    });

  for (const [title, value] of [
    ['null', null],
    ['a text', 'none'],
    ['an object', { message: 'none' }],
  ] as const)
    test(`${kind.name}: ${title} where the list of comments is expected`, async () => {
      const { tracker, settled } = stage(changeList(kind.comments, () => value));
      assert.is(await codeOfRefusal(() => settled(tracker.comments(key))), 'unreachable');
      assert.is((await settled(tracker.issue(key))).title, 'Add a note');
    });

  test(`${kind.name}: labels that are no list, and one label that is none`, async () => {
    for (const [value, labels, why] of [
      ['none', [], /The list of labels cannot be read: it is not a list\.$/],
      [[7, 'bug', { name: 'bug' }], ['bug'], /labels? cannot be read and (?:was|were) ignored: /],
    ] as const) {
      const { tracker, settled } = stage(changeList(kind.labels, () => value));
      const query = { key: () => key, text: '', limit: 5 };
      const { issue, unread } = await settled(readTracker(tracker, 'get_issue', query));
      assert.is((issue as { title: string }).title, 'Add a note');
      assert.equal([...new Set((issue as { labels: string[] }).labels)], labels);
      assert.match(String(unread), why);
    }
  });

  test(`${kind.name}: a bad issue among those of a search, and no list of them`, async () => {
    const searched = (value: (all: readonly unknown[]) => unknown) =>
      stage(changeList(kind.found, value));
    const { tracker, settled } = searched((all) => [null, ...all]);
    const query = { key: () => key, text: '', limit: 5 };
    const { issues, unread } = await settled(readTracker(tracker, 'search_issues', query));
    assert.equal(
      (issues as { key: string }[]).map((one) => one.key),
      [key],
    );
    assert.match(String(unread), /^One issue cannot be read and was ignored: /);
    const other = searched(() => 'none');
    const search = () => other.settled(other.tracker.search('', 5));
    assert.is(await codeOfRefusal(search), 'unreachable');
  });

  test(`${kind.name}: its own comment is found beside one that cannot be read`, async () => {
    const { tracker, store, settled } = stage(atTwo(() => null));
    const args = { key, body: 'Mine.' };
    const actor = { at: store.clock.now(), operationId: 'op-1' };
    const { commentId } = await settled(tracker.write('post_comment', args, actor));
    const match = await settled(tracker.find('post_comment', args, actor));
    assert.is(match?.commentId, commentId);
  });
}

test('Jira: links that are no list, and no data, leave the issue', async () => {
  const [kind] = KINDS;
  for (const value of [null, 'none', { message: 'none' }]) {
    const it = kind?.open((body, path) => (path.endsWith('/remotelink') ? value : body));
    if (!it) throw new Error('no tracker');
    it.store.addIssue('SHOP-1', 'Add a note', 'x');
    const unread: string[] = [];
    const issue = await it.settled(it.tracker.issue('SHOP-1', (what) => void unread.push(what)));
    assert.is(issue.title, 'Add a note');
    assert.match(String(unread), /^The list of links cannot be read: /);
  }
});

test('Linear: comments after which it is not said whether more follow are given, with a note', async () => {
  const kind = KINDS.find(({ name }) => name === 'Linear');
  const it = kind?.open((body) => {
    const comments = readAtPath(body, 'data', 'issue', 'comments');
    if (comments) Object.assign(comments, { pageInfo: null });
    return body;
  });
  if (!it) throw new Error('no tracker');
  it.store.addComment(it.store.addIssue('ENG-1', 'Add a note', 'x'), 'ann', 'one');
  const unread: string[] = [];
  const comments = await it.settled(it.tracker.comments('ENG-1', (what) => void unread.push(what)));
  assert.is(comments.length, 1);
  assert.is(unread.length, 1);
});

test.run();
