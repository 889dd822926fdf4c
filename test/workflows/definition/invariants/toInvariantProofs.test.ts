import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toInvariantProofs } from '../../../../src/workflows/definition/invariants/toInvariantProofs.ts';
import { parseWorkflow } from '../../../../src/workflows/definition/parseWorkflow.ts';

const test = suite('invariants: proofs as people see them');

const FOLDER = new URL('../../../fixtures/invariants/', import.meta.url);

const readProofs = (file: string) => {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  const { sketch, proofs } = parseWorkflow(text, 'workflows/w.md');
  return toInvariantProofs(sketch, proofs);
};

test('a counterexample has its steps, its states in the chart with what would begin, and a script', () => {
  const [proof, ...others] = readProofs('unsafe/release-without-a-review.md');
  assert.equal(others, []);
  const { script, ...rest } = proof ?? { script: null };
  assert.equal(rest, {
    invariant: 'reviewed',
    from: null,
    rule: 'never phase(release), unless approved(review)',
    result: 'counterexample',
    by: null,
    steps: ['coding is over', 'review is over'],
    states: ['coding', 'review', 'release'],
  });
  assert.match(script ?? '', /"expect":\{"invariant":"reviewed"\}/);
});

test('a rule that lets no job complete leads to the end of the chart', () => {
  const [proof] = readProofs('unsafe/end-that-nothing-allows.md');
  assert.is(proof?.result, 'prevents-completion');
  assert.is(proof?.states.at(-1), '(complete)');
});

test('a proved rule says why it holds', () => {
  const [proof] = readProofs('safe/merge-only-when-approved.md');
  assert.equal([proof?.result, proof?.by], ['proved', 'guard']);
});

test('without a phase nothing is shown', () => {
  assert.equal(toInvariantProofs(null, []), []);
});

test.run();
