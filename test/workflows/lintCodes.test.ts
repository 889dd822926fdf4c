import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LINT_CODES } from '../../src/workflows/findings.ts';

const test = suite('codes of the linter');

const corpus: Record<string, string[]> = JSON.parse(readFileSync(new URL('corpus/expected.json', import.meta.url), 'utf8'));
const rows = readFileSync(new URL('../../docs/workflow-lint.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, code, severity, meaning, mend] = /^\| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/.exec(line) ?? [];
    return code && severity && meaning && mend ? [{ code, severities: severity.split(', '), meaning }] : [];
  });

test('the table of docs/workflow-lint.md has every code, with its meaning, in the order of the alphabet', () => {
  assert.equal(
    rows.map(({ code, meaning }) => [code, meaning]),
    Object.entries(LINT_CODES),
  );
  assert.equal(Object.keys(LINT_CODES), Object.keys(LINT_CODES).sort());
});

test('the severities of the table are those that the corpus shows', () => {
  for (const found of Object.values(corpus).flat()) {
    const [, severity = '', code] = found.split(' ');
    assert.ok(rows.find((row) => row.code === code)?.severities.includes(severity), found);
  }
});

test.run();
