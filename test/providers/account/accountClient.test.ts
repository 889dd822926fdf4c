import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runAsCaller } from '../../../src/providers/account/caller.ts';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { unscreened } from '../../support/standIns/unscreened.ts';

const test = suite('scm broker: the accountClient');
const URL = 'https://api.test/x';

type Reply = { status?: number; headers?: Record<string, string>; body?: string } | Error;

/**
 * A account client to a server that gives these answers in sequence; the last one repeatedly.
 */
function doorTo(replies: Reply[], perJob = 100) {
  const clock = new SimulatedClock();
  const seen: { at: number; method: string; etag: string | null }[] = [];
  const start = clock.now();
  const accountClient = new AccountClient({
    mayAct: mayAlwaysAct,
    screen: unscreened,
    host: 'api.test',
    clock,
    random: () => 0,
    perJob,
    fetch: async (_url, init = {}) => {
      const reply = replies[Math.min(seen.length, replies.length - 1)] ?? {};
      seen.push({
        at: clock.now() - start,
        method: init.method ?? 'GET',
        etag: new Headers(init.headers).get('if-none-match'),
      });
      if (reply instanceof Error) throw reply;
      const { status = 200, headers = {}, body = '' } = reply;
      return new Response(status === 304 ? null : body, { status, headers });
    },
  });
  /** Runs the clock on until the promise is settled. */
  const settleWithTimers = async <T>(work: Promise<T>): Promise<T> => {
    let over = false;
    const watched = work.finally(() => {
      over = true;
    });
    watched.catch(() => {});
    for (let turns = 0; !over && turns < 1_000; turns += 1) {
      for (let n = 0; n < 20; n += 1) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      if (!over) clock.runNext();
    }
    return watched;
  };
  return { accountClient, clock, seen, start, settled: settleWithTimers };
}

const limits = (remaining: number, resetSeconds: number): Record<string, string> => ({
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetSeconds),
});

test('an answer is asked for again by its ETag; "not modified" gives the kept one and does not count', async () => {
  const { accountClient, seen, settled } = doorTo([
    { headers: { etag: '"1"' }, body: 'one' },
    { status: 304 },
  ]);
  const first = await settled(accountClient.fetch(URL));
  const second = await settled(accountClient.fetch(URL));
  assert.equal(await first.text(), 'one');
  assert.equal(await second.text(), 'one');
  assert.equal(second.status, 200);
  assert.equal(
    seen.map(({ etag }) => etag),
    [null, '"1"'],
  );
  assert.equal(accountClient.budget().sent, 2);
  assert.equal(accountClient.budget().notModified, 1);
});

test('a read that fails is repeated with growing waits; a write is not', async () => {
  const reads = doorTo([{ status: 502 }, new Error('reset'), { body: 'there' }]);
  assert.is(await (await reads.settled(reads.accountClient.fetch(URL))).text(), 'there');
  assert.equal(
    reads.seen.map(({ at }) => at),
    [0, 250, 750],
  );
  const writes = doorTo([Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })]);
  const lost = await catchRefusal(() =>
    writes.settled(writes.accountClient.fetch(URL, { method: 'POST' })),
  );
  assert.equal(lost.code, 'unreachable');
  assert.equal(lost.data.sent, true);
  assert.equal(writes.seen.length, 1);
});

test('a write that cannot have reached the server is reported as not sent', async () => {
  const { accountClient, settled } = doorTo([
    Object.assign(new Error('fetch failed'), { cause: { code: 'ECONNREFUSED' } }),
  ]);
  const refused = await catchRefusal(() => settled(accountClient.fetch(URL, { method: 'POST' })));
  assert.equal(refused.code, 'unreachable');
  assert.equal(refused.data.sent, false);
});

test('what has to be on disk before a write is asked for when its turn has come, and a failure of that keeps it back', async () => {
  const { accountClient, seen, settled } = doorTo([{ body: 'ok' }]);
  const order: string[] = [];
  const write = (name: string, fails = false) => {
    const beforeWrite = async () => {
      order.push(`${name} after ${seen.length}`);
      if (fails) throw new Error('the disk is full');
    };
    return runAsCaller({ jobId: name, phase: 'coding', prepareWrite: beforeWrite }, () =>
      accountClient.fetch(URL, { method: 'POST' }),
    );
  };
  const [first, second, third] = await settled(
    Promise.allSettled([write('a'), write('b', true), write('c')]),
  );
  assert.equal(first.status, 'fulfilled');
  assert.equal(second.status, 'rejected');
  assert.equal(third.status, 'fulfilled');
  assert.equal(order, ['a after 0', 'b after 1', 'c after 1']);
  assert.equal(seen.length, 2);
});

test('Retry-After is waited out, by everybody; the request then goes out again', async () => {
  const refusal = {
    status: 403,
    headers: { 'retry-after': '30' },
    body: 'You have exceeded a secondary rate limit',
  };
  const { accountClient, seen, settled } = doorTo([refusal, { body: 'ok' }]);
  const both = Promise.all([
    accountClient.fetch(URL, { method: 'POST' }),
    accountClient.fetch(URL, { method: 'PUT' }),
  ]);
  assert.equal(
    (await settled(both)).map(({ status }) => status),
    [200, 200],
  );
  assert.equal(
    seen.map(({ at }) => at),
    [0, 30_000, 31_000],
    'writes go in sequence, a second apart',
  );
});

test('who waits for a limit looks again when it ends: others may have been refused for longer meanwhile', async () => {
  const refusal = (seconds: number): Reply => ({
    status: 429,
    headers: { 'retry-after': String(seconds) },
  });
  const { accountClient, seen, settled, clock } = doorTo([
    refusal(10),
    refusal(40),
    { body: 'ok' },
  ]);
  const first = accountClient.fetch(URL);
  // It is on its way when the refusal of the first comes, and is refused for longer.
  const second = accountClient.fetch(`${URL}/2`);
  clock.at(clock.now() + 5_000, () => void accountClient.fetch(`${URL}/3`).catch(() => {}));
  await settled(Promise.all([first, second]));
  assert.equal(
    seen.slice(0, 3).map(({ at }) => at),
    [0, 0, 40_000],
    'nothing goes out before all of it is over',
  );
});

test('what is spent is not asked for: no request goes out to be refused', async () => {
  const clock = new SimulatedClock();
  const reset = Math.ceil(clock.now() / 1000) + 60;
  const spent = doorTo([
    { headers: limits(0, reset), body: 'the last' },
    { headers: limits(5000, reset + 3600), body: 'ok' },
  ]);
  await spent.settled(spent.accountClient.fetch(URL));
  assert.is(await (await spent.settled(spent.accountClient.fetch(URL))).text(), 'ok');
  assert.equal(
    spent.seen.map(({ at }) => at),
    [0, 60_000],
  );
});

test('a limit that ends later than anybody waits is an error with its time', async () => {
  const { accountClient, clock, settled, seen } = doorTo([
    { status: 403, headers: limits(0, 0), body: 'API rate limit exceeded' },
  ]);
  const reset = Math.ceil(clock.now() / 1000) + 1_800;
  seen.length = 0;
  const spent = doorTo([
    { status: 403, headers: limits(0, reset), body: 'API rate limit exceeded' },
  ]);
  const limited = await catchRefusal(() => spent.settled(spent.accountClient.fetch(URL)));
  assert.equal(limited.code, 'rate-limited');
  assert.equal(limited.data.resetsAt, new Date(reset * 1000).toISOString());
  assert.equal(spent.seen.length, 1);
  assert.equal(accountClient.budget().waitsUntil, null);
  assert.equal(spent.accountClient.budget().waitsUntil, new Date(reset * 1000).toISOString());
  await settled(Promise.resolve());
});

test('a job has its own budget; what is kept of the account is for the runner', async () => {
  const { accountClient, settled, clock, seen } = doorTo([{ body: 'ok' }], 2);
  const asJob = () =>
    settled(runAsCaller({ jobId: 'job-1', phase: 'coding' }, () => accountClient.fetch(URL)));
  await asJob();
  await asJob();
  const refused = await catchRefusal(asJob);
  assert.match(
    refused.message,
    /^This job has made 2 requests in an hour, the maximum\. Try again after 2026-01-01T01:00:00/,
  );
  await settled(accountClient.fetch(URL));
  assert.equal(seen.length, 3);
  assert.equal(accountClient.budget().jobs, [{ jobId: 'job-1', used: 2 }]);
  clock.advance(3_600_000);
  await asJob();

  const low = doorTo([{ headers: limits(400, 1_800_000_000) }]);
  await low.settled(low.accountClient.fetch(URL));
  const refusal = await catchRefusal(() =>
    low.settled(
      runAsCaller({ jobId: 'job-1', phase: 'coding' }, () => low.accountClient.fetch(URL)),
    ),
  );
  assert.match(
    refusal.message,
    /^The account has 400 of 5000 requests left, which are reserved for the runner/,
  );
  await low.settled(low.accountClient.fetch(URL));
  assert.equal(low.accountClient.budget().limits, [
    { resource: 'core', limit: 5000, remaining: 400, resetsAt: '2027-01-15T08:00:00.000Z' },
  ]);
});

test('a redirect is followed to the same server alone: the token goes nowhere else', async () => {
  const same = doorTo([
    { status: 301, headers: { location: '/repositories/1' } },
    { body: 'moved' },
  ]);
  assert.is(await (await same.settled(same.accountClient.fetch(URL))).text(), 'moved');
  const other = doorTo([
    { status: 301, headers: { location: 'https://evil.test/' } },
    { body: 'caught' },
  ]);
  assert.is((await other.settled(other.accountClient.fetch(URL))).status, 301);
  assert.is(other.seen.length, 1);
});

test('a redirected write goes out again at the new place with method and body, once, and only on the same server', async () => {
  const requests: { url: string; method: string; body: string }[] = [];
  const world = (replies: Reply[]) => {
    requests.length = 0;
    return new AccountClient({
      mayAct: mayAlwaysAct,
      screen: unscreened,
      host: 'api.test',
      clock: new SimulatedClock(),
      random: () => 0,
      perJob: 100,
      writeGapMs: 0,
      fetch: async (url, init = {}) => {
        const {
          status = 200,
          headers = {},
          body = '',
        } = replies[requests.length] as Exclude<Reply, Error>;
        requests.push({ url: String(url), method: init.method ?? 'GET', body: String(init.body) });
        return new Response(body, { status, headers });
      },
    });
  };
  const write = (accountClient: AccountClient) =>
    accountClient.fetch(URL, { method: 'PUT', body: '{"a":1}' });
  const at = 'https://api.test/repositories/1';
  for (const status of [301, 302, 307, 308]) {
    const answer = await write(
      world([
        { status, headers: { location: '/repositories/1' } },
        { status: 201, body: 'done' },
      ]),
    );
    assert.equal(answer.status, 201);
    assert.equal(await answer.text(), 'done');
    assert.equal(requests, [
      { url: URL, method: 'PUT', body: '{"a":1}' },
      { url: at, method: 'PUT', body: '{"a":1}' },
    ]);
  }
  // GitHub names it in the body as well.
  const redirectBody = JSON.stringify({ message: 'Temporary Redirect', url: at });
  assert.is(
    (await write(world([{ status: 307, body: redirectBody }, { status: 200 }]))).status,
    200,
  );
  for (const replies of [
    [{ status: 307, headers: { location: 'https://evil.test/' } }],
    [
      { status: 307, headers: { location: '/a' } },
      { status: 307, headers: { location: '/b' } },
    ],
    [{ status: 303, headers: { location: '/a' } }],
    [{ status: 307 }],
  ]) {
    const { code, data } = await catchRefusal(() => write(world(replies)));
    assert.equal(code, 'config-invalid');
    assert.equal(data.sent, undefined);
    assert.equal(requests.length, replies.length);
  }
});

test('a certificate that is not accepted is named with what to do; nothing can have reached the server', async () => {
  for (const [code, words] of [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /self-signed.*NODE_EXTRA_CA_CERTS.*baseUrl/],
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      /an authority that this machine does not know.*NODE_EXTRA_CA_CERTS/,
    ],
    ['CERT_HAS_EXPIRED', /has expired.*clock of this machine/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /another host name.*baseUrl/],
  ] as const) {
    const { accountClient, settled } = doorTo([
      Object.assign(new Error('fetch failed'), { cause: { code } }),
    ]);
    const { message, data } = await catchRefusal(() =>
      settled(accountClient.fetch(URL, { method: 'POST' })),
    );
    assert.match(message, words);
    assert.is(data.sent, false);
  }
});

test('a server that never answers is given up', async () => {
  const clock = new SimulatedClock();
  const accountClient = new AccountClient({
    mayAct: mayAlwaysAct,
    screen: unscreened,
    host: 'api.test',
    clock,
    random: () => 0,
    perJob: 10,
    fetch: (_url, init = {}) =>
      new Promise((_resolve, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      ),
  });
  const refusal = catchRefusal(() => accountClient.fetch(URL, { method: 'POST' }));
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(30_000);
  const lost = await refusal;
  assert.equal(lost.message, 'api.test does not answer: no answer in time.');
  assert.equal(lost.data.sent, true);
});

test.run();
