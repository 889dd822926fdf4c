import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../scripts/checks/projectFiles.ts';
import { collectAnchors, linkProblems, listLinks } from '../../scripts/docs/links.ts';
import { markdownFiles } from '../../scripts/docs/markdownFiles.ts';

const test = suite('documents: links');

test('every link in a document leads to a file and a heading that exist', () => {
  const files = markdownFiles();
  assert.ok(files.length > 15, `only ${files.length} documents found`);
  assert.equal(
    files.flatMap((file) => linkProblems(file, read(file))),
    [],
  );
});

test('a link to a file that does not exist is named with its line', () => {
  assert.equal(linkProblems('docs/a.md', '# A\n\nSee [b](nowhere.md).\n'), [
    'docs/a.md:3: the link nowhere.md names a file that does not exist: docs/nowhere.md. Correct the path.',
  ]);
});

test('a link to a heading that does not exist is named with those that do', () => {
  assert.equal(linkProblems('docs/a.md', '# First part\n\nSee [b](#second).\n'), [
    'docs/a.md:3: the link #second: docs/a.md has no heading for #second. It has first-part.',
  ]);
});

test('links in code and in comments do not count', () => {
  assert.equal(listLinks('`[a](b.md)`\n\n```md\n[a](b.md)\n```\n<!-- [a](b.md) -->\n'), []);
});

test('headings with the same name are numbered, as forges do it', () => {
  assert.equal(
    [...collectAnchors('# A `b` c\n## Again\n## Again\n')],
    ['a-b-c', 'again', 'again-1'],
  );
});

test.run();
