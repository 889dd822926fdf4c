import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import RestartCommand from '../../cli/commands/restart.ts';
import UpgradeCommand from '../../cli/commands/upgrade.ts';
import { openUpgradePlan } from '../../src/host/upgrade/upgradePlan.ts';
import { readProgramAt } from '../../src/host/upgrade/program.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { type FakeRunner, fakeRunner } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string; runner: FakeRunner }>('svc restart and svc upgrade');

const ROOT = join(import.meta.dirname, '..', '..');
const AT = '2026-01-01T00:00:00.000Z';
const OLD = { version: '0.1.9', build: 'aaaaaaaaaaaa' };
const NEW = { version: '0.2.0', build: 'bbbbbbbbbbbb' };
const HEALTH = {
  status: 'ok',
  version: OLD.version,
  mode: 'local',
  startedAt: AT,
  jobs: { live: 0, parked: 0, ended: 0 },
  deprecatedUses: [],
};

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-cli-take-over-'));
  context.runner = await fakeRunner({
    'GET /health': [200, HEALTH],
    'POST /runner/restart': [202, { id: 'r1', from: OLD, to: NEW }],
  });
});
test.after.each(async ({ home, runner }) => {
  await runner.close();
  await rm(home, { recursive: true, force: true });
});

const runs = (home: string, url: string, program: object = { ...OLD, root: '/old' }) =>
  writeFile(join(home, 'runner.json'), JSON.stringify({ url, pid: 1, startedAt: AT, program }));
const writeUpgradeEnd = (home: string, reason: string | null) =>
  openUpgradePlan(home).write({
    id: 'r1',
    step: 'over',
    from: { ...OLD, root: '/old' },
    to: { ...NEW, root: '/new' },
    copy: null,
    reason,
    pid: 1,
    startedAt: AT,
  });
const line = (home: string) => new CommandLine({ SVC_HOME: home });

test('svc restart asks for the program of the runner, and says what runs then (CLI-2)', async ({
  home,
  runner,
}) => {
  await runs(home, runner.url);
  await writeUpgradeEnd(home, null);
  const { code, out } = await line(home).run(RestartCommand, []);
  assert.is(code, 0);
  assert.is(
    out,
    `svc 0.2.0 (build bbbbbbbbbbbb) runs at ${runner.url}, instead of svc 0.1.9 (build aaaaaaaaaaaa).\n`,
  );
  assert.equal(runner.seen.find(({ method }) => method === 'POST')?.body, {});
});

test('svc upgrade asks for the program that it is itself (CLI-2)', async ({ home, runner }) => {
  await runs(home, runner.url);
  await writeUpgradeEnd(home, null);
  const { code, out } = await line(home).run(UpgradeCommand, ['--json']);
  assert.is(code, 0);
  assert.equal(JSON.parse(out), { from: OLD, to: NEW, url: runner.url });
  assert.equal(runner.seen.find(({ method }) => method === 'POST')?.body, { program: ROOT });
});

test('a program that was taken back is an error with the reason (CLI-2)', async ({
  home,
  runner,
}) => {
  await runs(home, runner.url);
  await writeUpgradeEnd(home, 'It was not healthy within 30 s.');
  const { code, err } = await line(home).run(UpgradeCommand, []);
  assert.is(code, 1);
  assert.match(
    err,
    /svc 0\.2\.0 .* was rolled back, and svc 0\.1\.9 .* continues with every job: It was not healthy/,
  );
});

test('svc upgrade leaves a runner of the same program alone', async ({ home, runner }) => {
  const own = await readProgramAt(ROOT);
  const same = await fakeRunner({ 'GET /health': [200, { ...HEALTH, version: own.version }] });
  await runs(home, same.url, own);
  const { code, out } = await line(home).run(UpgradeCommand, []);
  assert.is(code, 0);
  assert.match(out, /^The runner already runs svc /);
  assert.equal(
    same.seen.filter(({ method }) => method === 'POST'),
    [],
  );
  await same.close();
  assert.equal(runner.seen, []);
});

test('without a runner svc restart says how to start one, and svc upgrade what the next start runs', async ({
  home,
}) => {
  const restart = await line(home).run(RestartCommand, []);
  assert.is(restart.code, 5);
  assert.match(restart.err, /Start one with: svc start/);
  const upgrade = await line(home).run(UpgradeCommand, []);
  assert.is(upgrade.code, 0);
  assert.match(upgrade.out, /^No runner is running for this home\. The next svc start runs svc /);
});

test.run();
