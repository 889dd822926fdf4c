import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import UninstallCommand from '../../cli/commands/uninstall.ts';
import { CommandLine } from '../support/cli/commandLine.ts';

const test = suite('svc uninstall --purge of a home of a team');

/** A stopped home whose control plane answers everything with this status and code. */
async function openHome(status: number, code: string) {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    res.writeHead(status, { 'content-type': 'application/problem+json' });
    res.end(JSON.stringify({ code, status, title: code, detail: code }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'svc-cli-uninstall-team-')));
  const home = join(dir, '.svc');
  mkdirSync(home);
  writeFileSync(join(home, 'home.json'), '{}');
  const config = { cloud: { url, token: 'svcr_test' } };
  writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  const line = new CommandLine({ SVC_HOME: home });
  line.homeDir = dir;
  line.fetch = globalThis.fetch;
  return {
    url,
    home,
    asked,
    purge: () => line.run(UninstallCommand, ['--purge', '--yes', '--discard-work', '--json']),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

test('a revoked token is reported: the home goes, and what is left at the control plane is named', async () => {
  await using at = await openHome(401, 'unauthorized');
  const { code, out } = await at.purge();
  assert.is(code, 0);
  const { homeIs, byHand } = JSON.parse(out);
  assert.is(homeIs, 'removed');
  assert.ok(
    byHand.some((line: string) => line.includes(`not released: ${at.url}`)),
    out,
  );
  assert.equal(at.asked, ['GET /runner/home']);
});

test('a control plane without a log of the home leaves nothing to be done', async () => {
  await using at = await openHome(404, 'not-found');
  const { code, out } = await at.purge();
  assert.is(code, 0);
  assert.not.match(JSON.parse(out).byHand.join(), 'not released');
  assert.is(existsSync(at.home), false);
});

test.run();
