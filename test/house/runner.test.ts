import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundleTests } from '../../scripts/bundleTests.ts';
import { judge, runFile } from '../support/uvuFile.ts';

const test = suite('house: the test runner');

const root = join(import.meta.dirname, '..', '..');

/** Runs the runner on one fixture (or any words) as npm test does. */
function run(...words: string[]) {
  const result = spawnSync(process.execPath, ['--import', 'tsx', 'test/run.ts', ...words], {
    encoding: 'utf8',
  });
  return {
    last: result.stdout.trimEnd().split('\n').at(-1),
    code: result.status,
    out: result.stdout,
  };
}

/**
 * fixture → tests passed and failed as the runner must count them, and the sentence it must say.
 * uvu's exit code is 0 for most.
 */
const silent: Record<string, [passed: number, failed: number, says: RegExp]> = {
  throwingBefore: [0, 1, /something threw that uvu does not show/],
  throwingAfterEach: [0, 1, /something threw that uvu does not show/],
  thrownString: [0, 2, /something threw that uvu does not show/],
  forgottenRun: [0, 1, /the suite "test" is never run/],
  oneOfTwoRun: [1, 1, /the suite "other" is never run/],
  noTest: [0, 1, /it has no test/],
  skipped: [1, 1, /1 test\(s\) were skipped/],
  earlyExit: [0, 1, /uvu printed no summary/],
  lateExitCode: [1, 1, /the process ended with exit code 3/],
};

const fixture = (name: string): string => `test/fixtures/silent/${name}.ts`;
const STAYS_OPEN = fixture('staysOpen');
const bundled = await bundleTests(root, [...Object.keys(silent).map(fixture), STAYS_OPEN]);
test.after(() => bundled.remove());

for (const [name, [passed, failed, says]] of Object.entries(silent)) {
  test(`a file that passes silently is a failure: ${name}`, async () => {
    const result = await runFile({
      file: fixture(name),
      program: bundled.toBundledPath(fixture(name)),
      timeoutMs: 20_000,
      env: process.env,
      onStart: () => {},
    });
    assert.equal(result.passed, passed);
    assert.equal(result.failed, failed);
    assert.match(result.problems.join('\n'), says);
  });
}

test('such a file makes the whole run fail', () => {
  const result = run('test/fixtures/silent/throwingBefore.ts', 'test/fixtures/silent/good.ts');
  assert.equal(result.last, '2 passed, 1 failed');
  assert.equal(result.code, 1);
  assert.match(result.out, /something threw that uvu does not show/);
});

test('an honest file passes, an honest failure fails and is shown', () => {
  const good = run('test/fixtures/silent/good.ts');
  assert.equal(good.last, '2 passed, 0 failed');
  assert.equal(good.code, 0);
  const bad = run('test/fixtures/silent/assertionFails.ts');
  assert.equal(bad.last, '1 passed, 1 failed');
  assert.equal(bad.code, 1);
  assert.ok(bad.out.includes('fails'), bad.out);
});

test('a file whose tests cannot run on this machine names what is missing, and is no failure', () => {
  const leftOut = run('test/fixtures/silent/leftOut.ts', 'test/fixtures/silent/good.ts');
  assert.equal(leftOut.last, '2 passed, 0 failed');
  assert.equal(leftOut.code, 0);
  assert.match(leftOut.out, /^ +left out: the only test; there is no such program$/m);
});

test('a file that fails beside others and passes alone is named, and is no failure', () => {
  const marker = join(root, '.cache', `unsteady-${process.pid}`);
  process.env['UNSTEADY_MARKER'] = marker;
  const twice = run('--again', 'test/fixtures/silent/failsOnce.ts');
  rmSync(marker, { force: true });
  assert.equal(twice.last, '1 passed, 0 failed');
  assert.match(twice.out, /^UNSTEADY test\/fixtures\/silent\/failsOnce\.ts: /m);
});

test('a file that fails twice is a failure', () => {
  const broken = run('--again', 'test/fixtures/silent/assertionFails.ts');
  assert.equal(broken.last, '1 passed, 1 failed');
});

test('a file that is no TypeScript is a failure that names the place', () => {
  const file = `.cache/broken-${process.pid}.ts`;
  writeFileSync(join(root, file), 'const fine = 1;\nconst = fine;\n');
  const broken = run(file);
  rmSync(join(root, file));
  assert.equal(broken.last, '0 passed, 1 failed');
  assert.equal(broken.code, 1);
  assert.match(broken.out, /broken-\d+\.ts:2:\d+/);
});

test('words that match no file are a failure, even next to words that match', () => {
  const none = run('no-such-test-anywhere');
  assert.equal(none.last, '0 passed, 1 failed');
  assert.equal(none.code, 1);
  const some = run('no-such-test-anywhere', 'test/fixtures/silent/good.ts');
  assert.equal(some.last, '2 passed, 1 failed');
  assert.equal(some.code, 1);
});

test('a file that does not end is a failure with its own message', () => {
  const verdict = judge('', '', { code: null, signal: 'SIGKILL', timedOut: true }, 120_000);
  assert.equal(verdict, {
    passed: 0,
    failed: 1,
    problems: ['it was still running after 120 s and was killed'],
  });
});

test('a file that failed and leaves something open is ended, and has its one failure', async () => {
  const { passed, failed, problems } = await runFile({
    file: STAYS_OPEN,
    program: bundled.toBundledPath(STAYS_OPEN),
    timeoutMs: 60_000,
    env: process.env,
    onStart: () => {},
    silenceMs: 100,
  });
  assert.equal({ passed, failed, problems }, { passed: 0, failed: 1, problems: [] });
});

test('coloured summaries are read, and only the last one counts', () => {
  const summary = (total: number, passed: number) =>
    `\n  Total:     ${total}\u001b[32m\n  Passed:    ${passed}\u001b[39m\n  Skipped:   0\n  Duration:  1ms\n\n`;
  const verdict = judge(
    '',
    `${summary(5, 1)}${summary(3, 3)}`,
    { code: 0, signal: null, timedOut: false },
    1,
  );
  assert.equal(verdict, { passed: 3, failed: 0, problems: [] });
});

test.run();
