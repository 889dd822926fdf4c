import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lintExamples } from '../../../scripts/reference/lintExamples.ts';
import { LINT_FIXES } from '../../../src/workflows/definition/lintFixes.ts';
import { LINT_CODES, type LintCode } from '../../../src/workflows/definition/findings.ts';

const test = suite('codes of the linter');

const corpus: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('corpus/expected.json', import.meta.url), 'utf8'),
);

test('the codes are in alphabetical order', () => {
  assert.equal(Object.keys(LINT_CODES), Object.keys(LINT_CODES).sort());
});

test('the severities of the reference are those that the corpus shows', () => {
  for (const finding of Object.values(corpus).flat()) {
    const [, severity = '', code] = finding.split(' ');
    const described = LINT_FIXES[code as LintCode].severity.split(' or ');
    assert.ok(described.includes(severity), finding);
  }
});

test('every code has an example in the reference', async () => {
  const examples = await lintExamples();
  assert.equal(
    Object.keys(LINT_CODES).filter((code) => !examples.has(code)),
    [],
  );
});

test.run();
