import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import PrApproveCommand from '../../cli/commands/pr/approve.ts';
import PrCloseCommand from '../../cli/commands/pr/close.ts';
import PrCommentCommand from '../../cli/commands/pr/comment.ts';
import PrDiffCommand from '../../cli/commands/pr/diff.ts';
import PrListCommand from '../../cli/commands/pr/list.ts';
import PrMergeCommand from '../../cli/commands/pr/merge.ts';
import PrReopenCommand from '../../cli/commands/pr/reopen.ts';
import PrShowCommand from '../../cli/commands/pr/show.ts';
import type { PullRequest } from '../../src/contract/schema/api/replies.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { type FakeRunner, fakeRunner } from '../support/http/fakeRunner.ts';

const pr: PullRequest = {
  prId: 'local:shop#1',
  forge: 'local',
  repo: 'shop',
  number: 1,
  title: 'Add a cart',
  head: 'svc/cart',
  base: 'main',
  url: 'http://127.0.0.1:3000/forges/local/repos/shop/prs/1',
  state: 'open',
  workItem: 'cart',
  mergedAt: null,
  body: 'Adds the cart.',
  author: 'shop-job-1',
  approvals: ['ana'],
  mergeable: true,
  comments: 1,
  createdAt: '2026-01-01T11:00:00.000Z',
};
const thread = [
  {
    id: 'c1',
    author: 'ana',
    body: 'Please\r\nadd a \u001B[5mtest',
    inReplyTo: null,
    at: '2026-01-01T11:30:00.000Z',
  },
];
const DIFF = '--- a/x\n+++ b/x\n+\u001B[31mred\r\n';
const BASE = '/forges/local/repos/shop/prs';
const ONE = ['--repo', 'shop', '--number', '1'];

const test = suite<{ home: string; runner: FakeRunner; line: CommandLine }>(
  'pull requests of the local forge',
);

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-pr-'));
  context.runner = await fakeRunner({
    [`GET ${BASE}`]: [200, [pr]],
    [`GET ${BASE}/1`]: [200, { ...pr, thread, headCommit: 'c'.repeat(40) }],
    [`GET ${BASE}/1/diff`]: [200, DIFF],
    'GET /jobs/shop-job-1': [200, { prMappings: [pr] }],
    'GET /jobs/other-job-1': [200, { prMappings: [{ ...pr, forge: 'github' }] }],
    [`POST ${BASE}/1/approve`]: [200, pr],
    [`POST ${BASE}/1/comment`]: [200, pr],
    [`POST ${BASE}/1/merge`]: [200, { ...pr, state: 'merged' }],
    [`POST ${BASE}/1/close`]: [200, { ...pr, state: 'closed' }],
    [`POST ${BASE}/1/reopen`]: [200, pr],
  });
  context.line = new CommandLine(
    { SVC_HOME: context.home, SVC_URL: context.runner.url },
    'from stdin\n',
  );
});
test.after.each(async ({ home, runner }) => {
  await runner.close();
  await rm(home, { recursive: true, force: true });
});

test('svc pr list is a table', async ({ line }) => {
  assert.equal(await line.run(PrListCommand, ['--repo', 'shop']), {
    code: 0,
    out: 'NUMBER  STATE  APPROVALS  BRANCH    CREATED  TITLE\n1       open   1          svc/cart  1 h ago  Add a cart\n',
    err: '',
  });
});

test('svc pr show has the text and the thread, without what could play with the terminal', async ({
  line,
}) => {
  const { out } = await line.run(PrShowCommand, ONE);
  assert.is(
    out.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME'),
    `local:shop#1 open, approved by ana: Add a cart
branches   svc/cart -> main
author     shop-job-1, TIME (1 h ago)
mergeable  yes
address    http://127.0.0.1:3000/forges/local/repos/shop/prs/1

  Adds the cart.

ana TIME (30 min ago) (c1)
  Please
  add a test
`,
  );
});

test('svc pr merge merges the only open pull request of a job', async ({ line, runner }) => {
  const { code } = await line.run(PrMergeCommand, ['--job', 'shop-job-1', '--yes']);
  assert.is(code, 0);
  assert.is(runner.seen.at(-1)?.path, `${BASE}/1/merge`);
});

test('one at another forge is not merged by svc pr merge', async ({ line }) => {
  const { code } = await line.run(PrMergeCommand, ['--job', 'other-job-1', '--yes']);
  assert.is(code, 2);
});

test('svc pr diff gives the very bytes to a file, and --json the same as a member', async ({
  line,
}) => {
  assert.is((await line.run(PrDiffCommand, ONE)).out, DIFF);
  assert.equal(JSON.parse((await line.run(PrDiffCommand, [...ONE, '--json'])).out), { diff: DIFF });
});

const HEAD = 'c'.repeat(40);
const OTHER = 'd'.repeat(40);

test('svc pr merge merges the commit of --head; at a terminal it asks, and merges the commit that it has shown', async ({
  line,
  runner,
}) => {
  const listMerges = () => runner.seen.filter(({ path }) => path.endsWith('/merge'));
  assert.is((await line.run(PrMergeCommand, [...ONE, '--head', OTHER])).code, 0);
  line.answers = ['y', 'n'];
  const result = await line.run(PrMergeCommand, ONE);
  assert.is(result.code, 0);
  assert.match(result.err, new RegExp(`commit {5}${HEAD}[^]*Merge local:shop#1\\? \\[y/N\\] $`));
  const declined = await line.run(PrMergeCommand, ONE);
  assert.is(declined.code, 1);
  assert.match(declined.err, /Nothing was done\.\n$/);
  assert.is((await line.run(PrMergeCommand, [...ONE, '--yes'])).code, 0);
  assert.equal(
    listMerges().map(({ body }) => body),
    [{ head: OTHER }, { head: HEAD }, {}],
  );
});

test('svc pr close and reopen post who does it and why, and say what the pull request is then', async ({
  line,
  runner,
}) => {
  const closed = await line.run(PrCloseCommand, ['shop', '1', '--author', 'ana', '--reason', 'No']);
  const reopened = await line.run(PrReopenCommand, ['shop', '1', '--author', 'ana']);
  assert.equal([closed.code, reopened.code], [0, 0]);
  assert.match(closed.out, 'closed');
  assert.match(reopened.out, 'open');
  assert.equal(
    runner.seen.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]),
    [
      [`${BASE}/1/close`, { author: 'ana', reason: 'No' }],
      [`${BASE}/1/reopen`, { author: 'ana' }],
    ],
  );
});

test('svc pr close is refused inside a session of an agent', async ({ home, runner }) => {
  const agent = new CommandLine({
    SVC_HOME: home,
    SVC_URL: runner.url,
    SVC_SESSION_DIR: join(home, 'session'),
  });
  const { code, err } = await agent.run(PrCloseCommand, ONE);
  assert.is(code, 4);
  assert.match(err, /An agent cannot close pull requests with this command/);
  assert.equal(runner.seen, []);
});

test('svc pr merge is refused inside a session of an agent', async ({ home, runner }) => {
  const inside = new CommandLine({
    SVC_HOME: home,
    SVC_URL: runner.url,
    SVC_SESSION_DIR: '/somewhere',
  });
  const { err } = await inside.run(PrMergeCommand, ONE);
  assert.match(err, /An agent cannot merge with this command/);
  assert.is(runner.seen.length, 0);
});

test('approve, comment and merge post who does it and say what the pull request is then', async ({
  line,
  runner,
}) => {
  const approved = await line.run(PrApproveCommand, [...ONE, '--author', 'ana']);
  const merged = await line.run(PrMergeCommand, ONE);
  const commented = await line.run(PrCommentCommand, [...ONE, '-']);
  assert.equal(
    [approved, merged, commented].map(({ code, out }) => [code, out]),
    [
      [0, 'local:shop#1 open, approved by ana: Add a cart\n'],
      [0, 'local:shop#1 merged, approved by ana: Add a cart\n'],
      [0, 'local:shop#1 open, approved by ana: Add a cart\n'],
    ],
  );
  assert.equal(
    runner.seen.map(({ path, body }) => [path, body]),
    [
      [`${BASE}/1/approve`, { author: 'ana' }],
      [`${BASE}/1/merge`, {}],
      [`${BASE}/1/comment`, { body: 'from stdin' }],
    ],
  );
});

test('a pull request that is not there: 3', async ({ line }) => {
  assert.is((await line.run(PrShowCommand, ['--repo', 'shop', '--number', '9'])).code, 3);
  assert.is((await line.run(PrShowCommand, ['--repo', 'shop', '--number', '0'])).code, 2);
});

test.run();
