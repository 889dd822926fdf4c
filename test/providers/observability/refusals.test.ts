import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROXY } from '../../support/agents/fakeObservability/server.ts';
import { entriesFor, observed } from '../../support/agents/observedTools.ts';

const test = suite('observability: logins, refusals, limits of time');

const TOKEN = 'glsa_canary_token';
const ask = { query: '{app="shop"}' };

test('tools exist only for what is configured (TOOL-7)', async () => {
  const readRefusalText = async (entries: (url: string) => ReturnType<typeof entriesFor>) => {
    let text = '';
    await observed(async ({ call }) => {
      ({ text } = await call('nothing'));
    }, entries);
    return ['loki_query', 'tempo_get_trace', 'tempo_search'].filter((name) => text.includes(name));
  };
  assert.equal(await readRefusalText(() => ({})), []);
  assert.equal(await readRefusalText((url) => ({ loki: { ...entriesFor(url).loki } })), [
    'loki_query',
  ]);
  assert.equal(await readRefusalText((url) => ({ tempo: { ...entriesFor(url).tempo } })), [
    'tempo_get_trace',
    'tempo_search',
  ]);
  assert.equal(
    await readRefusalText((url) => ({ loki: { ...entriesFor(url).loki, enabled: false } })),
    [],
  );
});

test('a bearer token, a name with a password and a tenant are sent, also through the proxy of Grafana (TOOL-7)', async () => {
  const logins: [Record<string, unknown>, string][] = [
    [{ token: TOKEN }, `Bearer ${TOKEN}`],
    [
      { username: '1234', password: 'pass' },
      `Basic ${Buffer.from('1234:pass').toString('base64')}`,
    ],
  ];
  for (const [config, login] of logins) {
    await observed(
      async ({ fake, call }) => {
        fake.login = login;
        fake.tenant = 'team-a';
        assert.is((await call('loki_query', ask)).isError, false);
        assert.is((await call('tempo_search', { query: '{}' })).isError, false);
        assert.equal(
          fake.seen.map(({ path }) => path),
          ['/loki/api/v1/query_range', '/api/search'],
        );
      },
      (url) => entriesFor(`${url}${PROXY}/`, { ...config, tenant: 'team-a' }),
    );
  }
});

test('each refusal says what is wrong and who can fix it, and contains no token (TOOL-7)', () =>
  observed(
    async ({ fake, call }) => {
      const plain = (status: number, body: string, headers = {}) => ({
        status,
        type: 'text/plain',
        body,
        headers,
      });
      const table: [typeof fake.fault, RegExp][] = [
        [
          plain(401, 'no org id'),
          /requires a valid login for Loki: a person must fix plugins\.installed\.loki\.config\.$/,
        ],
        [plain(403, 'not yours'), /does not let this login read Loki\. It says: not yours$/],
        [
          plain(404, '404 page not found'),
          /Loki was not found at this address: a person must fix .*baseUrl\. It says: 404 page not found$/,
        ],
        [
          plain(429, 'too many outstanding requests', { 'retry-after': '7' }),
          /accepts no more requests now\. Try again after 7 s\. It says: too many/,
        ],
        [plain(429, ''), /accepts no more requests now\. Request less, or try again later\.$/],
        [
          plain(500, 'context deadline exceeded'),
          /^loki_query: Loki at .* answered 500\. It says: context deadline exceeded\. This is temporary: call it again later\.$/,
        ],
        [plain(302, ''), /sends Loki's requests elsewhere/],
        [
          plain(200, '<html>Log in</html>'),
          /answers, but not as Loki does: a person must fix plugins\.installed\.loki\.config\.baseUrl\.$/,
        ],
      ];
      for (const [fault, message] of table) {
        fake.fault = fault;
        const { text, isError } = await call('loki_query', ask);
        assert.is(isError, true);
        assert.match(text, message);
        assert.not.match(text, /canary/);
      }
    },
    (url) => entriesFor(url, { token: TOKEN }),
  ));

test('a server that does not answer is waited for no longer than configured (TOOL-7)', () =>
  observed(
    async ({ fake, call }) => {
      fake.fault = 'hang';
      const { text, isError } = await call('loki_query', ask);
      assert.is(isError, true);
      assert.match(
        text,
        /^loki_query: 127\.0\.0\.1:\d+ does not answer: no data arrived within 1 s\. This is temporary: call it again later\.$/,
      );
    },
    (url) => entriesFor(url, { timeoutSeconds: 1 }),
  ));

test('the request ends with the session that waits for it, long before its own time is over (TOOL-7)', () =>
  observed(
    async ({ fake, call, closeSession }) => {
      fake.fault = 'hang';
      const answer = call('tempo_search', { query: '{}' });
      while (fake.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await closeSession();
      await fake.gone;
      assert.match((await answer).text, /This phase is over/);
    },
    (url) => entriesFor(url, { timeoutSeconds: 300 }),
  ));

test('an address of this machine or its network is asked only where the configuration names the host (HTTP-6)', () =>
  observed(
    async ({ fake, call }) => {
      const { text } = await call('loki_query', ask);
      assert.match(text, /127\.0\.0\.1 is an address of this machine or its network.*allowHosts/);
      assert.equal(fake.seen, []);
    },
    (url) => ({ loki: { config: { baseUrl: url } } }),
  ));

test('settings that are wrong make one service unusable, with the reason and no value of them (TOOL-7)', () =>
  observed(
    async ({ faults, call }) => {
      assert.match(
        faults.loki ?? '',
        /^plugins\.installed\.loki\.config: give "token", or "username" and "password", not both\.$/,
      );
      assert.match(faults.tempo ?? '', /"baseUrl" must be an address that starts with https/);
      assert.not.match(JSON.stringify(faults), /canary/);
      assert.match((await call('loki_query', ask)).text, /The tool loki_query does not exist/);
    },
    (url) => ({
      loki: { config: { baseUrl: url, token: TOKEN, username: 'u', password: 'canary' } },
      tempo: { config: { baseUrl: 'https://canary:canary@tempo.example' } },
    }),
  ));

test.run();
