import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileProblems } from '../../scripts/checks/fileRules.ts';
import { projectFiles, read, sourceFiles } from '../../scripts/checks/projectFiles.ts';
import { literalSpreads } from '../../scripts/checks/literalSpreads.ts';
import { wordProblems } from '../../scripts/checks/words.ts';

const test = suite('house: files');

test('every source file has a name that says something and a length that can be read', () => {
  const files = sourceFiles();
  assert.ok(files.length > 50, `only ${files.length} source files found`);
  assert.equal(
    files.flatMap((file) => fileProblems(file, read(file))),
    [],
  );
});

test('a name that says nothing and a file that is too long are found', () => {
  const lines = (count: number) => 'x\n'.repeat(count);
  assert.equal(fileProblems('src/http/utils.ts', lines(2)), [
    'src/http/utils.ts: the name "utils" does not say what is inside. Name it by what it does.',
  ]);
  assert.equal(fileProblems('src/http/app.ts', lines(320)), []);
  assert.equal(fileProblems('src/http/app.ts', lines(321)), [
    'src/http/app.ts: 321 lines, at most 320. Split it by what its parts do.',
  ]);
  assert.equal(fileProblems('test/http/app.test.ts', lines(900)), []);
});

test('unfinished work, switched-off tests and silenced tools are found, with their place', () => {
  const mark = ['TO', 'DO'].join('');
  assert.equal(wordProblems('src/a.ts', `fine\n// ${mark}: later`), [
    `src/a.ts:2: "${mark}": unfinished work: do it, or list it in CHANGELOG.md as pending`,
  ]);
  assert.is(wordProblems('src/a.ts', ['x as unkn', 'own as Y'].join('')).length, 1);
  assert.is(wordProblems('test/a.test.ts', ['test.on', "ly('x', f)"].join('')).length, 1);
  assert.equal(wordProblems('src/a.ts', 'the only( way'), []);
});

test('every test file is one that the runner finds: it is in test/ and ends in .test.ts', () => {
  const withSuites = projectFiles().filter(
    (file) => /\.(ts|tsx|js)$/.test(file) && /^import (?!type ).* from 'uvu'/m.test(read(file)),
  );
  const lost = withSuites.filter(
    (file) =>
      !file.startsWith('test/fixtures/') &&
      !(file.startsWith('test/') && file.endsWith('.test.ts')),
  );
  assert.equal(
    lost.filter((file) => !file.startsWith('test/support/')),
    [],
  );
});

test('no literal is spread into a literal', () => {
  assert.equal(
    sourceFiles().flatMap((file) => literalSpreads(file, read(file))),
    [],
  );
});

test('a literal that is spread into an object or an array is found with its line', () => {
  const says = 'a literal is spread into a literal: write out its members.';
  assert.equal(literalSpreads('a.ts', 'const a = {\n  ...{ b: 1 },\n};'), [`a.ts:2: ${says}`]);
  assert.equal(literalSpreads('a.ts', 'const a = [...([1, 2])];'), [`a.ts:1: ${says}`]);
});

test('a spread of a computed value, or of a conditional, is allowed', () => {
  const text =
    "const a = [...[1].map(String), ...(b ? ['c'] : [])];\nconst d = { ...(b ? { c: 1 } : {}) };";
  assert.equal(literalSpreads('a.ts', text), []);
});

test.run();
