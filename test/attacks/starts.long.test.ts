import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  attackedRunner,
  endAll,
  goesOn,
  ONE_PHASE,
  parseProblem,
  send,
} from '../support/attackedRunner.ts';
import { Story } from '../support/story.ts';

const test = suite('attacks: starts');

const SVC = join(import.meta.dirname, '..', '..', 'cli', 'bin', 'run.js');
/** A start that should be refused at once. */
const start = (home: string, ...args: string[]) => {
  const began = performance.now();
  const env = { ...process.env, SVC_HOME: home, NO_COLOR: '1' };
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [SVC, 'start', '--no-open', ...args],
    {
      encoding: 'utf8',
      env,
      timeout: 10_000,
    },
  );
  return { status, stderr, stdout, ms: performance.now() - began };
};
const OPTIONS = { workflow: ONE_PHASE, programs: { worker: "console.log('x');" } };

const it = await attackedRunner(OPTIONS);
test.after(() => endAll(it));

test('4 · an address that others can reach, without a token: the start is refused with exit code 2 and the reason', async () => {
  const other = new Story({ ...OPTIONS, config: { server: { auth: 'off' } } });
  for (const host of ['0.0.0.0', '::', '192.0.2.1']) {
    const { status, stderr } = start(other.home, '--host', host, '--port', '0');
    assert.is(status, 2, stderr);
    assert.match(
      stderr,
      `server.auth "off" would open the runner to everyone who can reach ${host}. Use "auto", or listen on 127.0.0.1.`,
    );
  }
  await other.end();
  const empty = new Story(OPTIONS);
  writeFileSync(join(empty.home, 'runner.token'), '\n');
  const { status, stderr } = start(empty.home, '--host', '0.0.0.0', '--port', '0');
  await empty.end();
  assert.is(status, 2, stderr);
  assert.match(stderr, 'runner.token contains no token. Remove it');
  await goesOn(it);
});

test('4 · an address that others can reach, with its token: requests without it are refused', async () => {
  const other = new Story({ ...OPTIONS, config: { server: { host: '0.0.0.0' } } });
  try {
    // Its health is behind the token as well, so the start is known by the line that it writes.
    const started = other.runner.start().catch(() => undefined);
    while (!other.runner.said.includes('listening on '))
      await new Promise((resolve) => setTimeout(resolve, 20));
    while (other.runner.url === '') await new Promise((resolve) => setTimeout(resolve, 20));
    for (const path of ['/health', '/jobs', '/dashboard/', '/openapi.json']) {
      const { status, code } = parseProblem(await send(other, 'GET', path), path);
      assert.equal(status, 401, path);
      assert.equal(code, 'unauthorized', path);
    }
    assert.is(
      (
        await send(other, 'GET', '/jobs', {
          headers: { Authorization: `Bearer ${other.runner.token}` },
        })
      ).status,
      200,
    );
    await other.runner.stop();
    await started;
  } finally {
    await other.end();
  }
});

test('10 · a slug in the configuration that begins with a dash or leaves its place: the start is refused with line and column', async () => {
  for (const slug of ['--upload-pack=x', '../x', '.git', 'a b']) {
    const other = new Story({
      ...OPTIONS,
      config: { forges: { local: { repos: { [slug]: '/x' } } } },
    });
    const { status, stderr } = start(other.home, '--port', '0');
    await other.end();
    assert.is(status, 2, `${slug}: ${stderr}`);
    assert.match(stderr, /config\.json:1:\d+ /);
  }
});

test('21 · a second start on the same home: exit code 1 at once, naming the process that has it, and the first is unharmed', async () => {
  const before = readFileSync(join(it.home, 'runner.json'), 'utf8');
  const { status, stderr, ms } = start(it.home, '--port', '0');
  assert.is(status, 1);
  assert.match(stderr, `is in use by the runner with pid ${it.runner.pid}, started at `);
  assert.ok(ms < 3_000, `it took ${ms} ms`);
  assert.is(readFileSync(join(it.home, 'runner.json'), 'utf8'), before);
  await goesOn(it);
});

test('21 · a second start on the same port: exit code 1 at once, naming the port, and nothing of its home is lost', async () => {
  const otherServer = createServer();
  otherServer.listen(0, '127.0.0.1');
  await once(otherServer, 'listening');
  const { port } = otherServer.address() as AddressInfo;
  const other = new Story(OPTIONS);
  try {
    for (const at of [port, Number(new URL(it.runner.url).port)]) {
      const { status, stderr } = start(other.home, '--port', String(at));
      assert.is(status, 1, stderr);
      assert.match(stderr, `Port ${at} on 127.0.0.1 is in use`);
    }
    await other.runner.start();
    assert.is((await other.client.health()).status, 'ok');
  } finally {
    await other.end();
    otherServer.close();
  }
  await goesOn(it);
});

test('21 · the lock of a killed runner does not block the next start', async () => {
  const pid = it.runner.pid;
  await it.runner.kill();
  assert.is(
    JSON.parse(readFileSync(join(it.home, 'runner.lock.json'), 'utf8')).pid,
    pid,
    'the name of the dead one is still there',
  );
  await it.runner.start();
  await goesOn(it);
});

test.run();
