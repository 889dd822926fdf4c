import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { slimPackages } from '../../scripts/slimPackages.ts';
import { ProxyServer, TlsFront } from '../support/network/proxyServer.ts';
import { AUTHORITY } from '../support/network/testAuthority.ts';

const test = suite('packages without what svc does not use');

const dir = mkdtempSync(join(tmpdir(), 'svc-slim-'));
const SOURCES = join(import.meta.dirname, '../../src/base/system/network');
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** The network of svc as the built program has it. */
async function bundleNetwork(): Promise<
  typeof import('../../src/base/system/network/network.ts') &
    typeof import('../../src/base/system/network/sendThroughDispatcher.ts')
> {
  const outfile = join(dir, 'network.mjs');
  await build({
    stdin: {
      contents: "export * from './network.ts'; export * from './sendThroughDispatcher.ts';",
      resolveDir: SOURCES,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE },
    plugins: [slimPackages],
  });
  return import(outfile);
}

const server = createServer((_, res) => res.end('answered'));
const proxy = new ProxyServer();
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const front = new TlsFront((server.address() as AddressInfo).port);
await proxy.start();
await front.start();
// A name that no DNS knows: who reaches it came through the proxy.
proxy.routes.set('gitlab.test:443', front.port);
const authority = join(dir, 'authority.pem');
writeFileSync(authority, AUTHORITY);
const { openNetwork, readCurrentNetwork, sendThroughDispatcher } = await bundleNetwork();
const network = await openNetwork(
  { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: authority },
  dir,
);

test('undici carries a fetch through a proxy', async () => {
  assert.is(await (await fetch('https://gitlab.test/')).text(), 'answered');
  assert.is(proxy.carried.at(-1)?.target, 'gitlab.test:443');
});

test('undici carries a request of svc through a proxy', async () => {
  const dispatcher = readCurrentNetwork()?.dispatcher;
  assert.ok(dispatcher);
  const answer = await sendThroughDispatcher(dispatcher, new URL('https://gitlab.test/'), {
    method: 'GET',
    headers: {},
  });
  assert.is(answer.status, 200);
});

test.after(async () => {
  await network.close();
  await front.stop();
  await proxy.stop();
  server.close();
  rmSync(dir, { recursive: true });
});

test.run();
