import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSocketAgent } from '../../src/base/system/network/socketAgent.ts';
import { CloudLink } from '../../src/cloudLink/cloudLink.ts';
import { DoubleControlPlane } from '../support/cloud/doubleControlPlane.ts';
import { linkOptions, waitUntil } from '../support/cloud/testTeam.ts';
import { ProxyServer, TlsFront } from '../support/network/proxyServer.ts';
import { AUTHORITY } from '../support/network/testAuthority.ts';

const test = suite('link to the control plane through the proxy of a company');

/** A name that no DNS knows: who reaches it came through the proxy. */
const CLOUD = 'https://gitlab.test';

const cloud = await DoubleControlPlane.open();
const front = new TlsFront(Number(new URL(cloud.url).port));
const proxy = new ProxyServer();

test.before(async () => {
  await front.start();
  await proxy.start();
  proxy.routes.set('gitlab.test:443', front.port);
});
test.before.each(() => {
  proxy.carried.length = 0;
  proxy.login = null;
  proxy.refuses = null;
});
test.after(async () => {
  await proxy.stop();
  await front.stop();
  await cloud.close();
});

/** A link with the variables of the environment, and what it reports. */
function openLink({ login = '', noProxy = '', url = CLOUD } = {}) {
  const httpsProxy = `http://${login}127.0.0.1:${proxy.port}`;
  const reports: { state: string; problem: string | null }[] = [];
  const settings = { httpProxy: null, httpsProxy, noProxy };
  const link = new CloudLink({
    ...linkOptions(url, 'svcr_a', null),
    agent: createSocketAgent(new URL(url), settings, [AUTHORITY]),
    onConnection: (state, problem) => void reports.push({ state, problem }),
  });
  const findProblem = () => reports.find(({ problem }) => problem !== null)?.problem ?? null;
  return { link, reports, findProblem };
}

test('the socket goes through HTTPS_PROXY, with TLS to the control plane itself (RUN-2)', async () => {
  const { link, reports } = openLink();
  await waitUntil(() => reports.at(-1)?.state === 'connected');
  assert.equal(proxy.carried, [{ method: 'CONNECT', target: 'gitlab.test:443', login: null }]);
  link.close();
});

test('a login of the proxy is sent to the proxy', async () => {
  proxy.login = 'ada:secret';
  const { link, reports } = openLink({ login: 'ada:secret@' });
  await waitUntil(() => reports.at(-1)?.state === 'connected');
  link.close();
});

test('what the proxy refuses is said without its password, and tried again', async () => {
  proxy.login = 'ada:secret';
  const { link, reports, findProblem } = openLink({ login: 'ada:wrong@' });
  await waitUntil(() => findProblem() !== null);
  assert.match(findProblem() ?? '', '407');
  assert.not.match(findProblem() ?? '', 'wrong');
  proxy.login = 'ada:wrong';
  await waitUntil(() => reports.at(-1)?.state === 'connected');
  link.close();
});

test('hosts of NO_PROXY are reached directly', async () => {
  const { link, findProblem } = openLink({ noProxy: '.test' });
  await waitUntil(() => findProblem() !== null);
  assert.equal(proxy.carried, []);
  link.close();
});

test.run();
