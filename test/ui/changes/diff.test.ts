import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explainClosedFile } from '../../../ui/jobs/changes/files/filesView.ts';
import type { DiffFile } from '../../../ui/jobs/changes/diff/diffFile.ts';
import { pairChangedLines, buildDiffRows } from '../../../ui/jobs/changes/diff/diffRows.ts';
import { filterOpenRows, buildFileTree } from '../../../ui/jobs/changes/diff/fileTree.ts';
import { parseWholeDiff } from '../../../ui/jobs/changes/diff/readDiffInSteps.ts';

const test = suite('dashboard: diffs');

const DIFF = `diff --git a/README.md b/README.md
index 980e363..8755672 100644
--- a/README.md
+++ b/README.md
@@ -1,3 +1,3 @@ heading
 # A repository
-old
+new
 last
\\ No newline at end of file
diff --git a/old name.js b/new name.js
similarity index 90%
rename from old name.js
rename to new name.js
--- a/old name.js
+++ b/new name.js
@@ -10 +10,2 @@
 same
+--- a/looks like a head
diff --git "a/sl\\303\\274g.js" "b/sl\\303\\274g.js"
new file mode 100644
--- /dev/null
+++ "b/sl\\303\\274g.js"
@@ -0,0 +1 @@
+export const a = 1;
diff --git a/gone.bin b/gone.bin
deleted file mode 100644
index 980e363..0000000
Binary files a/gone.bin and /dev/null differ
`;

const parseOnlyFile = (text: string): DiffFile => {
  const [file] = parseWholeDiff(text).files;
  if (!file) throw new Error('no file');
  return file;
};

test('files of a diff have their names, their kind of change and their numbers of lines', () => {
  assert.equal(
    parseWholeDiff(DIFF).files.map(({ path, from, change, added, removed }) => ({
      path,
      from,
      change,
      added,
      removed,
    })),
    [
      { path: 'README.md', from: null, change: 'changed', added: 1, removed: 1 },
      { path: 'new name.js', from: 'old name.js', change: 'renamed', added: 1, removed: 0 },
      { path: 'slüg.js', from: null, change: 'added', added: 1, removed: 0 },
      { path: 'gone.bin', from: null, change: 'removed', added: 0, removed: 0 },
    ],
  );
});

test('lines have their numbers before and after, and say where the file ends without a line break', () => {
  const [readme, renamed] = parseWholeDiff(DIFF).files;
  assert.equal(readme?.lines, [
    { kind: 'hunk', before: null, after: null, text: '@@ -1,3 +1,3 @@ heading', noNewline: false },
    { kind: 'same', before: 1, after: 1, text: '# A repository', noNewline: false },
    { kind: 'removed', before: 2, after: null, text: 'old', noNewline: false },
    { kind: 'added', before: null, after: 2, text: 'new', noNewline: false },
    { kind: 'same', before: 3, after: 3, text: 'last', noNewline: true },
  ]);
  assert.equal(renamed?.lines.at(-1)?.text, '--- a/looks like a head');
});

test('a text that is not a diff has no files', () => {
  assert.equal(parseWholeDiff(''), { files: [], rest: null });
  assert.equal(parseWholeDiff('hello\n+ there').files, []);
});

test('what no line shows is said: modes, renames without changes, links, submodules, binary and empty files', () => {
  const notes = (head: string) => parseOnlyFile(`diff --git a/x.png b/x.png\n${head}\n`).notes;
  assert.equal(notes('old mode 100644\nnew mode 100755'), [
    'Mode changed from 100644 (a file) to 100755 (an executable file).',
  ]);
  assert.equal(notes('similarity index 100%\nrename from a\nrename to b'), [
    'Renamed without changes.',
  ]);
  assert.equal(notes('new file mode 120000'), ['This is a symbolic link.', 'The file is empty.']);
  assert.equal(notes('index 1..2 100644\nBinary files a/x.png and b/x.png differ'), [
    'Picture changed.',
  ]);
  assert.equal(notes('index 1..2\nGIT binary patch\nliteral 3\nKcmZQz\n\nliteral 0\n@@ -1 +1 @@'), [
    'Picture changed.',
  ]);
});

test('a diff that was cut has the reason, and the file in which it was has a note', () => {
  const { files, rest } = parseWholeDiff(
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n one\n# The diff is longer than 9 bytes; the rest is left out.\n',
  );
  assert.is(rest, 'The diff is longer than 9 bytes; the rest is left out.');
  assert.equal(files[0]?.notes, ['The rest of this file is missing: the diff is too long.']);
  assert.equal(files[0]?.lines.length, 2);
});

test('a removed line that looks like a head, and an empty line without its sign, are lines', () => {
  const { lines } = parseOnlyFile(
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n--- a/y\n\n diff --git a/z b/z\n',
  );
  assert.equal(
    lines.map(({ kind, text }) => `${kind}:${text}`),
    ['hunk:@@ -1,3 +1,2 @@', 'removed:-- a/y', 'same:', 'same:diff --git a/z b/z'],
  );
});

test('the hash of a file changes with its changes, not with their place', () => {
  const at = (line: number, text: string) =>
    parseOnlyFile(`diff --git a/x b/x\n@@ -${line} +${line} @@\n-a\n+${text}\n`).hash;
  assert.is(at(1, 'b'), at(700, 'b'));
  assert.is.not(at(1, 'b'), at(1, 'c'));
  const binary = (blob: string) =>
    parseOnlyFile(`diff --git a/x b/x\nindex 1..${blob}\nBinary files a/x and b/x differ\n`).hash;
  assert.is.not(binary('2'), binary('3'));
});

const CHANGE = `diff --git a/x b/x
@@ -1,4 +1,4 @@
 top
-one
-two
+ONE
+TWO
+three
 end
`;

test('side by side, removed lines are beside those that replace them', () => {
  const file = parseOnlyFile(CHANGE);
  assert.equal(
    buildDiffRows(file, true).map((row) =>
      row.kind === 'two' ? `${row.left?.text ?? ''}|${row.right?.text ?? ''}` : row.kind,
    ),
    ['hunk', 'top|top', 'one|ONE', 'two|TWO', '|three', 'end|end'],
  );
  const [, , one, , ONE] = file.lines;
  assert.ok(one && ONE);
  assert.is(pairChangedLines(file).get(one), ONE);
  assert.is(pairChangedLines(file).get(ONE), one);
});

test('lock files, generated, deleted and large files are closed at first, with the reason', () => {
  const reason = (path: string, lines = '+a\n', many = 1) =>
    explainClosedFile(
      parseOnlyFile(`diff --git a/${path} b/${path}\n@@ -0,0 +1,${many} @@\n${lines}`),
    );
  assert.is(reason('src/a.ts'), null);
  assert.is(reason('web/package-lock.json'), 'Lock file');
  assert.is(reason('lib/app.min.js'), 'Generated file');
  assert.is(reason('src/api.ts', '+// Code generated by x. DO NOT EDIT.\n'), 'Generated file');
  assert.is(reason('src/big.ts', '+a\n'.repeat(401), 401), 'Large: 401 changed lines');
  assert.is(
    explainClosedFile(
      parseOnlyFile('diff --git a/x b/x\ndeleted file mode 100644\n@@ -1 +0,0 @@\n-a\n'),
    ),
    'Deleted file',
  );
});

test('a tree joins folders that hold one folder alone, and hides what is in closed ones', () => {
  const rows = buildFileTree(['src/a/b/x.ts', 'src/a/b/y.ts', 'src/c.ts', 'README.md']);
  const listOpenRows = (closed: string[]) =>
    filterOpenRows(rows, new Set(closed)).map(({ name, depth }) => `${' '.repeat(depth)}${name}`);
  assert.equal(listOpenRows([]), ['src', ' a/b', '  x.ts', '  y.ts', ' c.ts', 'README.md']);
  assert.equal(listOpenRows(['src/a/b']), ['src', ' a/b', ' c.ts', 'README.md']);
  assert.equal(listOpenRows(['src']), ['src', 'README.md']);
});

test.run();
