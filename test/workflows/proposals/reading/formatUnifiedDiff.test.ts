import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatUnifiedDiff } from '../../../../src/workflows/proposals/reading/formatUnifiedDiff.ts';

const test = suite('proposals: a change as git shows it');

const numbers = (...changed: number[]): string =>
  Array.from({ length: 30 }, (_, n) => (changed.includes(n) ? `changed ${n}` : `line ${n}`)).join(
    '\n',
  );

const CASES: [name: string, before: string | null, after: string | null][] = [
  ['one line', 'one\ntwo\nthree\n', 'one\nTWO\nthree\n'],
  ['a new file', null, 'one\ntwo\n'],
  ['a removed file', 'one\ntwo\n', null],
  ['two places far apart', numbers(), numbers(2, 25)],
  ['two places close together', numbers(), numbers(10, 13)],
  ['lines at the end', 'one\n', 'one\ntwo\nthree\n'],
  ['lines at the begin', 'one\n', 'zero\none\n'],
  ['many equal lines', 'x\n'.repeat(2_000), `${'x\n'.repeat(2_000)}y\n`],
];

for (const [name, before, after] of CASES)
  test(`git applies it and has the text: ${name}`, () => {
    const dir = mkdtempSync(join(tmpdir(), 'svc-diff-'));
    const file = join(dir, 'a.md');
    if (before !== null) writeFileSync(file, `${before.trimEnd()}\n`);
    writeFileSync(join(dir, 'x.patch'), formatUnifiedDiff('a.md', before, after));
    execFileSync('git', ['apply', 'x.patch'], { cwd: dir });
    const text = after === null ? '' : execFileSync('cat', [file], { encoding: 'utf8' });
    assert.is(text, after === null ? '' : `${after.trimEnd()}\n`);
    rmSync(dir, { recursive: true });
  });

test('nothing changed is nothing', () => {
  assert.is(formatUnifiedDiff('a.md', 'one\n', 'one\n'), '');
});

test('texts that would take too long to compare are replaced whole', () => {
  const diff = formatUnifiedDiff('a.md', `a\n${'\n'.repeat(1_000)}b`, `c\n${'\n'.repeat(1_001)}d`);
  assert.is(diff.split('\n').filter((line) => line === '-').length, 1_000);
});

test.run();
