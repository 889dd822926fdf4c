import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answeredClients, type SentRequest } from '../../support/forges/answeredClients.ts';

const test = suite('answers that are written in another way');

const DIFF = 'diff --git a/ä b/ä\n--- a/ä\n+++ b/ä\n@@ -1 +1 @@\n-{"id":9007199254740993}\n+b\n';

for (const [title, type] of [
  ['without a charset', 'application/vnd.github.diff'],
  ['as bytes', 'application/octet-stream'],
  ['without a content type', undefined],
  ['with another charset than its own', 'text/plain; charset=iso-8859-1'],
  ['as JSON', 'application/json'],
] as const)
  for (const forge of ['github', 'gitlab', 'bitbucket'] as const)
    test(`${forge}: a diff ${title} is the diff`, async () => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const clients = answeredClients(() => ({ headers, body: DIFF }));
      assert.is(await clients.settled(clients[forge].diff('acme/shop', 1)), DIFF);
    });

test('GitHub: what is asked for as JSON is read as that, whatever the content type says', async () => {
  for (const type of ['text/html', 'application/octet-stream', '']) {
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    const clients = answeredClients(() => ({ headers, body: { login: 'svc' } }));
    assert.is(await clients.settled(clients.github.self()), 'svc');
  }
});

test('a page that leads to itself, and pages without end and without items, end a list', async () => {
  const comment = (n: number) => ({ id: String(n), created: '2026-01-01T00:00:00.000+0000' });
  const jira = answeredClients(({ path }) => {
    const startAt = Number(new URL(`https://x${path}`).searchParams.get('startAt') ?? 0);
    return { body: { comments: [comment(startAt)], startAt: 0, total: 1_000_000 } };
  });
  assert.ok((await jira.settled(jira.jira.comments('SHOP-1'))).length <= 2);

  const empty = answeredClients(({ path }) => {
    const token = new URL(`https://x${path}`).searchParams.get('nextPageToken') ?? '';
    return { body: { issues: [], nextPageToken: `${token}x`, isLast: false } };
  });
  assert.equal(await empty.settled(empty.jira.search('words', 5)), []);
  assert.ok(empty.sent.length <= 501, String(empty.sent.length));
});

const HUGE = '9007199254740993';

test('ids of 64 bits stay what they are', async () => {
  const answer = ({ method, path }: SentRequest) => {
    if (path.endsWith('/user')) return { body: { login: 'svc' } };
    if (path.includes('/comments?')) return { body: [] };
    if (method === 'POST')
      return {
        status: 201,
        body: `{"id":${HUGE},"html_url":"https://host.test/c","created_at":"2026-01-01T00:00:00Z","body":"x","user":{"login":"svc"}}`,
      };
    const base = { ref: 'main', repo: { full_name: 'acme/shop' } };
    return {
      body: {
        number: 1,
        title: 'T',
        html_url: 'u',
        state: 'open',
        merged_at: null,
        head: { ref: 'f' },
        base,
      },
    };
  };
  const { github, githubIssues, settled, sent } = answeredClients(answer);
  const by = { author: 'svc:job', at: 0, operationId: 'op' };
  const pr = { repo: 'acme/shop', number: 1, body: 'Hello' };
  const commentWrite = await settled(github.write('post_pr_comment', pr, by));
  assert.is(commentWrite.result.commentId, `issue-${HUGE}`);
  const reply = { ...pr, commentId: `thread-${HUGE}` };
  const replyWrite = await settled(github.write('reply_to_comment', reply, by));
  assert.is(replyWrite.result.commentId, `thread-${HUGE}`);
  assert.ok(sent.some(({ path }) => path.endsWith(`/pulls/1/comments/${HUGE}/replies`)));
  const comment = await settled(githubIssues.comment('acme/shop#1', 'Hello', 'op'));
  assert.is(comment.id, HUGE);
});

test.run();
