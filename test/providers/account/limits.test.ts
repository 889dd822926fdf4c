import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import { runAsCaller } from '../../../src/providers/account/caller.ts';
import {
  readAccountLimits,
  readNearLimit,
  readRefusedUntil,
} from '../../../src/providers/account/limits.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { unscreened } from '../../support/standIns/unscreened.ts';

const test = suite('scm broker: limits');

const NOW = Date.UTC(2026, 0, 1);
const answer = (status: number, headers: Record<string, string>, text = '') => ({
  status,
  headers: new Headers(headers),
  text,
});
const LINEAR = {
  'x-ratelimit-requests-limit': '5000',
  'x-ratelimit-requests-remaining': '12',
  'x-ratelimit-requests-reset': String(NOW + 5_000),
  'x-ratelimit-complexity-limit': '250000',
  'x-ratelimit-complexity-reset': String(NOW + 9_000),
};
const RATELIMITED = JSON.stringify({
  errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED' } }],
});

test('limits are read as GitHub, Linear and Jira write them', () => {
  const github = {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '3',
    'x-ratelimit-reset': String(NOW / 1000),
    'x-ratelimit-resource': 'search',
  };
  assert.equal(readAccountLimits(answer(200, github)), [
    { resource: 'search', limit: 60, remaining: 3, resetsAt: NOW },
  ]);
  assert.equal(
    readAccountLimits(answer(200, { ...LINEAR, 'x-ratelimit-complexity-remaining': '7' })),
    [
      { resource: 'graphql', limit: 5000, remaining: 12, resetsAt: NOW + 5_000 },
      { resource: 'complexity', limit: 250_000, remaining: 7, resetsAt: NOW + 9_000 },
    ],
  );
  // Jira names the end of its limit by a date.
  assert.equal(
    readAccountLimits(
      answer(200, {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '3',
        'x-ratelimit-reset': '2026-01-01T00:00Z',
      }),
    ),
    [{ resource: 'core', limit: 60, remaining: 3, resetsAt: Date.parse('2026-01-01T00:00Z') }],
  );
});

for (const [what, headers] of [
  ['a wait of years', { 'retry-after': '9999999999' }],
  ['a wait of more digits than a number has', { 'retry-after': '9'.repeat(400) }],
  ['a wait below 0', { 'retry-after': '-5' }],
  ['a wait that is no number', { 'retry-after': 'soon' }],
  ['a fraction', { 'retry-after': '0.4e' }],
  ['a date in 9999', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }],
  [
    'a reset far away',
    { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999' },
  ],
  [
    'a reset that is no time at all',
    {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '9'.repeat(30),
    },
  ],
] as const)
  test(`a refusal that names ${what} is waited out for a minute`, () => {
    assert.is(readRefusedUntil(answer(429, headers), NOW), NOW + 60_000);
  });

test('a refusal that names a time that is over is not before now', () => {
  const headers = { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' };
  assert.is(readRefusedUntil(answer(429, headers), NOW), NOW);
});

test('numbers of a limit that are too large to be counted are left out', () => {
  const headers = {
    'x-ratelimit-limit': '9'.repeat(20),
    'x-ratelimit-remaining': '3',
    'x-ratelimit-reset': String(NOW / 1000),
  };
  assert.equal(readAccountLimits(answer(200, headers)), []);
});

test('a refusal says until when: by Retry-After, by the limit that is spent, else for a minute', () => {
  assert.is(readRefusedUntil(answer(429, { 'retry-after': '30' }), NOW), NOW + 30_000);
  const complex = { ...LINEAR, 'x-ratelimit-complexity-remaining': '0' };
  assert.is(readRefusedUntil(answer(400, complex, RATELIMITED), NOW), NOW + 9_000);
  assert.is(readRefusedUntil(answer(400, {}, RATELIMITED), NOW), NOW + 60_000);
  assert.is(readRefusedUntil(answer(400, complex, '{"errors":[{"message":"no"}]}'), NOW), null);
  assert.is(
    readRefusedUntil(
      answer(200, {}, '{"data":null,"errors":[{"type":"RATE_LIMITED","message":"x"}]}'),
      NOW,
    ),
    NOW + 60_000,
  );
  const secondary = JSON.stringify({
    message: 'You have exceeded a secondary rate limit. Please wait a few minutes.',
  });
  assert.is(readRefusedUntil(answer(403, {}, secondary), NOW, false), NOW + 60_000);
  assert.is(
    readRefusedUntil(answer(403, { 'x-ratelimit-remaining': '0' }), NOW, false),
    NOW + 60_000,
  );
  // What a person writes about it is no refusal.
  assert.is(
    readRefusedUntil(answer(200, {}, JSON.stringify({ body: '"code":"RATELIMITED"' })), NOW),
    null,
  );
});

test('a refusal of Jira says until when: by Retry-After, else by its date, which is to the minute', () => {
  const date = { 'x-ratelimit-reset': '2026-01-01T00:02Z', 'x-ratelimit-remaining': '0' };
  assert.is(readRefusedUntil(answer(429, { ...date, 'retry-after': '7' }), NOW), NOW + 7_000);
  assert.is(readRefusedUntil(answer(429, date), NOW), NOW + 3 * 60_000);
  const exact = { 'x-ratelimit-reset': '2026-01-01T00:02:03Z' };
  assert.is(readRefusedUntil(answer(429, exact), NOW), NOW + 123_000);
  assert.is(readRefusedUntil(answer(429, { 'x-ratelimit-reset': 'soon' }), NOW), NOW + 60_000);
  // Data Center has these headers on every answer, also on one that refuses for want of a right.
  const headers = { 'retry-after': '0', 'x-ratelimit-remaining': '9' };
  assert.is(readRefusedUntil(answer(403, headers), NOW, false), null);
  assert.is(
    readRefusedUntil(answer(403, { ...headers, 'retry-after': '3' }), NOW, false),
    NOW + 3_000,
  );
});

test('a limit that is nearly spent is left to the runner where it is of an hour, and not at Jira', async () => {
  const near = { 'x-ratelimit-limit': '100', 'x-ratelimit-nearlimit': 'true' };
  for (const [shortWindows, code] of [
    [false, 'rate-limited'],
    [true, ''],
  ] as const) {
    const accountClient = new AccountClient({
      mayAct: mayAlwaysAct,
      screen: unscreened,
      host: 'the fake',
      clock: new SimulatedClock(),
      random: () => 0,
      perJob: 9,
      shortWindows,
      fetch: async () => new Response('{}', { headers: near }),
    });
    const ask = () =>
      runAsCaller({ jobId: 'j', phase: 'p' }, () => accountClient.fetch('https://jira.test/x'));
    await ask();
    const again = await ask().catch((error: unknown) => error);
    assert.is(again instanceof SvcError ? again.code : '', code);
  }
});

test('a server that refuses again and again is asked after growing waits, whatever it says', async () => {
  const clock = new SimulatedClock();
  const began = clock.now();
  const times: number[] = [];
  const accountClient = new AccountClient({
    mayAct: mayAlwaysAct,
    screen: unscreened,
    host: 'the fake',
    clock,
    random: () => 0,
    perJob: 9,
    async fetch() {
      times.push(clock.now() - began);
      return new Response('', { status: 429, headers: { 'retry-after': '0' } });
    },
  });
  let over = false;
  const refusal = catchRefusal(() => accountClient.fetch('https://jira.test/x')).finally(() => {
    over = true;
  });
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!over) clock.runNext();
  }
  assert.is((await refusal).code, 'rate-limited');
  assert.equal(times.slice(0, 6), [0, 0, 1_000, 3_000, 7_000, 15_000]);
});

test('the text of an answer says nothing about limits, regardless of its author: neither a diff, nor a comment, nor the reason of another refusal', () => {
  const diff =
    'diff --git a/x b/x\n+const code = "RATE_LIMITED";\n+{"errors":[{"extensions":{"code":"RATELIMITED"}}]}\n';
  assert.is(readRefusedUntil(answer(200, {}, diff), NOW, false), null);
  assert.is(readRefusedUntil(answer(200, {}, diff), NOW, true), null);
  assert.is(readRefusedUntil(answer(400, {}, diff), NOW, false), null);
  // A REST answer that looks like one of GraphQL.
  assert.is(readRefusedUntil(answer(200, {}, RATELIMITED), NOW, false), null);
  assert.is(
    readRefusedUntil(
      answer(403, {}, 'Forbidden by a rule about "rate limit" and abuse detection'),
      NOW,
      false,
    ),
    null,
  );
  const quoted = JSON.stringify({
    message: 'Resource not accessible: branch "API rate limit exceeded"',
  });
  assert.is(readRefusedUntil(answer(403, {}, quoted), NOW, false), null);
  const comment = JSON.stringify({
    data: { node: { body: '"type":"RATE_LIMITED"', errors: [{ type: 'RATE_LIMITED' }] } },
  });
  assert.is(readRefusedUntil(answer(200, {}, comment), NOW, true), null);
});

test('a question of GraphQL that writes goes out once; one that reads is tried again', async () => {
  const bodies: string[] = [];
  const clock = new SimulatedClock();
  const fetch = async (_url: unknown, init: RequestInit = {}) => {
    bodies.push(String(init.body));
    throw new Error('cut');
  };
  const accountClient = new AccountClient({
    mayAct: mayAlwaysAct,
    screen: unscreened,
    host: 'linear',
    clock,
    random: () => 0,
    fetch: fetch as typeof globalThis.fetch,
    perJob: 9,
    writeGapMs: 0,
  });
  const ask = async (query: string) => {
    bodies.length = 0;
    const refusal = catchRefusal(() =>
      accountClient.fetch('https://api.test/graphql', {
        method: 'POST',
        body: JSON.stringify({ query, variables: { query: 'mutation' } }),
      }),
    );
    for (let turns = 0; turns < 50; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.runNext();
    }
    return [(await refusal).data.sent, bodies.length];
  };
  assert.equal(await ask('mutation ($a: Int) { x }'), [true, 1]);
  assert.equal(await ask('\n  mutation { x }'), [true, 1]);
  assert.equal(await ask('query { mutation }'), [false, 4]);
  assert.equal(await ask('{ mutation }'), [false, 4]);
});

test('a limit that is near is believed for its own window: Jira’s by its end, Bitbucket’s for five minutes', () => {
  const near = { 'x-ratelimit-limit': '350', 'x-ratelimit-nearlimit': 'true' };
  const ends = new Date(NOW + 1_000).toISOString();
  assert.equal(readNearLimit(answer(200, near), NOW), [
    { resource: 'core', limit: 350, remaining: 35, resetsAt: NOW + 300_000 },
  ]);
  assert.equal(readNearLimit(answer(200, { ...near, 'x-ratelimit-reset': ends }), NOW), [
    { resource: 'core', limit: 350, remaining: 35, resetsAt: NOW + 1_000 },
  ]);
  // With what is left as well, there is nothing to guess.
  const exact = { ...near, 'x-ratelimit-reset': ends, 'x-ratelimit-remaining': '60' };
  assert.equal(readNearLimit(answer(200, exact), NOW), []);
  assert.equal(readAccountLimits(answer(200, exact)), [
    { resource: 'core', limit: 350, remaining: 60, resetsAt: NOW + 1_000 },
  ]);
  const spent = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': ends };
  assert.is(readRefusedUntil(answer(429, spent), NOW), NOW + 1_000);
});

test.run();
