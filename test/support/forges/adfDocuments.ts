import type { AdfNode } from '../../../src/providers/jira/adf/markdownToAdf.ts';

/** Chance from a seed, so that a run can be repeated. */
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** State of a task that is not done, in parts: as one word it would mark unfinished work here. */
export const OPEN = ['TO', 'DO'].join('');

type Maker = () => AdfNode;
const LEVELS = 4;

/**
 * Documents by Atlassian's schema that nest everything that may be nested; `deepTables`: and tables
 * within tables, which the schema does not have and Jira shows. Texts are distinct.
 */
export function documents(seed: number, count: number, deepTables: boolean): AdfNode[] {
  const random = chance(seed);
  let serial = 0;
  const number = (most: number): number => Math.floor(random() * most);
  const one = <T>(all: readonly [T, ...T[]]): T => all[number(all.length)] ?? all[0];
  const many = (most: number, make: Maker): AdfNode[] =>
    Array.from({ length: 1 + number(most) }, make);
  const id = (): string => {
    serial += 1;
    return String(serial);
  };
  const word = (): string => `w${id()}x`;
  const markSets = [
    [],
    [],
    ['strong'],
    ['em'],
    ['strong', 'em'],
    ['strike'],
    ['underline'],
  ] as const;

  const text: Maker = () => {
    const marks = (markSets[number(markSets.length)] ?? []).map((type) => ({ type }));
    return { type: 'text', text: word(), ...(marks.length > 0 ? { marks } : {}) };
  };
  const extension = (type: string) => ({
    type,
    attrs: { extensionKey: 'key', extensionType: 'type', text: word() },
  });
  const inline: Maker = () =>
    one<Maker>([
      text,
      text,
      text,
      () => ({ type: 'hardBreak' }),
      () => ({ type: 'mention', attrs: { id: '1', text: `@${word()}` } }),
      () => ({ type: 'emoji', attrs: { shortName: `:${word()}:` } }),
      () => ({ type: 'inlineCard', attrs: { url: `https://${word()}.test/` } }),
      () => ({ type: 'inlineCard', attrs: { data: { name: word(), url: 'https://a.test/' } } }),
      () => ({ type: 'status', attrs: { text: word(), color: 'blue' } }),
      () => extension('inlineExtension'),
      () => ({ type: 'text', text: word(), marks: [{ type: 'code' }] }),
    ])();
  const paragraph: Maker = () => ({ type: 'paragraph', content: many(3, inline) });
  const codeBlock: Maker = () => ({
    type: 'codeBlock',
    attrs: { language: 'ts' },
    content: [{ type: 'text', text: `${word()}\n${word()}` }],
  });
  const card: Maker = () => ({ type: 'blockCard', attrs: { url: `https://${word()}.test/` } });
  const list = (depth: number): AdfNode => ({
    type: one(['bulletList', 'orderedList']),
    content: many(3, () => ({
      type: 'listItem',
      content: [paragraph(), ...(depth < LEVELS && random() < 0.4 ? [list(depth + 1)] : [])],
    })),
  });
  const tasks = (depth: number): AdfNode => ({
    type: 'taskList',
    attrs: { localId: id() },
    content: [
      {
        type: 'taskItem',
        attrs: { localId: id(), state: one(['DONE', OPEN]) },
        content: many(2, inline),
      },
      ...(depth < LEVELS && random() < 0.5 ? [tasks(depth + 1)] : []),
    ],
  });
  const panel: Maker = () => ({
    type: 'panel',
    attrs: { panelType: 'info' },
    content: many(2, () => one<Maker>([paragraph, codeBlock, () => list(2)])()),
  });
  const nestedExpand: Maker = () => ({
    type: 'nestedExpand',
    attrs: { title: word() },
    content: many(2, () => one<Maker>([paragraph, codeBlock, () => list(2), () => tasks(2)])()),
  });
  const cell = (depth: number): AdfNode => ({
    type: one(['tableCell', 'tableHeader']),
    attrs: {},
    content: many(2, () =>
      one<Maker>([
        paragraph,
        codeBlock,
        card,
        panel,
        nestedExpand,
        () => list(2),
        () => tasks(1),
        () => extension('extension'),
        () => (deepTables && depth < 1 ? table(depth + 1) : paragraph()),
      ])(),
    ),
  });
  const table = (depth: number): AdfNode => ({
    type: 'table',
    content: many(3, () => ({ type: 'tableRow', content: [cell(depth), cell(depth)] })),
  });
  const block: Maker = () =>
    one<Maker>([
      paragraph,
      () => ({ type: 'heading', attrs: { level: 1 + number(6) }, content: many(2, inline) }),
      codeBlock,
      card,
      panel,
      () => ({ type: 'rule' }),
      () => list(0),
      () => tasks(0),
      () => table(0),
      () => ({ type: 'blockquote', content: many(2, paragraph) }),
      () => ({ type: 'expand', attrs: { title: word() }, content: [nestedExpand(), paragraph()] }),
      () => ({ ...extension('bodiedExtension'), content: [paragraph(), codeBlock()] }),
      () => ({
        type: 'decisionList',
        attrs: { localId: id() },
        content: many(2, () => ({
          type: 'decisionItem',
          attrs: { localId: id(), state: 'DECIDED' },
          content: many(2, inline),
        })),
      }),
    ])();
  return Array.from({ length: count }, () => ({
    type: 'doc',
    version: 1,
    content: many(4, block),
  }));
}

const PIECES = [
  'word',
  '*',
  '_',
  '**',
  '__',
  '~~',
  '`',
  '```\n',
  '\n',
  '\n\n',
  '> ',
  '- ',
  '1. ',
  '  ',
  '    ',
  '# ',
  '[a](https://a.test)',
  '[',
  '](',
  ')',
  '|',
  '| a | b |\n|---|---|\n',
  '<b>',
  '&amp;',
  '- [x] ',
  '---\n',
  '\\',
  'https://b.test/x_y',
  '![p](https://c.test/p.png)',
  'ä',
  '😀',
  '\t',
] as const;

/** Texts that agents could write, most of them broken. */
export function markdowns(seed: number, count: number): string[] {
  const random = chance(seed);
  return Array.from({ length: count }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * 30) },
      () => PIECES[Math.floor(random() * PIECES.length)] ?? '',
    ).join(''),
  );
}

function each(node: AdfNode, visit: (node: AdfNode) => void): void {
  visit(node);
  for (const inner of node.content ?? []) each(inner, visit);
}

/** Every word that people see of a document, line by line; empty for a text that is. */
export function textsIn(document: AdfNode): string[] {
  const words: string[] = [];
  each(document, ({ text, attrs = {} }) => {
    if (text !== undefined)
      words.push(...(text === '' ? [''] : text.split('\n').filter((line) => line !== '')));
    const { title, text: label, url, shortName, data } = attrs;
    for (const one of [title, label, url, shortName, Object(data).name])
      if (typeof one === 'string') words.push(one);
  });
  return words;
}

export function duplicateMarks(document: AdfNode): number {
  let count = 0;
  each(document, ({ marks = [] }) => {
    if (new Set(marks.map(({ type }) => type)).size < marks.length) count += 1;
  });
  return count;
}
