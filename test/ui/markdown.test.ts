import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lexBounded } from '../../ui/shell/markdown/lexBounded.ts';
import { sliceMarkdown } from '../../ui/shell/markdown/sliceMarkdown.ts';
import { revealTurningCharacters } from '../../ui/shell/markdown/revealTurningCharacters.ts';

const test = suite('dashboard: texts of others');

/** How deep quotes are nested in what was read of a text. */
function depthOfQuotes(markdown: string): number {
  let deepest = 0;
  let open = lexBounded(markdown).flatMap((token) => (token.type === 'blockquote' ? [token] : []));
  for (; open.length > 0; deepest += 1)
    open = open.flatMap(({ tokens }) =>
      (tokens ?? []).flatMap((token) => (token.type === 'blockquote' ? [token] : [])),
    );
  return deepest;
}

test('quotes are read three deep, and ten thousand of them are text: each level would double the time', () => {
  assert.is(depthOfQuotes('> > a'), 2);
  assert.is(depthOfQuotes(`${'>'.repeat(10_000)} a`), 3);
});

test('lists within lists do not exhaust the stack', () => {
  assert.ok(lexBounded(`${'- '.repeat(5_000)}a`).length > 0);
});

const section = (n: number) => `## Step ${n}\n\n${'Some words. '.repeat(40)}\n\n`;

test('a long text is cut before headings and paragraphs; nothing of it is lost', () => {
  const text = Array.from({ length: 100 }, (_, n) => section(n)).join('');
  const slices = sliceMarkdown(text);
  assert.ok(slices.length > 5);
  assert.ok(slices.every((slice) => slice.length < 6_000));
  assert.is(slices.join('\n'), text);
  assert.equal(sliceMarkdown('# Short'), ['# Short']);
});

test('a fence that is cut is closed and opened again with its language', () => {
  const code = 'const a = 1;\n'.repeat(3_000);
  const slices = sliceMarkdown(`~~~ts\n${code}~~~\n\nAfter it.`);
  assert.ok(slices.length > 2);
  for (const slice of slices.slice(1, -1)) {
    assert.ok(slice.startsWith('~~~ts\n'));
    assert.match(slice, /\n~~~\n?$/);
  }
  assert.match(slices.join('\n'), /\n~~~\n\nAfter it\.$/);
});

test('a list is cut at its items, and a link is known in each slice wherever it is defined', () => {
  const slices = sliceMarkdown(`${'- an item\n'.repeat(3_000)}\n[home]: https://example.org\n`);
  assert.ok(slices.length > 1);
  for (const slice of slices.slice(0, -1)) assert.match(slice, /^- an item\n/);
  for (const slice of slices) assert.ok(slice.includes('[home]: https://example.org'));
});

test('characters that turn the direction of a text are shown, those of other scripts are left', () => {
  assert.is(revealTurningCharacters('is \u202Elive\u202C'), 'is [U+202E]live[U+202C]');
  assert.is(
    revealTurningCharacters('\u05E9\u05DC\u05D5\u05DD \u200F!'),
    '\u05E9\u05DC\u05D5\u05DD \u200F!',
  );
});

test.run();
