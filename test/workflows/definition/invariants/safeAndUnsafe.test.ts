import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderProofScript } from '../../../../src/workflows/definition/invariants/renderProofScript.ts';
import { parseWorkflow } from '../../../../src/workflows/definition/parseWorkflow.ts';
import { parseScript } from '../../../../src/workflows/simulation/parseScript.ts';
import { simulate } from '../../../../src/workflows/simulation/simulate.ts';

const test = suite('invariants: unsafe workflows and safe ones');

const FOLDER = new URL('../../../fixtures/invariants/', import.meta.url);

const cases = (folder: 'safe' | 'unsafe') =>
  readdirSync(new URL(folder, FOLDER)).map((file) => {
    const text = readFileSync(new URL(`${folder}/${file}`, FOLDER), 'utf8');
    return { file, parsed: parseWorkflow(text, `workflows/${file}`) };
  });

const REFUSALS = ['invariant-broken', 'invariant-blocks-end'];

test('there are twenty of each', () => {
  assert.equal([cases('safe').length, cases('unsafe').length], [20, 20]);
});

for (const { file, parsed } of cases('safe')) {
  test(`safe: ${file}`, () => {
    assert.equal(
      parsed.diagnostics.map(({ code }) => code).filter((code) => code.startsWith('invariant')),
      [],
    );
    assert.equal(
      parsed.proofs.map(({ result }) => result),
      ['proved'],
    );
  });
}

for (const { file, parsed } of cases('unsafe')) {
  test(`unsafe: ${file} is refused, and the real chart plays the path to where it is stopped`, async () => {
    const errors = parsed.diagnostics.filter(({ severity }) => severity === 'error');
    assert.is(errors.length, 1);
    assert.ok(REFUSALS.includes(errors[0]?.code ?? ''), errors[0]?.code);
    const { sketch, proofs } = parsed;
    const [proof] = proofs;
    if (!sketch || !proof) throw new Error('nothing was proved');
    const agents = new Set(sketch.phases.flatMap(({ name, agent }) => (agent ? [name] : [])));
    const names = sketch.phases.map(({ name }) => name);
    const script = renderProofScript(proof, names, (name) => agents.has(name)) ?? '';
    assert.not.equal(script, '');
    const { failures, outcome } = await simulate({
      workflow: sketch,
      workflowPath: parsed.file,
      steps: parseScript(script, 'path.yml'),
    });
    assert.equal([failures, outcome], [[], 'stopped'], script);
  });
}

test.run();
