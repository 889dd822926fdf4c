import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  answeredClients,
  type GivenAnswer,
  type SentRequest,
} from '../../support/forges/answeredClients.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('refusals that pass');

const MADE = {
  status: 201,
  body: { id: 1, html_url: 'u', created_at: '2026-01-01T00:00:00Z', body: 'x', user: null },
};

/** Answers each request with the next of these; the last one repeatedly. */
const inTurn = (isMeant: (request: SentRequest) => boolean, answers: readonly GivenAnswer[]) => {
  let n = 0;
  return (request: SentRequest): GivenAnswer => {
    if (request.path.endsWith('/user')) return { body: { login: 'svc' } };
    if (!isMeant(request)) return { body: [] };
    const answer = answers[Math.min(n, answers.length - 1)] ?? {};
    n += 1;
    return answer;
  };
};

const isPost = ({ method }: SentRequest) => method === 'POST';
const validation = (...errors: unknown[]): GivenAnswer => ({
  status: 422,
  body: { message: 'Validation Failed', errors },
});

for (const [name, refusal] of [
  ['a text', validation('was submitted too quickly')],
  ['a text with what it is about', validation('Comment was submitted too quickly')],
  ['a message', validation({ code: 'custom', message: 'was submitted too quickly' })],
  ['the code abuse', validation({ resource: 'Comment', code: 'abuse' })],
] as const)
  test(`GitHub's limit of content, as ${name}, is waited for a minute, and the write is sent once more`, async () => {
    const { githubIssues, settled, sent } = answeredClients(inTurn(isPost, [refusal, MADE]));
    await settled(githubIssues.comment('acme/shop#1', 'Hello', 'op'));
    const posts = sent.filter(isPost);
    assert.is(posts.length, 2);
    const waited = (posts[1]?.at ?? 0) - (posts[0]?.at ?? 0);
    assert.ok(waited >= 60_000 && waited < 90_000, `${waited} ms`);
  });

test('a content limit that lasts is a limit, and no wrong argument', async () => {
  const answer = inTurn(isPost, [validation('was submitted too quickly')]);
  const { githubIssues, settled, sent } = answeredClients(answer);
  const code = await codeOfRefusal(() =>
    settled(githubIssues.comment('acme/shop#1', 'Hello', 'op')),
  );
  assert.is(code, 'rate-limited');
  assert.is(sent.filter(isPost).length, 2);
});

test('text that a user has written is never taken for a limit', async () => {
  const echo = validation({ field: 'body', code: 'invalid', value: 'was submitted too quickly' });
  const { githubIssues, settled, sent } = answeredClients(inTurn(isPost, [echo]));
  const code = await codeOfRefusal(() =>
    settled(githubIssues.comment('acme/shop#1', 'Hello', 'op')),
  );
  assert.is(code, 'bad-argument');
  assert.is(sent.filter(isPost).length, 1);
});

const isQuestion = ({ path }: SentRequest) => path.endsWith('/graphql');
const WENT_WRONG = {
  body: {
    data: null,
    errors: [
      { message: 'Something went wrong while executing your query. Please include `ABCD`.' },
    ],
  },
};

test("GitHub's own failure under status 200 is asked again like a 502, whole and without its lists", async () => {
  const { github, settled, sent } = answeredClients(inTurn(isQuestion, [WENT_WRONG]));
  const code = await codeOfRefusal(() => settled(github.pullRequest('acme/shop', 1)));
  assert.is(code, 'unreachable');
  assert.is(sent.filter(isQuestion).length, 2 * 4);
});

for (const extensions of [{ code: 'INTERNAL_SERVER_ERROR' }, { type: 'lock timeout' }])
  test(`Linear's own failure is asked again: ${JSON.stringify(extensions)}`, async () => {
    const failed = { status: 400, body: { errors: [{ message: 'x', extensions }] } };
    const { linear, settled, sent } = answeredClients(() => failed);
    const code = await codeOfRefusal(() => settled(linear.issue('ENG-1')));
    assert.is(code, 'unreachable');
    assert.is(sent.length, 4);
  });

test('an error about the question is not asked again', async () => {
  const errors = [{ message: 'Entity not found: Issue', extensions: { code: 'INPUT_ERROR' } }];
  const { linear, settled, sent } = answeredClients(() => ({ status: 400, body: { errors } }));
  assert.is(await codeOfRefusal(() => settled(linear.issue('ENG-1'))), 'not-found');
  assert.is(sent.length, 1);
});

test('a 503 that names a time is asked again at that time', async () => {
  const busy = { status: 503, headers: { 'retry-after': '20' } };
  const issueReply = { body: { key: 'SHOP-1', fields: {} } };
  const answer = inTurn(({ path }) => !path.includes('remotelink'), [busy, issueReply]);
  const { jira, settled, sent } = answeredClients(answer);
  await settled(jira.issue('SHOP-1'));
  assert.ok((sent[1]?.at ?? 0) >= 20_000, `${sent[1]?.at} ms`);
});

test.run();
