import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  parseHeaderList,
  POST_TIMEOUT_MS,
  postSpans,
  toTracesUrl,
} from '../../../src/host/traces/postSpans.ts';
import { type CollectorReply, FakeCollector } from '../../support/traces/fakeCollector.ts';

const test = suite('host/traces: requests to a collector');

const collector = new FakeCollector();
test.before(async () => {
  await collector.start();
});
test.after(() => collector.stop());

const post = (reply: CollectorReply, timeoutMs = POST_TIMEOUT_MS) => {
  collector.replies.push(reply);
  return postSpans({
    endpoint: collector.url,
    headers: { authorization: 'Bearer a' },
    body: '{"resourceSpans":[]}',
    signal: new AbortController().signal,
    timeoutMs,
    now: () => Date.parse('2026-11-30T10:00:00Z'),
  });
};

const ACCEPTED = { is: 'accepted', rejected: 0, message: '' };

test('200 with an empty answer is accepted', async () => {
  assert.equal(await post({ status: 200, body: '{}' }), ACCEPTED);
});

test('200 without a body is accepted', async () => {
  assert.equal(await post({ status: 200 }), ACCEPTED);
});

test('a partial success says how many spans were not taken, and why', async () => {
  const body = JSON.stringify({
    partialSuccess: { rejectedSpans: '3', errorMessage: 'too old' },
  });
  assert.equal(await post({ status: 200, body }), {
    is: 'accepted',
    rejected: 3,
    message: 'too old',
  });
});

test('a page in HTML with status 200 is no collector, and the spans are sent again', async () => {
  const outcome = await post({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<html>Log in</html>',
  });
  assert.is(outcome.is, 'failed');
});

test('a JSON list with status 200 is no answer of a collector', async () => {
  assert.is((await post({ status: 200, body: '[]' })).is, 'failed');
});

test('400 drops the spans', async () => {
  assert.equal(await post({ status: 400, body: '{"message":"bad data"}' }), {
    is: 'dropped',
    problem: 'answered 400: bad data',
  });
});

for (const status of [413, 415, 422, 500, 501])
  test(`${status} drops the spans`, async () => {
    assert.is((await post({ status, body: '' })).is, 'dropped');
  });

for (const status of [401, 403, 404, 405, 502, 503, 504])
  test(`after ${status} the spans are sent again`, async () => {
    assert.equal(await post({ status, body: '' }), {
      is: 'failed',
      problem: `answered ${status}`,
      retryAfterMs: null,
    });
  });

test('429 names the wait in seconds', async () => {
  const outcome = await post({ status: 429, headers: { 'retry-after': '7' } });
  assert.is(outcome.is === 'failed' && outcome.retryAfterMs, 7_000);
});

test('503 names the time until which to wait', async () => {
  const headers = { 'retry-after': 'Mon, 30 Nov 2026 10:01:00 GMT' };
  const outcome = await post({ status: 503, headers });
  assert.is(outcome.is === 'failed' && outcome.retryAfterMs, 60_000);
});

test('a redirect is not followed: its headers may hold a login', async () => {
  const outcome = await post({ status: 307, headers: { location: 'http://127.0.0.1:1/' } });
  assert.is(outcome.is, 'failed');
});

test('a collector that does not answer is left after the time limit', async () => {
  assert.equal(await post('never', 200), {
    is: 'failed',
    problem: 'did not answer within 0.2 s',
    retryAfterMs: null,
  });
});

test('a collector that does not listen is tried again', async () => {
  const closed = await new FakeCollector().start();
  const { url } = closed;
  closed.stop();
  const outcome = await postSpans({
    endpoint: url,
    headers: {},
    body: '{}',
    signal: new AbortController().signal,
    now: Date.now,
  });
  assert.is(outcome.is, 'failed');
});

test('the path of the protocol is appended once', () => {
  assert.equal(
    [
      'http://a:4318',
      'http://a:4318/',
      'https://a/otlp/',
      'https://a/otlp/v1/traces',
      'https://a/v1/traces/?x=1',
    ].map(toTracesUrl),
    [
      'http://a:4318/v1/traces',
      'http://a:4318/v1/traces',
      'https://a/otlp/v1/traces',
      'https://a/otlp/v1/traces',
      'https://a/v1/traces/?x=1',
    ],
  );
});

test('headers of a variable are percent-decoded, and what is none is left out', () => {
  assert.equal(parseHeaderList('api-key=a%20b, x = c=d ,,nothing,=e,bad=%zz'), {
    'api-key': 'a b',
    x: 'c=d',
    bad: '%zz',
  });
});

test('every request was posted as the protocol asks for', () => {
  assert.equal(collector.problems, []);
  assert.ok(collector.requests.every(({ headers }) => headers['authorization'] === 'Bearer a'));
});

test.run();
