import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maskVaryingParts, fingerprintCall } from '../../../src/executors/process/sessionOutput.ts';

const test = suite('fingerprints of calls');

const SAME: readonly (readonly [string, string, string])[] = [
  ['times', 'done at 2026-01-01T10:00:00.123Z', 'done at 2026-02-03T11:12:13.456Z'],
  ['durations', '3 tests in 120ms', '14 tests in 9ms'],
  ['commits', 'HEAD is 0f1e2d3c4b5a', 'HEAD is 99aa88bb77cc'],
  ['temporary paths', 'wrote /tmp/svc-ab12/out.txt', 'wrote /tmp/svc-zz99/other.txt'],
  ['temporary paths of macOS', 'in /var/folders/x1/T/a', 'in /private/var/folders/y2/T/b'],
];

for (const [what, a, b] of SAME)
  test(`${what} are masked`, () => assert.is(fingerprintCall(a), fingerprintCall(b)));

test('words stay', () => {
  assert.is(
    maskVaryingParts('the deadbeef of a facade: defaced'),
    'the deadbeef of a facade: defaced',
  );
  assert.is.not(fingerprintCall('cat a.ts'), fingerprintCall('cat b.ts'));
});

test('the order of arguments does not matter', () => {
  assert.is(
    fingerprintCall({ path: 'a', options: { x: true, y: [1] } }),
    fingerprintCall({ options: { y: [2], x: true }, path: 'a' }),
  );
});

test.run();
