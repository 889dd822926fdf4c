import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lineComment, parseDiff } from '../../ui/jobs/changes/diff.ts';

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
Binary files a/gone.bin and /dev/null differ
`;

test('files of a diff have their names, their kind of change and their numbers of lines', () => {
  assert.equal(
    parseDiff(DIFF).map(({ path, from, change, added, removed }) => [
      path,
      from,
      change,
      added,
      removed,
    ]),
    [
      ['README.md', null, 'changed', 1, 1],
      ['new name.js', 'old name.js', 'renamed', 1, 0],
      ['slüg.js', null, 'added', 1, 0],
      ['gone.bin', null, 'removed', 0, 0],
    ],
  );
});

test('lines have their numbers before and after; a line that looks like a head is still a line', () => {
  const [readme, renamed] = parseDiff(DIFF);
  assert.equal(
    readme?.lines.map(({ kind, before, after, text }) => [kind, before, after, text]),
    [
      ['hunk', null, null, '@@ -1,3 +1,3 @@ heading'],
      ['same', 1, 1, '# A repository'],
      ['removed', 2, null, 'old'],
      ['added', null, 2, 'new'],
      ['same', 3, 3, 'last'],
      ['note', null, null, 'No newline at end of file'],
    ],
  );
  assert.equal(renamed?.lines.at(-1), {
    kind: 'added',
    before: null,
    after: 11,
    text: '--- a/looks like a head',
  });
});

test('a text that is not a diff has no files', () => {
  assert.equal(parseDiff(''), []);
  assert.equal(parseDiff('hello\n+ there'), []);
});

test('a comment on a line says where it is, and its quote cannot be ended by the text of the line', () => {
  const line = { kind: 'added', before: null, after: 7, text: 'a ``` b' } as const;
  assert.is(
    lineComment('src/x.ts', line, 'Why?'),
    'On `src/x.ts:7`:\n\n````\na ``` b\n````\n\nWhy?',
  );
  assert.match(
    lineComment('x', { kind: 'removed', before: 3, after: null, text: 'b' }, 'No.'),
    'On `x:3 (removed)`',
  );
});

test.run();
