import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { githubWebhook } from '../../../src/providers/github/plugin.ts';
import { codeOfRefusal } from '../../support/refusal.ts';
import { githubExamples } from '../../support/forges/webhookExamples.ts';

const test = suite('webhooks: GitHub');

const SECRET = 'the secret';
const read = githubWebhook(SECRET);

const signRequest = (body: string, more: Record<string, string> = {}) => ({
  rawBody: Buffer.from(body),
  receivedAt: 0,
  headers: {
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    ...more,
  },
});

/** Events of pull requests, and where in the payload the number stands. */
const ABOUT_PRS = [
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
];
const EXAMPLES = githubExamples().map(({ name, payload }) => ({ name, payload: Object(payload) }));

test('every example of GitHub that concerns a pull request is matched to it (EVT-4)', () => {
  let count = 0;
  for (const { name, payload } of EXAMPLES.filter((one) => ABOUT_PRS.includes(one.name))) {
    const { subject } = read(signRequest(JSON.stringify(payload)));
    const { repository, pull_request: pr } = payload;
    assert.equal(
      subject,
      { repo: repository.full_name, numbers: [pr.number] },
      `${name} ${payload.action}`,
    );
    count += 1;
  }
  assert.ok(count >= 41, String(count));
});

test('comments on issues concern no pull request, those on pull requests do; checks and statuses lead to all that they may mean', () => {
  const of = (eventName: string) =>
    EXAMPLES.filter(({ name }) => name === eventName).map(
      ({ payload }) => [payload, read(signRequest(JSON.stringify(payload))).subject] as const,
    );
  for (const [{ issue, repository }, subject] of of('issue_comment')) {
    const expected = issue.pull_request
      ? { repo: repository.full_name, numbers: [issue.number] }
      : null;
    assert.equal(subject, expected);
  }
  for (const [{ check_run: run, repository }, subject] of of('check_run')) {
    const numbers = run.pull_requests.map(({ number }: { number: number }) => number);
    assert.equal(subject, {
      repo: repository.full_name,
      numbers: numbers.length > 0 ? numbers : null,
    });
  }
  for (const [{ repository }, subject] of of('status'))
    assert.equal(subject, { repo: repository.full_name, numbers: null });
  for (const name of ['star', 'ping', 'label'])
    for (const [, subject] of of(name)) assert.is(subject, null, name);
});

test('what is not signed is not looked at; what is signed and cannot be read is reported as such', async () => {
  assert.is(
    await codeOfRefusal(() => read({ ...signRequest('{}'), rawBody: Buffer.from('{ }') })),
    'unauthorized',
  );
  assert.is(
    await codeOfRefusal(() => read(signRequest('{}', { 'x-hub-signature-256': '' }))),
    'unauthorized',
  );
  assert.is(await codeOfRefusal(() => read(signRequest('payload=%7B'))), 'malformed');
  assert.is(
    await codeOfRefusal(() => read(signRequest('{}', { 'x-github-delivery': '../..' }))),
    'malformed',
  );
});

test('the name of the event in the header is not signed, and counts for nothing', () => {
  const { payload } =
    EXAMPLES.find(({ name, payload: one }) => name === 'issues' && one.action === 'labeled') ?? {};
  const { event } = read(
    signRequest(JSON.stringify(payload), { 'x-github-event': 'pull_request' }),
  );
  assert.is(event?.event, 'issue.labeled');
});

test('whether the author belongs to the repository is said of those who wrote it, and of those who sort the issues of others', () => {
  const issue = {
    number: 3,
    title: 'T',
    user: { login: 'ann' },
    author_association: 'NONE',
    labels: [],
    html_url: 'u',
    updated_at: '2026-01-01T00:00:00Z',
  };
  const event = (action: string, login: string, more: object = {}) =>
    read(
      signRequest(
        JSON.stringify({
          action,
          issue,
          repository: { full_name: 'acme/shop' },
          sender: { login, type: 'User' },
          ...more,
        }),
      ),
    ).event;
  const who = (one: ReturnType<typeof event>) => [one?.member, one?.bot];
  assert.equal(who(event('opened', 'ann')), [false, false]);
  assert.equal(
    who(event('labeled', 'ann', { label: { name: 'bug' } })),
    [false, false],
    'set by a form, not by a member',
  );
  assert.equal(who(event('labeled', 'bob', { label: { name: 'bug' } })), [true, false]);
  assert.equal(who(event('edited', 'bob')), [null, false]);
  assert.equal(who(event('labeled', 'robot[bot]', { label: { name: 'bug' } })), [true, true]);
  const comment = {
    id: 1,
    body: 'hm',
    user: { login: 'eve' },
    author_association: 'MEMBER',
    html_url: 'u',
    created_at: '2026-01-01T00:00:00Z',
  };
  assert.equal(who(event('created', 'eve', { comment })), [true, false]);
  assert.equal(who(event('edited', 'ann', { comment })), [null, false]);
});

test.run();
