import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../src/api/client/client.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { PAGE_KEY_HEADER } from '../../../src/base/http/ownHeaders.ts';
import { createGuardedRequest } from '../../../src/plugins/guardedRequest.ts';
import { createInstalledLogin } from '../../../src/plugins/login/installedLogin.ts';
import { RunningLogins } from '../../../src/plugins/login/runningLogins.ts';
import { callLoginPart } from '../../../src/plugins/process/serveCalls.ts';
import {
  ACCESS_TOKEN,
  fakeVendor,
  LASTING_TOKEN,
  OAUTH_PLUGIN,
} from '../../support/agents/fakeVendor.ts';
import {
  openSurface,
  post,
  SESSION_TOKEN,
  type Surface,
  TOKEN,
  WITH_TOKEN,
} from '../../support/http/httpSurface.ts';

const test = suite('http vendor logins');

/** The login of the plugin `fake` at a vendor of its own on loopback, with the plugin in this process. */
async function stage() {
  const vendor = await fakeVendor();
  const config: Record<string, string> = { site: vendor.url };
  const source = Buffer.from(OAUTH_PLUGIN['index.js']).toString('base64');
  const { default: plugin } = await import(`data:text/javascript;base64,${source}`);
  const request = createGuardedRequest('fake', ['127.0.0.1']);
  const surface = await openSurface();
  surface.plugins.logins = new RunningLogins({
    clock: systemClock,
    ids: randomIds,
    login: () =>
      createInstalledLogin((call) => callLoginPart(plugin.create({ config, request }).login, call)),
    secretSettings: () => ['accessToken'],
    screen: (_, text) => text,
  });
  return {
    vendor,
    surface,
    config,
    client: createClient({ baseUrl: surface.url, token: TOKEN }),
    async end() {
      await surface.close();
      await vendor[Symbol.asyncDispose]();
    },
  };
}
const one = await stage();
test.after(() => one.end());
test.before.each(() => {
  one.surface.config.calls.length = 0;
  one.vendor.seen.length = 0;
  one.vendor.mode.isSlow = false;
});

/** A browser with a dashboard login of its own. */
async function openVendorBrowser({ url, issueLoginCode }: Surface) {
  const reply = await fetch(`${url}/login/${issueLoginCode()}`, {
    headers: { Accept: 'application/json' },
  });
  const { pageKey } = (await reply.json()) as { pageKey: string };
  const cookie = (reply.headers.get('Set-Cookie') ?? '').split(';')[0] ?? '';
  return { Cookie: cookie, [PAGE_KEY_HEADER]: pageKey };
}

test('a login goes through the vendor and back to the browser that began it, and its token into the configuration alone (HTTP-7)', async () => {
  const { client, vendor, surface } = one;
  const [mine, other] = [await openVendorBrowser(surface), await openVendorBrowser(surface)];
  const start = await post(surface, '/config/vendor/login/start', { executor: 'fake' }, mine);
  assert.is(start.status, 201);
  const { url, state } = JSON.parse(start.text);
  assert.is(new URL(url).searchParams.get('redirect_uri'), `${surface.url}/dashboard/plugins`);
  const back = await vendor.visit(url);
  assert.is(back.state, state);
  const body = { executor: 'fake', state, code: back.code };
  const callback = (headers: Record<string, string>) =>
    post(surface, '/config/vendor/login/callback', body, headers);
  assert.is((await callback(other)).status, 403);
  assert.is((await callback(WITH_TOKEN)).status, 403);
  assert.equal(vendor.seen, []);
  const reply = await callback(mine);
  assert.equal(JSON.parse(reply.text).written.settings, ['accessToken']);
  const status = await client.vendorLogins();
  assert.is(status[0]?.phase, 'done');
  const patch = { plugins: { installed: { fake: { config: { accessToken: ACCESS_TOKEN } } } } };
  assert.equal(surface.config.calls, [['change', patch, '*']]);
  const visibleText = JSON.stringify([start.text, reply.text, status, surface.logged]);
  assert.is(visibleText.includes(ACCESS_TOKEN), false);
  assert.is(visibleText.includes(vendor.seen[0]?.get('code_verifier') ?? '-'), false);
  // The runner takes up what was written; a lasting token is then got with it.
  one.config.accessToken = ACCESS_TOKEN;
  assert.equal((await client.generateVendorToken({ executor: 'fake' })).settings, ['accessToken']);
  assert.is(JSON.stringify(surface.config.calls[1]).includes(LASTING_TOKEN), true);
});

test('a vendor that says nothing ends the login (HTTP-7)', async () => {
  const { client, vendor, surface } = one;
  const { state } = await client.startVendorLogin({ executor: 'fake' });
  vendor.mode.isSlow = true;
  const body = { executor: 'fake', state, code: 'c' };
  const late = await post(surface, '/config/vendor/login/callback', body, WITH_TOKEN);
  assert.is(late.status, 503);
  assert.match(late.text, /no data arrived within 0\.5 s/);
  assert.is((await client.vendorLogins())[0]?.phase, 'failed');
});

test('an agent begins no login (HTTP-7)', async () => {
  await using surface = await openSurface();
  for (const path of ['login/start', 'login/callback', 'generate-oauth-token']) {
    const headers = { Authorization: `Bearer ${SESSION_TOKEN}` };
    const answer = await post(surface, `/config/vendor/${path}`, { executor: 'hello' }, headers);
    assert.is(answer.status, 403, path);
  }
});

test('an executor without a login reports it, and a restarted runner that the login is over (HTTP-7)', async () => {
  await using surface = await openSurface();
  const start = await post(
    surface,
    '/config/vendor/login/start',
    { executor: 'hello' },
    WITH_TOKEN,
  );
  assert.is(start.status, 409);
  const body = { executor: 'hello', state: 'of-an-earlier-runner', code: 'c' };
  const late = await post(surface, '/config/vendor/login/callback', body, WITH_TOKEN);
  assert.is(late.status, 409);
  assert.match(late.text, /the runner was restarted\. Begin again\./);
});

test.run();
