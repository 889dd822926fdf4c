import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFailingTests } from '../../../src/executors/process/sessionOutput.ts';

const test = suite('failing tests in an answer');

const RUNS: readonly (readonly [string, string, string[]])[] = [
  [
    'node --test',
    `TAP version 13\nok 1 - adds\nnot ok 2 - subtracts\nnot ok 3 - later # ${'TO'}DO\n1..3\n# tests 3\n# pass 1\n# fail 1`,
    ['subtracts'],
  ],
  [
    'pytest',
    'FAILED tests/test_shop.py::test_price - assert 1 == 2\n===== 1 failed, 4 passed in 0.12s =====',
    ['tests/test_shop.py::test_price'],
  ],
  ['go test', '--- FAIL: TestPrice (0.00s)\nFAIL\nFAIL\texample.test/shop\t0.01s', ['TestPrice']],
  [
    'cargo test',
    'test price::rounds ... FAILED\ntest price::adds ... ok\ntest result: FAILED. 1 passed; 1 failed',
    ['price::rounds'],
  ],
  [
    'jest',
    'FAIL  src/price.test.ts\n  ● price › rounds\nTests:       1 failed, 3 passed, 4 total',
    ['price › rounds', 'src/price.test.ts'],
  ],
  ['vitest', ' × price > rounds 3ms\n      Tests  1 failed | 3 passed (4)', ['price > rounds']],
  ['uvu', '   FAIL  shop  "price"\n\n  Total:     2\n  Passed:    1\n', ['shop  "price"']],
  [
    'rspec',
    'rspec ./spec/price_spec.rb:4 # rounds\n2 examples, 1 failure\n',
    ['./spec/price_spec.rb:4'],
  ],
  ['a run that passes', '1..2\n# tests 2\n# pass 2\n# fail 0', []],
];

for (const [runner, answer, names] of RUNS)
  test(`${runner}: ${names.length} failing`, () => {
    assert.equal(listFailingTests(answer), names);
  });

test('colours do not matter', () => {
  assert.equal(listFailingTests('\u001b[31mnot ok 1 - adds\u001b[0m\n1..1'), ['adds']);
});

test('a text that only speaks of failures is no run of tests', () => {
  assert.is(listFailingTests('FAILED tests/a.py::b\n✗ not this one\nnot ok 1 - adds'), null);
});

test.run();
