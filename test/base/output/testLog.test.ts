import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TestLog } from '../../../src/base/output/testLog.ts';

const test = suite('which tests failed in the last run that a program printed');

const failingIn = (text: string): string[] | null => {
  const log = new TestLog();
  for (const line of text.split('\n')) log.push(line);
  return log.failing;
};

/** Of each runner of tests: a run in which one fails, its name, and a run in which all pass. */
const RUNS: Readonly<Record<string, [red: string, name: string, green: string]>> = {
  'pytest -q': [
    'FAILED tests/test_a.py::test_a - AssertionError: boom\n1 failed, 3 passed in 0.12s',
    'tests/test_a.py::test_a',
    '4 passed in 0.10s',
  ],
  'pytest -v': [
    'tests/test_a.py::test_a FAILED [ 50%]\ntests/test_a.py::test_b PASSED [100%]\n===== 1 failed, 1 passed in 0.12s =====',
    'tests/test_a.py::test_a',
    '===== 2 passed in 0.12s =====',
  ],
  'pytest that cannot collect': [
    'ERROR tests/test_a.py - ImportError: x\n!!!!! Interrupted\n1 error in 0.05s',
    'tests/test_a.py',
    '4 passed in 0.10s',
  ],
  unittest: [
    'FAIL: test_a (tests.Shop.test_a)\n-----\nTraceback\n\nRan 2 tests in 0.001s\n\nFAILED (failures=1)',
    'test_a (tests.Shop.test_a)',
    '..\nRan 2 tests in 0.001s\n\nOK',
  ],
  jest: [
    '  ● price › rounds\nTests:       1 failed, 3 passed, 4 total',
    'price › rounds',
    'Tests:       4 passed, 4 total',
  ],
  vitest: [
    ' × price > rounds 3ms\n Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)',
    'price > rounds',
    '      Tests  4 passed (4)',
  ],
  mocha: [
    '  price\n    ✓ adds\n    1) rounds\n\n  1 passing (5ms)\n  1 failing\n\n  1) price\n       rounds:\n     AssertionError: 1 == 2',
    'price rounds',
    '  price\n    ✓ adds\n    ✓ rounds\n\n  2 passing (5ms)\n',
  ],
  'node --test': [
    '✖ rounds (1.2ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n\n✖ failing tests:\n\ntest at a.test.js:1:1\n✖ rounds (1.2ms)',
    'rounds',
    '✔ rounds (1.2ms)\nℹ tests 2\nℹ pass 2\nℹ fail 0',
  ],
  'go test': [
    '--- FAIL: TestPrice (0.00s)\nFAIL\nFAIL\texample.test/shop\t0.01s\nok  \texample.test/other\t0.01s',
    'TestPrice',
    'ok  \texample.test/shop\t0.01s\nok  \texample.test/other\t(cached)',
  ],
  gotestsum: [
    '=== FAIL: shop TestPrice (0.00s)\nDONE 5 tests, 1 failure in 0.5s',
    'shop TestPrice',
    'DONE 5 tests in 0.5s',
  ],
  'cargo test': [
    'test price::rounds ... FAILED\ntest result: FAILED. 1 passed; 1 failed; 0 ignored',
    'price::rounds',
    'test price::rounds ... ok\ntest result: ok. 2 passed; 0 failed; 0 ignored',
  ],
  'cargo nextest': [
    '        FAIL [   0.005s] shop price::rounds\n     Summary [   0.2s] 4 tests run: 3 passed, 1 failed, 0 skipped',
    'shop price::rounds',
    '     Summary [   0.2s] 4 tests run: 4 passed, 0 skipped',
  ],
  maven: [
    '[INFO] Scanning for projects...\n[ERROR] com.x.PriceTest.rounds  Time elapsed: 0.01 s  <<< FAILURE!\n[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0',
    'com.x.PriceTest.rounds',
    '[INFO] Scanning for projects...\n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0',
  ],
  gradle: [
    'PriceTest > rounds() FAILED\n    AssertionFailedError\n2 tests completed, 1 failed',
    'PriceTest > rounds()',
    'BUILD SUCCESSFUL in 3s',
  ],
  'dotnet test': [
    '  Failed Shop.PriceTest.Rounds [12 ms]\nFailed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4, Duration: 5 ms - Shop.dll (net8.0)',
    'Shop.PriceTest.Rounds',
    'Passed!  - Failed:     0, Passed:     4, Skipped:     0, Total:     4, Duration: 5 ms - Shop.dll (net8.0)',
  ],
  rspec: [
    '2 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/price_spec.rb:4 # rounds',
    './spec/price_spec.rb:4',
    '2 examples, 0 failures',
  ],
  minitest: [
    '  1) Failure:\nPriceTest#test_rounds [test/price_test.rb:4]:\n2 runs, 2 assertions, 1 failures, 0 errors, 0 skips',
    'PriceTest#test_rounds',
    '2 runs, 2 assertions, 0 failures, 0 errors, 0 skips',
  ],
  phpunit: [
    'There was 1 failure:\n\n1) Tests\\PriceTest::testRounds\nFailed asserting\n\nTests: 2, Assertions: 2, Failures: 1.',
    'Tests\\PriceTest::testRounds',
    'OK (2 tests, 2 assertions)',
  ],
  ExUnit: [
    '  1) test rounds (PriceTest)\n     test/price_test.exs:4\n\n2 tests, 1 failure',
    'test rounds (PriceTest)',
    '2 tests, 0 failures',
  ],
  googletest: [
    '[==========] Running 2 tests from 1 test suite.\n[  FAILED  ] Price.Rounds (0 ms)\n[  PASSED  ] 1 test.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Price.Rounds',
    'Price.Rounds',
    '[==========] Running 2 tests from 1 test suite.\n[       OK ] Price.Rounds (0 ms)\n[  PASSED  ] 2 tests.',
  ],
  ctest: [
    '75% tests passed, 1 tests failed out of 4\n\nThe following tests FAILED:\n\t  3 - price (Failed)',
    'price',
    '100% tests passed, 0 tests failed out of 4',
  ],
  XCTest: [
    "Test Case '-[Shop.PriceTest testRounds]' failed (0.001 seconds).\nExecuted 2 tests, with 1 failure (0 unexpected) in 0.002 seconds",
    '-[Shop.PriceTest testRounds]',
    'Executed 2 tests, with 0 failures (0 unexpected) in 0.002 seconds',
  ],
  Deno: [
    'rounds ... FAILED (5ms)\nFAILED | 3 passed | 1 failed (10ms)',
    'rounds',
    'ok | 4 passed | 0 failed (10ms)',
  ],
  Bun: ['(fail) price > rounds [1.20ms]\n\n 3 pass\n 1 fail', 'price > rounds', ' 4 pass\n 0 fail'],
  TAP: ['TAP version 13\nnot ok 1 - rounds\n1..1', 'rounds', 'TAP version 13\nok 1 - rounds\n1..1'],
};

for (const [runner, [red, name, green]] of Object.entries(RUNS))
  test(`${runner}: what fails, and what a later run has fixed`, () => {
    assert.equal(failingIn(red), [name]);
    assert.equal(failingIn(green), []);
    assert.equal(failingIn(`${red}\n\n${green}`), []);
    assert.equal(failingIn(`${green}\n\n${red}`), [name]);
    assert.equal(failingIn(`${red}\n\n${red}`), [name]);
  });

test('of two runs in which different tests fail the last one counts', () => {
  const run = (name: string) => `FAILED tests/test.py::${name} - x\n1 failed in 0.12s\n`;
  assert.equal(failingIn(run('test_a') + run('test_b')), ['tests/test.py::test_b']);
});

test('long hostile lines do not take long', () => {
  const began = performance.now();
  for (const part of ['FAIL a.js.', '● .js ', '1) ', 'a::b ', ' > ', 'not ok 1 '])
    failingIn(`${part.repeat(100_000)}\n`.repeat(20));
  assert.ok(performance.now() - began < 2_000);
});

test.run();
