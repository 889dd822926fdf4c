import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { adfToMarkdown } from '../../../src/providers/jira/adf/adfToMarkdown.ts';
import { markdownToAdf } from '../../../src/providers/jira/adf/markdownToAdf.ts';
import {
  documents,
  duplicateMarks,
  OPEN,
  markdowns,
  textsIn,
} from '../../support/forges/adfDocuments.ts';

const test = suite('trackers: nested documents of Jira');

const convertAdf = (...content: object[]): string =>
  adfToMarkdown({ type: 'doc', version: 1, content });
const text = (words: string, ...marks: string[]) => ({
  type: 'text',
  text: words,
  ...(marks.length > 0 ? { marks: marks.map((type) => ({ type })) } : {}),
});
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const task = (state: string, words: string) => ({
  type: 'taskItem',
  attrs: { localId: '1', state },
  content: [text(words)],
});
const tasks = (...content: object[]) => ({ type: 'taskList', attrs: { localId: '1' }, content });
const row = (...cells: object[][]) => ({
  type: 'tableRow',
  content: cells.map((content) => ({ type: 'tableCell', attrs: {}, content })),
});
const table = (...rows: object[]) => ({ type: 'table', content: rows });
const codeBlock = (words: string) => ({ type: 'codeBlock', content: [text(words)] });

test('tasks within tasks keep their state and depth', () => {
  const list = tasks(
    task(OPEN, 'one'),
    tasks(task('DONE', 'inner'), tasks(task(OPEN, 'innermost'))),
    task('DONE', 'two'),
    {
      type: 'blockTaskItem',
      attrs: { localId: '2', state: 'DONE' },
      content: [paragraph(text('three'))],
    },
  );
  assert.is(
    convertAdf(list),
    '- [ ] one\n  - [x] inner\n    - [ ] innermost\n- [x] two\n- [x] three',
  );
});

test('cards are shown by their address, by their data, or by their search', () => {
  const data = { '@type': 'Document', url: 'https://acme.test/d', name: 'Design' };
  assert.is(
    convertAdf(paragraph({ type: 'inlineCard', attrs: { data } })),
    '[Design](https://acme.test/d)',
  );
  assert.is(
    convertAdf({ type: 'blockCard', attrs: { data: { '@id': 'https://acme.test/i' } } }),
    'https://acme.test/i',
  );
  assert.is(convertAdf({ type: 'blockCard', attrs: { data: { name: 'Design' } } }), 'Design');
  assert.is(
    convertAdf({ type: 'embedCard', attrs: { url: 'https://acme.test/e', layout: 'wide' } }),
    'https://acme.test/e',
  );
  const datasource = { id: '1', parameters: { jql: 'project = SHOP' }, views: [{ type: 'table' }] };
  assert.is(convertAdf({ type: 'blockCard', attrs: { datasource } }), '[search: project = SHOP]');
  assert.is(convertAdf({ type: 'blockCard', attrs: { data: null } }), '[card]');
});

test('extensions are shown by their text, by their title, or by their key', () => {
  const attrs = { extensionType: 'com.acme', extensionKey: 'toc' };
  assert.is(convertAdf({ type: 'extension', attrs: { ...attrs, text: 'Contents' } }), 'Contents');
  assert.is(convertAdf({ type: 'extension', attrs }), '[extension toc]');
  assert.is(
    convertAdf(
      paragraph(text('see '), {
        type: 'inlineExtension',
        attrs: { ...attrs, parameters: { extensionTitle: 'Chart' } },
      }),
    ),
    'see Chart',
  );
  assert.is(
    convertAdf({
      type: 'bodiedExtension',
      attrs: { ...attrs, text: 'Note' },
      content: [paragraph(text('inside'))],
    }),
    'Note\n\ninside',
  );
});

test('code, lists, tables and expands within a table stay readable in one row', () => {
  const expand = {
    type: 'nestedExpand',
    attrs: { title: 'More' },
    content: [paragraph(text('hidden'))],
  };
  const list = {
    type: 'bulletList',
    content: ['a', 'b'].map((words) => ({ type: 'listItem', content: [paragraph(text(words))] })),
  };
  const inner = table(row([paragraph(text('x'))], [paragraph(text('y|z'))]));
  assert.is(
    convertAdf(
      table(row([codeBlock('let a = 1;\n\nlet b = a | 2;')], [list]), row([expand], [inner])),
    ),
    '| `let a = 1;`<br>`let b = a \\| 2;` | - a<br>- b |\n| --- | --- |\n| More<br>hidden | x \\| y\\|z |',
  );
  assert.is(
    convertAdf({ type: 'expand', attrs: { title: 'Log' }, content: [expand, codeBlock('x')] }),
    'Log\n\nMore\n\nhidden\n\n```\nx\n```',
  );
});

test('decisions, captions and placeholders are shown', () => {
  const item = {
    type: 'decisionItem',
    attrs: { state: 'DECIDED' },
    content: [text('We do '), text('it', 'strong')],
  };
  assert.is(convertAdf({ type: 'decisionList', content: [item] }), '- We do **it**');
  const media = { type: 'media', attrs: { id: 'm1', alt: 'shot.png' } };
  const caption = { type: 'caption', content: [text('The '), text('error', 'em')] };
  assert.is(
    convertAdf({ type: 'mediaSingle', content: [media, caption] }),
    '[attachment shot.png]\n\nThe _error_',
  );
  assert.is(convertAdf(paragraph({ type: 'placeholder', attrs: { text: 'Steps' } })), 'Steps');
});

test('equal marks of neighbours are set once, and spaces at the ends stay outside of them', () => {
  const coloured = {
    ...text('b'),
    marks: [{ type: 'strong' }, { type: 'textColor', attrs: { color: '#fff' } }],
  };
  assert.is(convertAdf(paragraph(text('a', 'strong'), coloured)), '**ab**');
  assert.is(convertAdf(paragraph(text('a ', 'strong'), text('b', 'em'))), '**a** _b_');
});

test('no mark is set twice on a text', () => {
  for (const markdown of ['_a *b* c_', '**a __b__**', '~~a ~~b~~ c~~', '***a** b*'])
    assert.is(duplicateMarks(markdownToAdf(markdown)), 0, markdown);
  assert.is(adfToMarkdown(markdownToAdf('_a *b* c_')), '_a b c_');
});

test('of 300 documents of every kind of node no text is lost (TOOL-8)', () => {
  for (const document of documents(1, 300, true)) {
    const markdown = adfToMarkdown(document);
    for (const words of textsIn(document))
      assert.ok(markdown.includes(words), JSON.stringify(document));
  }
});

test('300 texts become documents without empty texts, double marks or nodes where they may not be', () => {
  for (const markdown of markdowns(1, 300)) {
    const document = markdownToAdf(markdown);
    assert.is(duplicateMarks(document), 0, markdown);
    assert.not.ok(textsIn(document).includes(''), markdown);
    // What was made of a text is read without loss of words.
    assert.type(adfToMarkdown(document), 'string');
  }
});

test('a synced block names where its content is; one that holds it shows it', () => {
  const attrs = { resourceId: 'ari:page/1', localId: '1' };
  assert.is(
    convertAdf({ type: 'syncBlock', attrs }),
    '[synced block ari:page/1: its content is in another document]',
  );
  assert.is(
    convertAdf({ type: 'bodiedSyncBlock', attrs, content: [paragraph(text('Shared.'))] }),
    'Shared.',
  );
});

test('no node that is not known is lost: neither its content nor its words, and one without any is named', () => {
  const inner = { type: 'newInline', content: [text('inner')] };
  assert.is(
    convertAdf({ type: 'newBlock', content: [paragraph(inner, text(' words'))] }),
    'inner words',
  );
  assert.is(convertAdf(paragraph({ type: 'newWord', text: 'A word' })), 'A word');
  assert.is(convertAdf({ type: 'newCard', attrs: { title: 'A card' } }), '[newCard A card]');
  assert.is(convertAdf({ type: 'newLine' }), '[newLine]');
  assert.is(convertAdf({ type: 'layoutColumn', content: [] }), '');
  const original = { originalValue: paragraph(text('kept')) };
  assert.is(convertAdf({ type: 'unsupportedBlock', attrs: original }), 'kept');
  const cell = table(row([{ type: 'newBlock', content: [paragraph(text('in a cell'))] }]));
  assert.match(convertAdf(cell), 'in a cell');
  const itself: { originalValue?: object } = {};
  itself.originalValue = { type: 'unsupportedBlock', attrs: itself };
  assert.type(convertAdf({ type: 'unsupportedBlock', attrs: itself }), 'string');
});

test.run();
