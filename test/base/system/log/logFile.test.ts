import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFileLog, OLD_LOG_FILES } from '../../../../src/base/system/log/logFile.ts';

const test = suite('log file');

let dir: string;
test.before.each(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-log-'));
});
test.after.each(() => rmSync(dir, { recursive: true, force: true }));

const open = (mib?: number) =>
  createFileLog(join(dir, 'logs', 'runner.log'), {
    screen: (line) => line.replaceAll('s3cret', '[secret]'),
    onLost: (error) => {
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

const logLines = (log: Awaited<ReturnType<typeof open>>, count: number) => {
  for (let n = 0; n < count; n += 1) log.info(`${n} `.padEnd(400, 'x'));
};
const newestFirst = () => files().sort((a, b) => Number(b.split('.')[1]) - Number(a.split('.')[1]));

test(`the ${OLD_LOG_FILES} files before the newest are kept`, async () => {
  logLines(await open(0.001), 60);
  assert.is(files().length, OLD_LOG_FILES + 1);
});

test('the newest line is in the newest file', async () => {
  logLines(await open(0.001), 60);
  assert.match(text(newestFirst()[0] ?? ''), /"59 x/);
});

test('a file is full before the next one begins', async () => {
  logLines(await open(0.001), 60);
  for (const name of newestFirst().slice(1))
    assert.ok(statSync(join(dir, 'logs', name)).size >= 0.001 * 1024 * 1024, name);
});

test('a later start continues the file with the highest number', async () => {
  mkdirSync(join(dir, 'logs'));
  for (const name of ['runner.2.log', 'runner.10.log', 'runner.x.log', 'runner.log'])
    writeFileSync(join(dir, 'logs', name), '');
  (await open()).info('here');
  assert.match(text('runner.10.log'), /"msg":"here"/);
});

test('other files in the folder are not removed', async () => {
  mkdirSync(join(dir, 'logs'));
  writeFileSync(join(dir, 'logs', 'runner.x.log'), '');
  logLines(await open(0.001), 60);
  assert.ok(files().includes('runner.x.log'));
});

test('what the disk refuses once is tried again with the next line', async () => {
  const log = await open(0.001);
  logLines(log, 3);
  // The next file cannot be created.
  mkdirSync(join(dir, 'logs', 'runner.2.log'));
  assert.throws(() => log.info('refused'), /EISDIR/);
  rmSync(join(dir, 'logs', 'runner.2.log'), { recursive: true });
  log.info('written');
  assert.match(text('runner.2.log'), /"msg":"written"/);
});

test('a path that no file of the log can have is refused by name', async () => {
  const refused = await createFileLog('/tmp/a"b/runner.log', {
    screen: (line) => line,
    onLost: () => {},
  }).catch((error: Error) => error.message);
  assert.match(String(refused), /must not contain .*Choose another one with --log-file/);
});

test('a full disk is reported once, and the runner continues', async () => {
  mkdirSync(join(dir, 'logs'));
  symlinkSync('/dev/full', join(dir, 'logs', 'runner.1.log'));
  const lost: string[] = [];
  const log = await createFileLog(join(dir, 'logs', 'runner.log'), {
    screen: (line) => line,
    onLost: (error) => lost.push(error.message),
  });
  log.info('first');
  log.info('second');
  assert.equal(lost, ['ENOSPC: no space left on device, write']);
});

test.run();
