import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_LEVELS } from '../../../../src/base/settings/logLevels.ts';
import { createLog } from '../../../../src/base/system/log/log.ts';
import { formatRunnerLogLine } from '../../../../cli/render/runner/formatRunnerLogLine.ts';
import { parseStartFlags } from '../../../../cli/input/parseStartFlags.ts';

const test = suite('log level');

const logAll = (log: ReturnType<typeof createLog>): void => {
  for (const level of LOG_LEVELS) log[level](level);
};

for (const [at, level] of LOG_LEVELS.entries())
  test(`${level} shows itself and what is more serious`, () => {
    const lines: string[] = [];
    logAll(createLog({ write: (line) => void lines.push(JSON.parse(line).msg) }, level));
    assert.equal(lines, LOG_LEVELS.slice(0, at + 1));
  });

test('the level can be changed while the log is used', () => {
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(JSON.parse(line).msg) }, 'error');
  log.level = 'debug';
  logAll(log);
  assert.equal(lines, LOG_LEVELS);
});

test('a line at a terminal begins with its level', () => {
  const kinds = [20, 30, 40, 50].map((level) =>
    formatRunnerLogLine(JSON.stringify({ level, msg: 'it runs' })),
  );
  assert.equal(kinds, [
    'Debug: It runs\n',
    'Info: It runs\n',
    'Warning: It runs\n',
    'Error: It runs\n',
  ]);
});

test('svc start refuses an unknown level', () => {
  assert.is(parseStartFlags(['--log-level', 'debug']).logLevel, 'debug');
  assert.throws(
    () => parseStartFlags(['--log-level', 'trace']),
    (error: { code?: string }) => error.code === 'bad-argument',
  );
});

test.run();
