import { createHmac } from 'node:crypto';
import definitions from '@octokit/webhooks-examples';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { concerned } from '../../src/webhooks/delivery.ts';
import { githubWebhook } from '../../src/webhooks/github.ts';
import { codeOfRefusal } from '../support/refusal.ts';

const test = suite('plugins: webhooks of GitHub');

/** The types of the package say that this is a module within a module. */
const examples: { name: string; examples: unknown[] }[] = Object(definitions);

const SECRET = 'the secret';
const read = githubWebhook(SECRET);

const signed = (body: string, more: Record<string, string> = {}) => ({
  rawBody: Buffer.from(body),
  headers: {
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    ...more,
  },
});

/** Events of pull requests, and where in the payload the number stands. */
const ABOUT_PRS = ['pull_request', 'pull_request_review', 'pull_request_review_comment', 'pull_request_review_thread'];

test('every example of GitHub that concerns a pull request is matched to it (EVT-4)', () => {
  let seen = 0;
  for (const { name, examples: payloads } of examples) {
    if (!ABOUT_PRS.includes(name)) continue;
    for (const payload of payloads) {
      const { repository, pull_request: pr } = Object(payload);
      const { subject } = read(signed(JSON.stringify(payload)));
      assert.equal(subject, { repo: repository.full_name, numbers: [pr.number] }, `${name} ${Object(payload).action}`);
      assert.equal(
        concerned(subject ?? { repo: '', numbers: [] }, [{ repo: repository.full_name.toUpperCase(), number: pr.number }]).length,
        1,
      );
      seen += 1;
    }
  }
  assert.ok(seen >= 41, String(seen));
});

test('comments on issues concern nobody, those on pull requests do; checks and statuses lead to all that they may mean', () => {
  const of = (name: string) =>
    examples
      .filter((one) => one.name === name)
      .flatMap((one) => one.examples)
      .map((payload) => [Object(payload), read(signed(JSON.stringify(payload))).subject] as const);
  for (const [{ issue, repository }, subject] of of('issue_comment')) {
    const expected = issue.pull_request ? { repo: repository.full_name, numbers: [issue.number] } : null;
    assert.equal(subject, expected);
  }
  for (const [{ check_run: run, repository }, subject] of of('check_run')) {
    const numbers = run.pull_requests.map(({ number }: { number: number }) => number);
    assert.equal(subject, { repo: repository.full_name, numbers: numbers.length > 0 ? numbers : null });
  }
  for (const [{ repository }, subject] of of('status')) assert.equal(subject, { repo: repository.full_name, numbers: null });
  for (const name of ['star', 'ping', 'label']) for (const [, subject] of of(name)) assert.is(subject, null, name);
});

test('what is not signed is not looked at; what is signed and cannot be read is said to be so', async () => {
  assert.is(await codeOfRefusal(() => read({ ...signed('{}'), rawBody: Buffer.from('{ }') })), 'unauthorized');
  assert.is(await codeOfRefusal(() => read(signed('{}', { 'x-hub-signature-256': '' }))), 'unauthorized');
  assert.is(await codeOfRefusal(() => read(signed('payload=%7B%7D'))), 'malformed');
  assert.is(await codeOfRefusal(() => read(signed('{}', { 'x-github-delivery': '../..' }))), 'malformed');
});

test.run();
