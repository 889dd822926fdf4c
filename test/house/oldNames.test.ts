import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { oldNameProblems, oldNames } from '../../scripts/checks/oldWords.ts';

const test = suite('project: one name for one thing in texts for users');

const TABLE = `
| Instead of, in text that users read | Write |
|---|---|
| \`Read again\`, \`in line,\` | Refresh |
`;
const of = (file: string, text: string) => oldNameProblems(file, text, oldNames(TABLE));

test('a string of the dashboard with an old name is refused', () => {
  assert.equal(of('ui/a.tsx', '  <button>Read again</button>'), [
    'ui/a.tsx:1: "Read again": users read "Refresh"',
  ]);
  assert.is(of('cli/a.ts', "'3 working, 2 in line, 1 waiting'").length, 1);
});

test('comments, another case and other files are left out', () => {
  assert.equal(of('ui/a.tsx', '  // Read again, so that both are shown.'), []);
  assert.equal(of('ui/a.tsx', '  call(); // Read again'), []);
  assert.equal(of('ui/a.tsx', '/** Read again */'), []);
  assert.equal(of('ui/a.tsx', "'it is read again'"), []);
  assert.equal(of('test/a.ts', "'Read again'"), []);
});

test('a page is read as a whole', () => {
  assert.is(of('docs/guides/a.md', '**Read again** does it').length, 1);
});

test.run();
