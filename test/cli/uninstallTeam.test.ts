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

type Answer = (request: string) => { status: number; body: object };

const refuse =
  (status: number, code: string): Answer =>
  () => ({ status, body: { code, status, title: code, detail: code } });

/** A stopped home whose control plane answers so. */
async function openHome(answer: Answer) {
  const requests: string[] = [];
  const server = createServer((req, res) => {
    const request = `${req.method} ${req.url}`;
    requests.push(request);
    const { status, body } = answer(request);
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    res.writeHead(status, { 'content-type': type });
    res.end(JSON.stringify(body));
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
    requests,
    purge: () => line.run(UninstallCommand, ['--purge', '--yes', '--discard-work', '--json']),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

test('a revoked token is reported: the home goes, and what is left at the control plane is named', async () => {
  await using at = await openHome(refuse(401, 'unauthorized'));
  const { code, out } = await at.purge();
  assert.is(code, 0);
  const { homeIs, byHand } = JSON.parse(out);
  assert.is(homeIs, 'removed');
  assert.ok(
    byHand.some((line: string) => line.includes(`not released: ${at.url}`)),
    out,
  );
  assert.equal(at.requests, ['GET /runner/home']);
});

/** The log of a home, as its control plane shows it. */
const STATE = {
  homeId: 'home1',
  runnerId: 'runner1',
  generation: 4,
  head: 7,
  hash: 'a'.repeat(64),
  state: 'open',
  storeVersion: 1,
  entriesAfter: 0,
  policy: 'auto',
  takeoverMs: 60_000,
  checkpoint: null,
  holder: null,
  leaseUntil: null,
};

test('a home with a log is released at its newest entry before it is removed', async () => {
  const bodies = { state: STATE.state };
  await using at = await openHome((request) => {
    if (request.startsWith('POST')) bodies.state = 'released';
    return { status: 200, body: { ...STATE, ...bodies } };
  });
  const { code, out, err } = await at.purge();
  assert.is(code, 0, err);
  assert.equal(at.requests, ['GET /runner/home', 'POST /runner/home/release']);
  assert.is(JSON.parse(out).homeIs, 'removed');
  assert.is(existsSync(at.home), false);
});

test('while the control plane is away nothing is removed, and the next step is named', async () => {
  await using at = await openHome(refuse(503, 'temporarily-unavailable'));
  const { code, out, err } = await at.purge();
  assert.is.not(code, 0);
  assert.match(out + err, 'svc logout --abandon');
  assert.is(existsSync(join(at.home, 'home.json')), true);
});

test('a home that another runner has is removed: that one continues its jobs', async () => {
  await using at = await openHome(refuse(409, 'home-claimed'));
  const { code } = await at.purge();
  assert.is(code, 0);
  assert.is(existsSync(at.home), false);
});

test('a control plane without a log of the home leaves nothing to be done', async () => {
  await using at = await openHome(refuse(404, 'not-found'));
  const { code, out } = await at.purge();
  assert.is(code, 0);
  assert.not.match(JSON.parse(out).byHand.join(), 'not released');
  assert.is(existsSync(at.home), false);
});

test.run();
