import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasMark } from '../../../src/git/marks.ts';
import { bitbucketWebhook } from '../../../src/providers/bitbucket/hooks.ts';
import { answeredClients, type SentRequest } from '../../support/forges/answeredClients.ts';

const test = suite('ids of more digits than a number keeps');

const FIRST = '9007199254740993';
const SECOND = '9007199254740995';
const MADE = '90071992547409951';
const by = { author: 'svc:job', at: 0, operationId: 'op' };

/** A comment as Bitbucket writes it: its ids are numbers. */
const comment = (id: string, raw: string, more = '') =>
  `{"id":${id},"content":{"raw":${JSON.stringify(raw)}},"user":{"type":"user","uuid":"{svc}","nickname":"svc"},` +
  `"created_on":"2026-01-01T00:00:00+00:00","deleted":false,"links":{"html":{"href":"https://host.test/c/${id}"}}${more}}`;

const tip = (name: string) => ({ branch: { name }, commit: { hash: 'a'.repeat(12) } });
const PR = {
  id: 1,
  title: 'T',
  state: 'OPEN',
  links: { html: { href: 'https://host.test/1' } },
  author: { type: 'user', uuid: '{ann}', nickname: 'ann' },
  created_on: '2026-01-01T00:00:00+00:00',
  updated_on: '2026-01-01T00:00:00+00:00',
  comment_count: 2,
  source: tip('feature'),
  destination: { ...tip('main'), repository: { full_name: 'acme/shop' } },
  merge_commit: null,
  closed_by: null,
  participants: [],
};

/** Bitbucket with two comments of the same moment, the later one first, a reply to the other. */
function answerBitbucket({ method, path, body }: SentRequest) {
  if (path.endsWith('/user')) return { body: { type: 'user', uuid: '{svc}', nickname: 'svc' } };
  if (path.endsWith(`/comments/${FIRST}`)) return { body: comment(FIRST, 'Why?') };
  if (/\/comments\/\d+/.test(path)) return { status: 404, body: '' };
  if (path.includes('/comments') && method === 'POST')
    return { status: 201, body: comment(MADE, Object(JSON.parse(body)).content.raw) };
  if (path.includes('/comments')) {
    const inline = ',"inline":{"path":"a.txt","from":null,"to":1}';
    const reply = comment(SECOND, 'Because.', `,"parent":{"id":${FIRST}}`);
    return { body: `{"values":[${reply},${comment(FIRST, 'Why?', inline)}]}` };
  }
  return { body: path.endsWith('/pullrequests/1') ? PR : { values: [] } };
}

test('Bitbucket: comments and their thread keep their ids and their order', async () => {
  const { bitbucket, settled } = answeredClients(answerBitbucket);
  const { thread = [], reviewThreads } = await settled(bitbucket.pullRequest('acme/shop', 1));
  assert.equal(
    thread.map(({ id, inReplyTo }) => [id, inReplyTo]),
    [
      [FIRST, null],
      [SECOND, FIRST],
    ],
  );
  assert.equal(
    reviewThreads?.map(({ id, commentIds }) => [id, commentIds]),
    [[FIRST, [FIRST, SECOND]]],
  );
});

test('Bitbucket: a comment is replied to, by its number, and the reply is named by its own', async () => {
  const { bitbucket, settled, sent } = answeredClients(answerBitbucket);
  const reply = { repo: 'acme/shop', number: 1, body: `"id":"${SECOND}"`, commentId: FIRST };
  const { result } = await settled(bitbucket.write('reply_to_comment', reply, by));
  assert.is(result.commentId, MADE);
  const body = sent.find(({ method }) => method === 'POST')?.body ?? '';
  assert.ok(body.includes(`"parent":{"id":${FIRST}}`), body);
  const { raw } = Object(JSON.parse(body)).content;
  assert.ok(raw.startsWith(reply.body), 'a text that looks like an id stays');
  assert.ok(hasMark(raw, 'op'));
});

test('Bitbucket: a delivery names a comment as the list of comments does', () => {
  const secret = 'the secret of the webhooks';
  const rawBody = Buffer.from(
    `{"repository":{"full_name":"acme/shop"},"pullrequest":${JSON.stringify(PR)},"comment":${comment(FIRST, 'Why?')}}`,
  );
  const hex = createHmac('sha256', secret).update(rawBody).digest('hex');
  const read = bitbucketWebhook(secret);
  const headers = { 'x-hub-signature': `sha256=${hex}`, 'x-request-uuid': 'one' };
  assert.is(read({ headers, rawBody, receivedAt: 0 }).event?.id, `comment-${FIRST}`);
});

test('Jira: an id that is a text there stays a text, however many digits it has', async () => {
  const id = '12345678901234567';
  const { jira, settled, sent } = answeredClients(({ method, path }) => {
    if (method === 'POST') return { status: 204 };
    if (path.includes('/transitions'))
      return { body: { transitions: [{ id, name: 'Finish', to: { name: 'Done' } }] } };
    if (path.endsWith('/remotelink')) return { body: [] };
    const fields = {
      summary: 'S',
      labels: [],
      status: { name: 'Open', statusCategory: { key: 'new' } },
      issuetype: { name: 'Bug' },
      project: { key: 'SHOP' },
    };
    return { body: { id: '1', key: 'SHOP-1', fields } };
  });
  await settled(jira.transition('SHOP-1', 'Done', 'op', {}));
  const moved = sent.find(({ method }) => method === 'POST')?.body ?? '{}';
  assert.equal(JSON.parse(moved), { transition: { id } });
});

test.run();
