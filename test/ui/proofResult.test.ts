import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isBrokenInvariant, describeProofResult } from '../../ui/authoring/describeProofResult.ts';

const test = suite('ui: what was proved of an invariant');

test('a counterexample and a rule that lets no job complete are broken', () => {
  const results = ['proved', 'unreachable', 'counterexample', 'prevents-completion'] as const;
  assert.equal(
    results.filter((result) => isBrokenInvariant({ result })),
    ['counterexample', 'prevents-completion'],
  );
});

test('of a proved rule it says why it holds', () => {
  assert.match(describeProofResult({ result: 'proved', by: 'guard' }), /refuses every violation/);
  assert.match(describeProofResult({ result: 'proved', by: 'workflow' }), /cannot violate it/);
});

test.run();
