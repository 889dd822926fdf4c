import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ScmPullRequestDetail } from '../../src/contract/forge/scmForge.ts';
import { createInstalledForge } from '../../src/plugins/installedForge/forge.ts';
import { createInstalledTracker } from '../../src/plugins/installedTracker/tracker.ts';
import type { ScmMethod } from '../../src/plugins/process/protocol.ts';
import { explainMergeProblem } from '../../src/providers/mergeGuard.ts';
import type { PrPart } from '../../src/contract/schema/forge/prDetail.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { codeOfRefusal } from '../support/refusal.ts';

const test = suite('plugins: an item of another shape is left out of an answer');

const AT = '2026-01-01T00:00:00Z';
const HEAD = 'a'.repeat(40);
const PR: ScmPullRequestDetail = {
  repo: 'acme/shop',
  number: 1,
  title: 'A change',
  body: '',
  author: { login: 'svc-robot' },
  head: 'change',
  base: 'main',
  headCommit: HEAD,
  state: 'open',
  url: 'https://forge.test/1',
  createdAt: AT,
  endedAt: null,
  endedBy: null,
  mergeCommit: null,
  mergeable: true,
  mergeState: { word: 'clean', clean: true },
  comments: [
    { id: 'c1', author: { login: 'ann', member: true }, body: 'Why?', at: AT, replyTo: null },
  ],
  reviews: [{ id: 'r1', author: { login: 'bob' }, verdict: 'approved', commit: HEAD, at: AT }],
  checks: [{ id: 'k1', name: 'ci', state: 'passed', required: true, url: '', at: AT }],
};
const ADDRESS = { repo: 'acme/shop', number: 1 };

/** A forge whose plugin answers this, in this process. */
function forgeAnswering(answers: Partial<Record<ScmMethod, unknown>>) {
  const logged: string[] = [];
  const forge = createInstalledForge({
    mayAct: mayAlwaysAct,
    id: 'it',
    clock: new SimulatedClock(),
    perJob: 600,
    ask: async ({ method }) => answers[method],
    screen: (text) => text.replaceAll('canary', '[secret]'),
    onSecret: () => {},
    onLeftOut: (member) => void logged.push(member),
    mirrorsDir: '/nonexistent',
    selfIsPerson: false,
    allowHosts: [],
    can: { createRepo: false, changes: answers.changes !== undefined },
    healthcheck: null,
  });
  return { forge, logged };
}

const withBad = (member: 'comments' | 'reviews' | 'checks') => ({
  ...PR,
  [member]: [...(PR[member] ?? []), { ...PR[member]?.[0], id: 'x', at: 'yesterday' }],
});
interface Row {
  pr: object;
  /** What is missing of the pull request. */
  parts: readonly PrPart[];
  member: string;
  /** Whether an agent may merge it nevertheless. */
  merges: boolean;
}
const ROWS: Record<string, Row> = {
  'a comment without a date': {
    pr: withBad('comments'),
    parts: ['comments', 'threads'],
    member: 'comments',
    merges: false,
  },
  'a review without a date': {
    pr: withBad('reviews'),
    parts: ['reviews'],
    member: 'reviews',
    merges: false,
  },
  'a check without a date': {
    pr: withBad('checks'),
    parts: ['checks'],
    member: 'checks',
    merges: true,
  },
  'checks that are no list': {
    pr: { ...PR, checks: 'none', mergeState: null },
    parts: ['checks'],
    member: 'checks',
    merges: false,
  },
  'comments that are no list': {
    pr: { ...PR, comments: 'none' },
    parts: ['comments', 'threads'],
    member: 'comments',
    merges: false,
  },
  'a hindrance of two lines': {
    pr: { ...PR, hindrances: ['one\ntwo'] },
    parts: ['mergeability'],
    member: 'hindrances',
    merges: true,
  },
  'a merge state without its word': {
    pr: { ...PR, mergeState: { clean: true } },
    parts: ['mergeability'],
    member: 'mergeState',
    merges: true,
  },
};

for (const [title, { pr, parts, member, merges }] of Object.entries(ROWS))
  test(title, async () => {
    const { forge, logged } = forgeAnswering({ self: 'svc-robot', pullRequest: pr });
    const detail = await forge.pullRequest('acme/shop', 1);
    assert.is(detail.title, PR.title);
    assert.equal(
      detail.unread?.flatMap((one) => one.parts),
      parts,
    );
    assert.is(explainMergeProblem(detail, () => false) === null, merges);
    const { hindered, news, problem } = await forge.news([ADDRESS]);
    assert.is(problem, null);
    assert.equal(
      hindered?.map(({ number, asks, isOpen }) => [number, asks, isOpen]),
      [[1, false, true]],
    );
    assert.is(
      news.some(({ event }) => event.kind === 'commented'),
      title !== 'comments that are no list',
    );
    assert.is(
      news.some(({ event }) => event.kind === 'check_passed'),
      member !== 'checks',
    );
    assert.equal(logged, [`pullRequest().${member}`], 'once, whatever is read afterwards');
  });

test('a pull request of a list is left out alone', async () => {
  const { forge, logged } = forgeAnswering({
    pullRequests: [{ ...PR, number: '2' }, PR, { ...PR, number: 3, url: 'javascript:alert(1)' }],
  });
  assert.equal(
    (await forge.pullRequests('acme/shop')).map(({ number }) => number),
    [1],
  );
  assert.equal(logged, ['pullRequests()']);
});

test('a pull request of whose changes no text is given is read, and its neighbours stay as they are', async () => {
  const answers = { self: 'svc-robot', pullRequest: PR, changes: ['same', 7, null] as unknown };
  const { forge, logged } = forgeAnswering(answers);
  const prs = [1, 1, 3].map((number) => ({ repo: 'acme/shop', number }));
  const { seen = [], unseen = [] } = await forge.news(prs);
  assert.equal(
    [seen, unseen].map((some) => some.map(({ number }) => number)),
    [[1, 1], [3]],
  );
  assert.equal(logged, ['changes()']);
});

test('what a plugin says hinders a merge is reported as of every forge, without secrets', async () => {
  const hindrances = ['its repository is archived', 'canary'];
  const pullRequest = { ...PR, hindrances };
  const { forge, logged } = forgeAnswering({ self: 'svc-robot', pullRequest });
  assert.equal((await forge.news([ADDRESS])).hindered, [
    { ...ADDRESS, why: 'its repository is archived; [secret]', asks: false, isOpen: true },
  ]);
  assert.is((await forge.pullRequest('acme/shop', 1)).unread, undefined);
  assert.equal(logged, []);
  const none = forgeAnswering({ self: 'svc-robot', pullRequest: PR });
  assert.equal((await none.forge.news([ADDRESS])).hindered, []);
});

test('a comment and an issue of a tracker are left out alone, with a note', async () => {
  const comment = { id: '1', author: 'ann', body: 'Why?', at: AT };
  const issue = { key: 'BOARD-7', title: 'T', body: '', status: 'done', url: 'http://board/7' };
  const lists: Record<string, unknown> = { comments: [null, comment], search: [issue, { key: 7 }] };
  const logged: string[] = [];
  const tracker = createInstalledTracker({
    mayAct: mayAlwaysAct,
    id: 'board',
    issueAt: false,
    ask: async ({ method }) => lists[method],
    screen: (text) => text,
    onLeftOut: (member) => void logged.push(member),
  });
  const notes: string[] = [];
  for (let times = 0; times < 2; times += 1) {
    const comments = await tracker.comments('BOARD-7', (what) => void notes.push(what));
    assert.equal(
      comments.map(({ id }) => id),
      ['1'],
    );
  }
  const issues = await tracker.search('T', 5, (what) => void notes.push(what));
  assert.equal(
    issues.map(({ key }) => key),
    ['BOARD-7'],
  );
  assert.is(notes.length, 3);
  assert.equal(logged, ['comments()', 'search()'], 'once each');
  lists.comments = 'none';
  assert.is(await codeOfRefusal(() => tracker.comments('BOARD-7')), 'invalid');
});

test.run();
