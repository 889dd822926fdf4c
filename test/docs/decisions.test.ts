import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectFiles, read } from '../../scripts/checks/projectFiles.ts';

const test = suite('documents: decisions');

const FOLDER = 'docs/decisions/';
/** Numbers that no decision got. */
const UNUSED = ['0109', '0114', '0137', '0138', '0139', '0140'];
const PARTS = ['Context', 'Decision', 'Cost'];

const pages = projectFiles().filter((file) => file.startsWith(FOLDER));
const own = pages.filter((file) => /\/\d{4}-[^/]+\.md$/.test(file));

/** Number of each decision and the pages that have a heading for it. */
const places = new Map<string, string[]>();
for (const file of pages)
  for (const [, number = ''] of read(file).matchAll(/^#{1,3} (\d{4}) /gm))
    places.set(number, [...(places.get(number) ?? []), file]);

test('every decision has a heading of its own on one page', () => {
  assert.ok(places.size > 100, `only ${places.size} decisions found`);
  assert.equal(
    [...places].filter(([, files]) => files.length !== 1),
    [],
  );
});

test('no number is missing', () => {
  const last = Math.max(...[...places.keys()].map(Number));
  const all = Array.from({ length: last }, (_, at) => String(at + 1).padStart(4, '0'));
  assert.equal(
    all.filter((number) => !places.has(number)),
    UNUSED,
  );
});

test('every decision that a text names has a page', () => {
  const references = projectFiles()
    .filter(
      (file) => /\.(?:ts|tsx|css|md|mjs|yml)$/.test(file) && file !== 'test/docs/decisions.test.ts',
    )
    .flatMap((file) =>
      [...read(file).matchAll(/\bdecisions? \[?\(?(\d{4})\b|\[(\d{4})\]\(/gi)].map((match) => ({
        file,
        number: match[1] ?? match[2] ?? '',
      })),
    );
  assert.ok(references.length > 20, `only ${references.length} references found`);
  assert.equal(
    references.filter(({ number }) => !places.has(number)),
    [],
  );
});

for (const file of own)
  test(`${file.slice(FOLDER.length)} has the form of a decision`, () => {
    const text = read(file);
    assert.match(text, /^# .+\n\n- Area: .+\n- Status: /);
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, name = '']) => name);
    assert.equal(
      headings.filter((name) => !/^\d{4} /.test(name)),
      PARTS,
    );
  });

test('the index names every page', () => {
  const index = read(`${FOLDER}index.md`);
  assert.equal(
    own.filter((file) => !index.includes(`](${file.slice(FOLDER.length)})`)),
    [],
  );
});

test.run();
