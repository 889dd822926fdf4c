import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { scratchFolder } from '../support/scratchFolder.ts';

const test = suite('house: where tests write');

const MEMORY_DISK = '/dev/shm';
const fixture = (name: string): string => `test/fixtures/silent/${name}.ts`;
const folders: string[] = [];
test.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const scratch = (...args: Parameters<typeof scratchFolder>): string => {
  const folder = scratchFolder(...args);
  folders.push(folder);
  return folder;
};

test('a TMPDIR that was set is respected', () => {
  assert.is(dirname(scratch({ TMPDIR: tmpdir() })), tmpdir());
});

test('without a file system in memory, tests write below the folder for temporary files', () => {
  assert.is(dirname(scratch({}, join(tmpdir(), 'no-such-disk'))), tmpdir());
});

test('a disk is not taken for memory', () => {
  assert.is(dirname(scratch({}, import.meta.dirname)), tmpdir());
});

test('each run has a folder of its own', () => {
  assert.is.not(scratch({}), scratch({}));
});

test('a folder that a killed run left in memory is removed by the next run that writes there', async () => {
  const first = scratch({});
  if (dirname(first) !== MEMORY_DISK) {
    console.log('left out: a folder in memory; /dev/shm is missing, small or forbids programs');
    return;
  }
  const child = spawn(process.execPath, ['--version']);
  await new Promise((resolve) => child.once('exit', resolve));
  const old = join(MEMORY_DISK, `svc-tests-${child.pid}-old`);
  const young = join(MEMORY_DISK, `svc-tests-${child.pid}-young`);
  folders.push(old, young);
  mkdirSync(old);
  mkdirSync(young);
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(old, hoursAgo, hoursAgo);
  utimesSync(first, hoursAgo, hoursAgo);
  scratch({});
  assert.not.ok(existsSync(old));
  assert.ok(existsSync(young), 'of a run in another container perhaps');
  assert.ok(existsSync(first), 'its process is alive');
});

test('an interrupted run leaves nothing behind', async () => {
  const place = mkdtempSync(join(tmpdir(), 'svc-interrupted-'));
  folders.push(place);
  const run = spawn(
    process.execPath,
    ['--import', 'tsx', 'test/run.ts', fixture('good'), fixture('endless')],
    { cwd: join(import.meta.dirname, '..', '..'), env: { ...process.env, TMPDIR: place } },
  );
  const exitCode = new Promise<number | null>((resolve) => run.once('exit', resolve));
  // The first file has ended, the other runs.
  run.stdout.once('data', () => run.kill('SIGINT'));
  assert.is(await exitCode, 130);
  assert.equal(
    readdirSync(place).filter((name) => name.startsWith('svc-')),
    [],
  );
});

test.run();
