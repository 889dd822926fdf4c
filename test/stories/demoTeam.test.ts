import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DEMO_TAKEOVER } from '../../demo/cloud/demoTakeover.ts';
import { LEASE_SHARE } from '../../src/contract/channel/limits.ts';
import { postgresPrograms, defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { DEMO } from '../support/demo.ts';
import { waitUntil } from '../support/cloud/testTeam.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { longLane } from '../support/longLane.ts';

/** How long the killed runner could still have acted, at least: it beats four times in a window. */
const DEMO_LEASE_MS = LEASE_SHARE * DEMO_TAKEOVER.windowMs - DEMO_TAKEOVER.windowMs / 4;

const test = suite<{ dir: string; env: NodeJS.ProcessEnv }>('stories: the demo of a team');
const dbTest = defineDatabaseTests(test);
const long = postgresPrograms.length > 0 ? longLane(test) : () => undefined;

test.before.each((context) => {
  context.dir = realpathSync(mkdtempSync(join(tmpdir(), 'svc-demo-test-')));
  context.env = { ...process.env, NO_COLOR: '1', TMPDIR: context.dir };
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

/** Processes of the demo that still run: each has its folder in its arguments or its environment. */
const countLeft = (dir: string): number =>
  spawnSync('ps', ['axeww', '-o', 'args'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(`${dir}/svc-demo-`)).length;

const refuse = (...flags: string[]) =>
  spawnSync(process.execPath, [DEMO, '--cloud', ...flags], { encoding: 'utf8' });

test('it takes no other flag of the demo', () => {
  for (const flag of ['--campaign', '--plan', '--keep']) assert.is(refuse(flag).status, 2, flag);
});

dbTest(
  'Ctrl-C stops the control plane and its database, and leaves nothing (CLD-1)',
  async ({ dir, env }) => {
    const demo = spawn(process.execPath, [DEMO, '--cloud'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    demo.stdout.on('data', (piece) => {
      text += piece;
    });
    // The control plane listens, and the first machine is about to log in.
    await waitUntil(() => text.includes('creates the team'), PATIENCE_MS);
    assert.ok(countLeft(dir) > 0);
    const exited = once(demo, 'exit');
    demo.kill('SIGINT');
    demo.kill('SIGINT');
    assert.equal(await exited, [130, null]);
    assert.equal(readdirSync(dir), []);
    assert.is(countLeft(dir), 0);
  },
);

long(
  'two runners get a job each, and one waits until a runner with its label appears (CLD-1 CLD-2 CLD-5)',
  ({ dir, env }) => {
    const run = spawnSync(process.execPath, [DEMO, '--cloud', '--json'], {
      encoding: 'utf8',
      env,
    });
    assert.is(run.status, 0, run.stderr);
    const { ms: _, ...outcome } = JSON.parse(run.stdout);
    const job = (repo: string, runner: string) => ({ repo, runner, status: 'complete', merges: 1 });
    assert.equal(outcome, {
      jobs: [job('titles', 'ada-mac'), job('slugs', 'pool-1'), job('models', 'gpu-1')],
      reason: 'no-label:gpu',
    });
    assert.equal(readdirSync(dir), []);
    assert.is(countLeft(dir), 0);
  },
);

long(
  'the runner that works on a job is killed, and the other one completes it, with one pull request (RUN-5 CLD-1)',
  ({ dir, env }) => {
    const run = spawnSync(process.execPath, [DEMO, '--cloud', '--crash', '--json'], {
      encoding: 'utf8',
      env,
    });
    assert.is(run.status, 0, run.stderr);
    const { ms: _, killed, continuedBy, continuedAfterMs, ...outcome } = JSON.parse(run.stdout);
    assert.equal(outcome, { status: 'complete', prs: 1, merges: 1 });
    assert.equal([killed, continuedBy].sort(), ['pool-1', 'pool-2']);
    assert.ok(continuedAfterMs > DEMO_LEASE_MS, `${continuedAfterMs} ms`);
    assert.equal(readdirSync(dir), []);
    assert.is(countLeft(dir), 0);
  },
);

test.run();
