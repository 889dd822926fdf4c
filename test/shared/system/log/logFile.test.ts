import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFileLog, OLD_LOG_FILES } from '../../../../src/shared/system/log/logFile.ts';

const test = suite('log file');

let dir: string;
test.before.each(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-log-'));
});
test.after.each(() => rmSync(dir, { recursive: true, force: true }));

const open = (mib?: number) =>
  createFileLog(join(dir, 'logs', 'runner.log'), {
    screen: (line) => line.replaceAll('s3cret', '[secret]'),
    lost: (error) => {
      throw error;
    },
    ...(mib === undefined ? {} : { mib }),
  });
const files = () => readdirSync(join(dir, 'logs')).sort();
const text = (name: string) => readFileSync(join(dir, 'logs', name), 'utf8');

test('a line is in the file when it has been logged, without secrets, for the owner alone', async () => {
  const log = await open();
  log.warn('the word is s3cret');
  assert.match(text('runner.1.log'), /"msg":"the word is \[secret\]"/);
  assert.is(statSync(join(dir, 'logs', 'runner.1.log')).mode & 0o777, 0o600);
  assert.is(statSync(join(dir, 'logs')).mode & 0o777, 0o700);
});

test('a later start continues the file', async () => {
  (await open()).info('first');
  (await open()).info('second');
  assert.equal(files(), ['runner.1.log']);
  assert.is(text('runner.1.log').trim().split('\n').length, 2);
});

test(`files grow to their size and the ${OLD_LOG_FILES} before are kept`, async () => {
  const log = await open(0.001);
  for (let n = 0; n < 60; n += 1) {
    log.info(`${n} `.padEnd(400, 'x'));
    await turn();
  }
  // Old ones are removed beside the writing.
  while (files().length > OLD_LOG_FILES + 1) await turn();
  assert.ok(files().length > 1, files().join(' '));
  const all = files().map(text).join('');
  assert.match(all, /"59 x/, 'the newest line was kept');
  assert.not.match(all, /"0 x/, 'the oldest is not');
});

test('a path that no file of the log can have is refused by name', async () => {
  const refused = await createFileLog('/tmp/a"b/runner.log', {
    screen: (line) => line,
    lost: () => {},
  }).catch((error: Error) => error.message);
  assert.match(String(refused), /must not contain .*Choose another one with --log-file/);
});

test('a full disk is reported once, and the runner continues', async () => {
  mkdirSync(join(dir, 'logs'));
  symlinkSync('/dev/full', join(dir, 'logs', 'runner.1.log'));
  const lost: string[] = [];
  const log = await createFileLog(join(dir, 'logs', 'runner.log'), {
    screen: (line) => line,
    lost: (error) => lost.push(error.message),
  });
  log.info('first');
  log.info('second');
  await turn();
  assert.equal(lost, ['ENOSPC: no space left on device, write']);
});

test.run();
