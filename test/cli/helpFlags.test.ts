import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runTool } from '../../cli/tool.ts';

const test = suite('-h, -v and version');

const ROOT = join(import.meta.dirname, '..', '..');
const svc = (...args: string[]): string =>
  execFileSync(process.execPath, [join(ROOT, 'cli', 'bin', 'run.js'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });

test('svc -v, svc version and svc --version print one line; svc -h is the help of svc (CLI-5)', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.equal(svc('-v'), `svc ${version}\n`);
  assert.equal(svc('version'), `svc ${version}\n`);
  assert.equal(svc('--version'), `svc ${version}\n`);
  assert.is(svc('-h'), svc('--help'));
});

test('-h is the help of a command, of a command below a topic, of start and of tool (CLI-5)', async () => {
  assert.is(svc('jobs', '-h'), svc('jobs', '--help'));
  assert.is(svc('campaign', 'list', '-h'), svc('campaign', 'list', '--help'));
  assert.is(svc('start', '-h'), svc('start', '--help'));
  let out = '';
  const streams = {
    stdin: process.stdin,
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (out += text) },
  };
  assert.is(await runTool(['-h'], {}, streams), 0);
  assert.match(out, 'svc tool <name>');
});

test.run();
