import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TRIAL_DATABASE } from '../../src/contract/schema/cloud/cloudHealth.ts';
import { findLocalPlaces } from '../../src/base/system/postgres/localPlaces.ts';
import { postgresPrograms, defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { longLane } from '../support/longLane.ts';

interface Stage {
  home: string;
  children: ChildProcess[];
}

const test = suite<Stage>('the program: svc cloud start');
const dbTest = defineDatabaseTests(test);
const long = postgresPrograms.length > 0 ? longLane(test) : () => undefined;

const PROGRAM = join(import.meta.dirname, '../../cli/bin/run.js');

test.before.each((stage) => {
  stage.home = mkdtempSync(join(tmpdir(), 'svc-cloud-home-'));
  stage.children = [];
});

test.after.each(({ home, children }) => {
  for (const child of children) child.kill('SIGKILL');
  const { base, runAs } = findLocalPlaces(realpathSync(home), process.getuid?.() === 0);
  rmSync(home, { recursive: true, force: true });
  if (runAs !== null) rmSync(base, { recursive: true, force: true });
});

/** Starts the built program; resolves with its line of JSON. */
async function start({ home, children }: Stage, ...more: string[]) {
  const child = spawn(
    process.execPath,
    [PROGRAM, 'cloud', 'start', '--port', '0', '--json', ...more],
    { env: { ...process.env, SVC_HOME: home }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  children.push(child);
  let text = '';
  for await (const piece of child.stdout) {
    text += piece;
    if (text.includes('\n')) break;
  }
  return { child, ...JSON.parse(text) };
}

async function stop(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return code;
}

dbTest(
  'it answers with a database of its own, and leaves no process behind (CLD-1, CLI-2)',
  async (stage) => {
    const { child, url, database, ownerLink } = await start(stage);
    assert.match(database, /^PostgreSQL \d+/);
    assert.match(ownerLink, url.replace('127.0.0.1', 'localhost'));
    const health = await (await fetch(`${url}/health`)).json();
    assert.is(health.status, 'up');
    assert.is(health.database, TRIAL_DATABASE);
    assert.is(health.durability, 'single');
    assert.is(await stop(child), 0);
    const { data } = findLocalPlaces(realpathSync(stage.home), process.getuid?.() === 0);
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    assert.not.ok(processes.includes(data), 'PostgreSQL still runs');
  },
);

long('a node that was killed is followed by one with the same database (CLD-6)', async (stage) => {
  const first = await start(stage);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = await start(stage);
  assert.is((await (await fetch(`${second.url}/health`)).json()).status, 'up');
  const third = await start(stage);
  assert.is(third.error.code, 'conflict');
  assert.is(await stop(second.child), 0);
});

test.run();
