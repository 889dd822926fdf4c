import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { adfToMarkdown } from '../../../src/providers/jira/adf/adfToMarkdown.ts';
import { type AdfNode, markdownToAdf } from '../../../src/providers/jira/adf/markdownToAdf.ts';

const test = suite('trackers: documents of Jira');

const TEXT = `# Title

A **bold** word, _one_ that leans, ~~none~~ and \`code\`.
A second line with [a link](https://acme.test/x) and https://acme.test/y.

- first
- second
  1. inner
  2. next
- third

> quoted
> twice

\`\`\`ts
const a = '**not bold**';
\`\`\`

---

The end.`;

test('markdown that agents write is the same after the way to Jira and back', () => {
  assert.is(adfToMarkdown(markdownToAdf(TEXT)), TEXT);
});

test('a comment is a document that Jira takes: texts with marks, lists of items, nothing empty', () => {
  assert.equal(markdownToAdf('Hi **you**'), {
    type: 'doc',
    version: 1,
    content: [
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'Hi ' },
          { type: 'text', text: 'you', marks: [{ type: 'strong' }] },
        ],
      },
    ],
  });
  assert.equal(markdownToAdf('').content, [{ type: 'paragraph', content: [] }]);
  // A quote takes neither headings nor rules.
  const quote = markdownToAdf('> # Big\n> ---\n> small').content?.[0];
  assert.equal(
    quote?.content?.map(({ type }) => type),
    ['paragraph', 'paragraph', 'paragraph'],
  );
  const texts: string[] = [];
  const look = (node: { text?: string; content?: unknown }) => {
    if (node.text !== undefined) texts.push(node.text);
    for (const inner of Array.isArray(node.content) ? node.content : []) look(inner);
  };
  look(markdownToAdf(`${TEXT}\n\n****\n\n\`\`\n\n- \n\n[]()\n\n[x](javascript:alert(1))`));
  assert.not.ok(texts.includes(''));
});

test('an address that is none for a browser stays text', () => {
  assert.not.match(JSON.stringify(markdownToAdf('[x](javascript:alert)')), /"link"/);
});

test('what people make in Jira is shown: tables, panels, tasks, mentions, cards, dates, attachments', () => {
  const cell = (text: string) => ({
    type: 'tableCell',
    content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
  });
  const content = [
    {
      type: 'table',
      content: [
        { type: 'tableRow', content: [cell('a'), cell('b|c')] },
        { type: 'tableRow', content: [cell('1'), cell('2')] },
      ],
    },
    {
      type: 'panel',
      attrs: { panelType: 'info' },
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Mind this.' }] }],
    },
    {
      type: 'taskList',
      content: [
        { type: 'taskItem', attrs: { state: 'DONE' }, content: [{ type: 'text', text: 'Did' }] },
      ],
    },
    {
      type: 'paragraph',
      content: [
        { type: 'mention', attrs: { id: '1', text: '@Ann' } },
        { type: 'inlineCard', attrs: { url: 'https://acme.test/z' } },
        { type: 'date', attrs: { timestamp: String(Date.UTC(2026, 0, 2)) } },
        { type: 'somethingNew', content: [{ type: 'text', text: '!' }] },
      ],
    },
    { type: 'mediaSingle', content: [{ type: 'media', attrs: { id: 'm1', alt: 'shot.png' } }] },
  ];
  assert.is(
    adfToMarkdown({ type: 'doc', version: 1, content }),
    [
      '| a | b\\|c |\n| --- | --- |\n| 1 | 2 |',
      '> Mind this.',
      '- [x] Did',
      '@Annhttps://acme.test/z2026-01-02!',
      '[attachment shot.png]',
    ].join('\n\n'),
  );
});

test('a document that is none, too deep or too large is read in little time', () => {
  for (const broken of [
    null,
    'text',
    7,
    [],
    { type: 'doc' },
    { type: 'doc', content: 'x' },
    { type: 'doc', content: [null, { type: 1 }] },
  ]) {
    assert.is(adfToMarkdown(broken), '');
  }
  let deep: object = { type: 'text', text: 'bottom' };
  for (let n = 0; n < 20_000; n += 1) deep = { type: 'blockquote', content: [deep] };
  assert.not.match(adfToMarkdown({ type: 'doc', content: [deep] }), /bottom/);
  const wide = Array.from({ length: 200_000 }, () => ({
    type: 'paragraph',
    content: [{ type: 'text', text: 'x' }],
  }));
  assert.ok(adfToMarkdown({ type: 'doc', content: wide }).length < 100_000);
});

/** A document in short: block(content), marks before texts, / for a line end. */
const short = ({ type, text, attrs, content, marks }: AdfNode): string => {
  if (type === 'hardBreak') return '/';
  if (text !== undefined)
    return [...(marks ?? []).map((mark) => mark.attrs?.href ?? mark.type), `'${text}'`].join(' ');
  const values = attrs ? Object.values(attrs).join() : '';
  return `${type}${values && ` ${values}`}(${(content ?? []).map(short).join(', ')})`;
};
const adf = (markdown: string): string =>
  (markdownToAdf(markdown).content ?? []).map(short).join(', ');

const CASES: readonly [markdown: string, document: string][] = [
  [
    'a *b* _c_ **d** ~~e~~ ~f~ `g`',
    "paragraph('a ', em 'b', ' ', em 'c', ' ', strong 'd', ' ', strike 'e', ' ~f~ ', code 'g')",
  ],
  ['a\nb', "paragraph('a', /, 'b')"],
  ['**a\nb**', "paragraph(strong 'a', /, strong 'b')"],
  ['snake_case_name, 2 * 3 * 4', "paragraph('snake_case_name, 2 * 3 * 4')"],
  ['\\*a\\*', "paragraph('*a*')"],
  ['###### a **b**', "heading 6('a ', strong 'b')"],
  ['***', 'rule()'],
  ['- a\n- b', "bulletList(listItem(paragraph('a')), listItem(paragraph('b')))"],
  [
    '- a\n  1. b\n- c',
    "bulletList(listItem(paragraph('a'), orderedList(listItem(paragraph('b')))), listItem(paragraph('c')))",
  ],
  ['- a\n\n  b', "bulletList(listItem(paragraph('a'), paragraph('b')))"],
  ['3. a\n4. b', "orderedList 3(listItem(paragraph('a')), listItem(paragraph('b')))"],
  ['- [ ] a\n- [x] b', "bulletList(listItem(paragraph('[ ] a')), listItem(paragraph('[x] b')))"],
  ['- a\n  ```ts\n  x\n  ```', "bulletList(listItem(paragraph('a'), codeBlock ts('x')))"],
  [
    '- > a\n- # b\n- ***',
    "bulletList(listItem(paragraph('a')), listItem(paragraph('b')), listItem(paragraph('---')))",
  ],
  ['```js title="a"\nx\n```', "codeBlock js('x')"],
  ['````\n```\n````', "codeBlock('```')"],
  ['```\nnever closed', "codeBlock('never closed')"],
  ['> a\n> b', "blockquote(paragraph('a', /, 'b'))"],
  ['> > a', "blockquote(paragraph('> a'))"],
  ['>', 'blockquote(paragraph())'],
  ['[**a**](https://b.test/x_(y))', "paragraph(https://b.test/x_(y) strong 'a')"],
  ['[a](/rel) [b](file:///x)', "paragraph('[a](/rel) [b](file:///x)')"],
  [
    'see https://a.test/x_y_z.',
    "paragraph('see ', https://a.test/x_y_z 'https://a.test/x_y_z', '.')",
  ],
  ['www.a.test, ann@acme.test', "paragraph('www.a.test, ann@acme.test')"],
  [
    '| a | b |\n|---|---|\n| **1** | 2 |',
    "paragraph('| a | b |', /, '|---|---|', /, '| ', strong '1', ' | 2 |')",
  ],
  ['<b>x</b> ![y](https://a.test/y.png)', "paragraph('<b>x</b> ![y](https://a.test/y.png)')"],
  ['<div>\n**x**\n</div>', "paragraph('<div>', /, strong 'x', /, '</div>')"],
  ['a &amp; b &lt; c', "paragraph('a &amp; b &lt; c')"],
];

for (const [markdown, document] of CASES) {
  test(`${JSON.stringify(markdown)} is ${document}`, () => {
    assert.is(adf(markdown), document);
  });
}

test('lists nested deeper than six levels stay on the sixth', () => {
  const levels = Array.from({ length: 9 }, (_, n) => `${'  '.repeat(n)}- ${n}`).join('\n');
  assert.match(
    adf(levels),
    /listItem\(paragraph\('6'\)\), listItem\(paragraph\('7'\)\), listItem\(paragraph\('8'\)\)/,
  );
});

test('no text of 100,000 characters takes markdown long', () => {
  const stairs = Array.from({ length: 440 }, (_, n) => `${'>'.repeat(440 - n)} a`).join('\n');
  for (const piece of [
    '`',
    '*',
    '_',
    '**',
    '[',
    '](',
    '> ',
    '- ',
    '~~',
    '# ',
    '`a',
    '*a',
    ' ',
    '_a_',
    '1. ',
    '\n- ',
    '* a\n',
    '- a\n  ',
    '[a](',
    '![',
    '<a ',
    '\n```',
    '|a\n|-|\n',
    '=\n',
    '!',
    '> - ',
    stairs,
  ]) {
    const start = process.cpuUsage();
    markdownToAdf(piece.repeat(Math.ceil(100_000 / piece.length)));
    assert.ok(process.cpuUsage(start).user < 5_000_000, piece.slice(0, 20));
  }
});

test.run();
