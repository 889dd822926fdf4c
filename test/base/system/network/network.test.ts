import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fetchWithoutRedirects } from '../../../../src/base/system/network/fetchWithoutRedirects.ts';
import { runGit } from '../../../../src/git/runGit.ts';
import { readCurrentNetwork, openNetwork } from '../../../../src/base/system/network/network.ts';
import {
  listProxySecrets,
  readNetworkVariables,
} from '../../../../src/base/system/network/variables.ts';
import { createGuardedRequest } from '../../../../src/plugins/guardedRequest.ts';
import { GitlabStage, REPO, TOKEN } from '../../../support/forges/gitlabStage.ts';
import { ProxyServer, TlsFront } from '../../../support/network/proxyServer.ts';
import { AUTHORITY } from '../../../support/network/testAuthority.ts';
import { catchRefusal } from '../../../support/refusal.ts';

const test = suite('behind a proxy, with a certificate authority of one’s own');

const dir = mkdtempSync(join(tmpdir(), 'svc-network-'));
const authority = join(dir, 'authority.pem');
writeFileSync(authority, AUTHORITY);
const proxy = new ProxyServer();
const stage = await GitlabStage.open();
const behind = Number(new URL(stage.server.url).port);
const front = new TlsFront(behind);
await proxy.start();
await front.start();
// A name that no DNS knows: who reaches it came through the proxy.
proxy.routes.set('gitlab.test:443', front.port).set('gitlab.test:80', behind);
const address = `http://127.0.0.1:${proxy.port}`;
const forge = () => stage.makeForge({ values: { baseUrl: 'https://gitlab.test' } });
const network = {
  url: `https://gitlab.test/${REPO}.git`,
  username: 'oauth2',
  password: TOKEN,
};

async function within(env: Record<string, string>, run: () => Promise<void>): Promise<void> {
  proxy.carried.length = 0;
  const { close } = await openNetwork(env, dir);
  try {
    await run();
  } finally {
    await close();
  }
}

for (const variable of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO'])
  test(`the forge's API and git go through HTTPS_PROXY, and trust what ${variable} names`, () =>
    within({ HTTPS_PROXY: address, [variable]: authority }, async () => {
      assert.equal(await forge().healthcheck(), { ok: true, detail: 'Logged in as svc-robot.' });
      const { stdout } = await runGit(['ls-remote', network.url, 'HEAD'], { network });
      assert.match(stdout, /^[0-9a-f]{40}\tHEAD/);
      assert.equal(
        new Set(proxy.carried.map(({ method, target }) => `${method} ${target}`)),
        new Set(['CONNECT gitlab.test:443']),
      );
    }));

test('a model endpoint, a tool server and a plugin’s request go the same way, streamed', () =>
  within({ https_proxy: address, NODE_EXTRA_CA_CERTS: authority }, async () => {
    const url = 'https://gitlab.test/api/v4/user';
    const headers = { authorization: `Bearer ${TOKEN}` };
    assert.is((await (await fetchWithoutRedirects(url, { headers })).json()).username, 'svc-robot');
    const answer = await createGuardedRequest('sample', ['gitlab.test'])(url, { headers });
    assert.is(JSON.parse(answer.text).username, 'svc-robot');
    assert.is(proxy.carried.length, 2);
  }));

test('plain http goes through HTTP_PROXY, or its lower-case form, as a whole address', () =>
  within({ http_proxy: address, HTTP_PROXY: 'http://127.0.0.1:1' }, async () => {
    const answer = await fetch('http://gitlab.test/api/v4/user', {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    assert.is((await answer.json()).username, 'svc-robot');
    assert.equal(proxy.carried, [
      { method: 'GET', target: 'http://gitlab.test/api/v4/user', login: null },
    ]);
  }));

test('this machine is reached directly, whatever the variables say; so are the hosts of NO_PROXY', () =>
  within(
    { HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: '.other.test, gitlab.test' },
    async () => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      for (const host of ['127.0.0.1', 'localhost']) {
        const answer = await fetch(`http://${host}:${behind}/api/v4/user`, { headers });
        assert.is(answer.status, 200);
        assert.is(
          (await fetchWithoutRedirects(`http://${host}:${behind}/api/v4/user`, { headers })).status,
          200,
        );
      }
      const url = `http://127.0.0.1:${behind}/${REPO}.git`;
      await runGit(['ls-remote', url, 'HEAD'], { network: { ...network, url } });
      // Directly, and no DNS knows it.
      const refused = await fetch('https://gitlab.test/').then(
        () => null,
        ({ cause }) => cause.code,
      );
      assert.is(refused, 'ENOTFOUND');
      assert.equal(proxy.carried, []);
    },
  ));

test('a proxy’s login is sent to the proxy alone, and is in no error of API or git', async () => {
  const env = {
    HTTPS_PROXY: `http://ann:pass%25word1@127.0.0.1:${proxy.port}`,
    SSL_CERT_FILE: authority,
  };
  proxy.login = 'ann:pass%word1';
  await within(env, async () => {
    assert.is((await forge().healthcheck()).ok, true);
    await runGit(['ls-remote', network.url, 'HEAD'], { network });
  });
  proxy.login = 'ann:another1';
  await within(env, async () => {
    const api = await catchRefusal(() => forge().healthcheck());
    assert.is(
      api.message,
      'The proxy does not let svc reach the fake (407). Put the user and password that it wants into HTTPS_PROXY and HTTP_PROXY (http://user:password@proxy:port).',
    );
    const git = await catchRefusal(() => runGit(['ls-remote', network.url, 'HEAD'], { network }));
    assert.match(git.message, /407/);
    assert.not.match(`${api.message}${git.message}${JSON.stringify(git.data)}`, /pass.*word1/);
  });
  proxy.login = null;
  assert.equal(listProxySecrets(readNetworkVariables(env)), ['pass%word1']);
});

test('what a proxy refuses has not gone out', () =>
  within({ HTTPS_PROXY: address, SSL_CERT_FILE: authority }, async () => {
    proxy.login = 'ann:another1';
    const { data } = await catchRefusal(() =>
      forge().write(
        'create_repo',
        { repo: 'acme/new', description: '', private: true },
        { operationId: 'op-1', author: 'job', at: 0 },
      ),
    );
    proxy.login = null;
    assert.equal(data, { sent: false });
  }));

test('a proxy may itself be reached over TLS, with a certificate of the same authority', async () => {
  const secure = new TlsFront(proxy.port);
  await secure.start();
  const env = { HTTPS_PROXY: `https://localhost:${secure.port}`, SSL_CERT_FILE: authority };
  await within(env, async () => {
    assert.is((await forge().healthcheck()).ok, true);
    assert.is(proxy.carried.length, 1);
  });
  await secure.stop();
});

test('a plugin reaches no inner address through the proxy that it may not reach directly', () =>
  within({ HTTP_PROXY: address }, async () => {
    const request = createGuardedRequest('sample', []);
    for (const inner of [
      'http://10.1.2.3/',
      'http://169.254.169.254/latest/meta-data',
      'http://localhost/',
    ])
      assert.is((await catchRefusal(() => request(inner))).code, 'forbidden');
    assert.equal(proxy.carried, []);
  }));

test('without variables nothing is changed: Node’s own fetch, and no variable for git', async () => {
  const { close } = await openNetwork({ PATH: '/bin' }, dir);
  assert.is(readCurrentNetwork().dispatcher, null);
  assert.equal(readCurrentNetwork().gitEnvironment, {});
  await close();
});

test('a variable that cannot be used is refused by its name, without its value', async () => {
  const refusals = [];
  for (const env of [
    { HTTPS_PROXY: 'socks5://ann:secretword@proxy:1' },
    { http_proxy: 'http://' },
    { SSL_CERT_FILE: join(dir, 'absent.pem') },
    { NODE_EXTRA_CA_CERTS: join(dir, 'network.test') },
  ])
    refusals.push((await catchRefusal(() => openNetwork(env, dir))).message);
  assert.not.match(refusals.join(), 'secretword');
  assert.match(
    refusals[0] ?? '',
    /^The environment variable HTTPS_PROXY must be the address of a proxy/,
  );
  assert.match(refusals[1] ?? '', /^The environment variable http_proxy must be/);
  assert.match(
    refusals[2] ?? '',
    /^The environment variable SSL_CERT_FILE names .*absent.pem, which cannot be read: ENOENT/,
  );
});

test.after(async () => {
  await front.stop();
  await proxy.stop();
  await stage.end();
  rmSync(dir, { recursive: true });
});

test.run();
