import { readAtPath, readTextAt } from '../../../base/json/untrusted.ts';
import {
  renderCard,
  renderAdfDate,
  renderExtension,
  isInlineNode,
  renderMedia,
  toAdfNode,
  renderSyncedBlock,
  renderUnknownNode,
  type Node,
} from './adfNode.ts';

const measureLongestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

const createFence = (text: string): string => '`'.repeat(Math.max(2, measureLongestRun(text)) + 1);

function formatInlineCode(text: string): string {
  const ticks = '`'.repeat(measureLongestRun(text) + 1);
  return text.includes('`') ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}

/** Marks that markdown has, outermost last. */
const MARKS: readonly (readonly [string, string])[] = [
  ['strike', '~~'],
  ['em', '_'],
  ['strong', '**'],
];

/** The marks that markdown has; texts with equal ones are one run. */
function readAdfMarks({ marks }: Node): { names: readonly string[]; href: string } {
  const names = marks.map((mark) => readTextAt(mark, 'type'));
  const link = marks.find((mark) => readTextAt(mark, 'type') === 'link');
  return {
    names: ['code', ...MARKS.map(([name]) => name)].filter((name) => names.includes(name)),
    href: readTextAt(readAtPath(link, 'attrs'), 'href'),
  };
}

function renderMarkedRun(text: string, { names, href }: ReturnType<typeof readAdfMarks>): string {
  // A mark must not begin or end with a space, so spaces stay outside.
  const inside = text.trim();
  if (inside === '') return text;
  let markedText = names.includes('code') ? formatInlineCode(inside) : inside;
  for (const [name, sign] of MARKS)
    if (names.includes(name)) markedText = `${sign}${markedText}${sign}`;
  if (href !== '' && href !== inside) markedText = `[${markedText}](${href})`;
  const begin = text.indexOf(inside);
  return `${text.slice(0, begin)}${markedText}${text.slice(begin + inside.length)}`;
}

/** Renders neighbouring texts. Equal marks are set once, as `**ab**` and not `**a****b**`. */
function renderMarkedTexts(nodes: readonly Node[]): string {
  const runs: { text: string; marks: ReturnType<typeof readAdfMarks> }[] = [];
  for (const node of nodes) {
    const marks = readAdfMarks(node);
    const last = runs.at(-1);
    if (last && JSON.stringify(last.marks) === JSON.stringify(marks)) last.text += node.text;
    else runs.push({ text: node.text, marks });
  }
  return runs.map(({ text, marks }) => renderMarkedRun(text, marks)).join('');
}

const MAX_DEPTH = 40;
const MAX_NODES = 20_000;

const indentMarkdown = (text: string, by: string): string => text.replace(/\n(?=.)/g, `\n${by}`);
const quoteMarkdown = (text: string): string => text.replace(/^/gm, '> ').replace(/^> $/gm, '>');

const renderTableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * Converts Atlassian's document format to markdown. Anything but a document gives an empty text; of
 * an unknown node the content is shown.
 */
export function adfToMarkdown(document: unknown): string {
  return new AdfReader().document(document);
}

class AdfReader {
  #left = MAX_NODES;

  document(value: unknown): string {
    const { type, content } = toAdfNode(value);
    return type === 'doc' ? this.#blocks(content, 0) : '';
  }

  /** Whether one more node may be read. */
  #takes(depth: number): boolean {
    this.#left -= 1;
    return this.#left >= 0 && depth <= MAX_DEPTH;
  }

  #inline(nodes: readonly unknown[], depth: number): string {
    const parts: string[] = [];
    const texts: Node[] = [];
    const flush = () => {
      parts.push(renderMarkedTexts(texts.splice(0)));
    };
    for (const value of nodes) {
      const node = toAdfNode(value);
      if (!this.#takes(depth)) break;
      if (node.type === 'text') {
        texts.push(node);
        continue;
      }
      flush();
      parts.push(this.#renderInline(node, depth));
    }
    flush();
    return parts.join('');
  }

  #renderInline(node: Node, depth: number): string {
    const { type, attrs, content } = node;
    switch (type) {
      case 'hardBreak':
        return '\n';
      case 'mention':
        return readTextAt(attrs, 'text') || `@${readTextAt(attrs, 'id')}`;
      case 'emoji':
        return readTextAt(attrs, 'text') || readTextAt(attrs, 'shortName');
      case 'inlineCard':
        return renderCard(attrs);
      case 'date':
        return renderAdfDate(attrs);
      case 'status':
        return `[${readTextAt(attrs, 'text')}]`;
      case 'placeholder':
        return readTextAt(attrs, 'text');
      case 'inlineExtension':
        return renderExtension(attrs);
      case 'media':
      case 'mediaInline':
        return renderMedia(attrs);
      case 'syncBlock':
        return content.length === 0 ? renderSyncedBlock(attrs) : this.#inside(content, depth + 1);
      default:
        return this.#renderUnknown(node, depth + 1);
    }
  }

  /**
   * Renders an unknown node by its content, by the `originalValue` that Atlassian's editor has kept
   * for it, or by its own text.
   */
  #renderUnknown(node: Node, depth: number): string {
    const { attrs, content, isLeaf, text } = node;
    if (content.length > 0) return this.#inside(content, depth);
    const original = readAtPath(attrs, 'originalValue');
    if (typeof original === 'object' && original !== null)
      return this.#takes(depth) ? this.#inside([original], depth) : '';
    return isLeaf || text !== '' ? renderUnknownNode(node) : '';
  }

  /** The content of an unknown node, which may be blocks or inline nodes. */
  #inside(content: readonly unknown[], depth: number, between?: string): string {
    if (!content.some(isInlineNode)) return this.#blocks(content, depth, between);
    return this.#inline(content, depth);
  }

  #blocks(nodes: readonly unknown[], depth: number, between = '\n\n'): string {
    return nodes
      .map((one) => this.#block(toAdfNode(one), depth))
      .filter((text) => text !== '')
      .join(between);
  }

  #items(nodes: readonly unknown[], depth: number, bullet: (n: number) => string): string {
    return nodes
      .map((one, n) => {
        const sign = bullet(n);
        const inside = this.#inside(toAdfNode(one).content, depth + 1, '\n');
        return `${sign}${indentMarkdown(inside, ' '.repeat(sign.length))}`;
      })
      .join('\n');
  }

  /** A list within a list of tasks belongs to the task before it. */
  #tasks(nodes: readonly unknown[], depth: number): string {
    if (depth > MAX_DEPTH) return '';
    return nodes
      .map((one) => {
        const { type, attrs, content } = toAdfNode(one);
        if (type === 'taskList')
          return `  ${indentMarkdown(this.#tasks(content, depth + 1), '  ')}`;
        if (!this.#takes(depth)) return '';
        const box = readTextAt(attrs, 'state') === 'DONE' ? '[x]' : '[ ]';
        return `- ${box} ${indentMarkdown(this.#inside(content, depth + 2, '\n'), '  ')}`;
      })
      .join('\n');
  }

  /** `<br>` separates the lines of a cell, since a row of markdown is one line. */
  #cell(value: unknown, depth: number): string {
    return toAdfNode(value)
      .content.map((one) => this.#inCell(toAdfNode(one), depth))
      .filter((text) => text !== '')
      .join('\n')
      .replace(/\n+/g, '\n');
  }

  #inCell(node: Node, depth: number): string {
    const { type, content } = node;
    // Each line is marked by itself, since a fence does not fit into a row.
    if (type === 'codeBlock')
      return readCodeText(content)
        .split('\n')
        .map((text) => (text.trim() === '' ? '' : formatInlineCode(text)))
        .join('\n');
    if (type === 'table')
      return this.#rows(content, depth)
        .map((row) => row.join(' | '))
        .join('\n');
    if (['expand', 'nestedExpand', 'panel', 'blockquote', 'bodiedExtension'].includes(type)) {
      if (!this.#takes(depth)) return '';
      const title = type.endsWith('xpand') ? readTextAt(node.attrs, 'title') : '';
      return [title, this.#cell(node, depth + 1)].filter((text) => text !== '').join('\n');
    }
    return this.#block(node, depth);
  }

  #rows(rows: readonly unknown[], depth: number): string[][] {
    if (depth > MAX_DEPTH) return [];
    return rows.map((row) =>
      toAdfNode(row).content.map((cell) => (this.#takes(depth) ? this.#cell(cell, depth + 2) : '')),
    );
  }

  #table({ content }: Node, depth: number): string {
    const rows = this.#rows(content, depth).map((row) =>
      row.map((cell) => cell.replace(/\|/g, '\\|').replace(/\n/g, '<br>')),
    );
    const [head = [], ...rest] = rows;
    return [
      renderTableRow(head),
      renderTableRow(head.map(() => '---')),
      ...rest.map(renderTableRow),
    ].join('\n');
  }

  #block(node: Node, depth: number): string {
    if (!this.#takes(depth)) return '';
    const { type, attrs, content } = node;
    switch (type) {
      case 'paragraph':
      case 'caption':
        return this.#inline(content, depth + 1);
      case 'heading':
        return `${'#'.repeat(Math.min(6, Math.max(1, Number(readAtPath(attrs, 'level')) || 1)))} ${this.#inline(content, depth + 1)}`;
      case 'bulletList':
      case 'decisionList':
        return this.#items(content, depth, () => '- ');
      case 'orderedList':
        return this.#items(
          content,
          depth,
          (n) => `${(Number(readAtPath(attrs, 'order')) || 1) + n}. `,
        );
      case 'taskList':
        return this.#tasks(content, depth);
      case 'codeBlock': {
        const text = readCodeText(content);
        const ticks = createFence(text);
        return `${ticks}${readTextAt(attrs, 'language')}\n${text}\n${ticks}`;
      }
      case 'blockquote':
      case 'panel':
        return quoteMarkdown(this.#blocks(content, depth + 1));
      case 'rule':
        return '---';
      case 'table':
        return this.#table(node, depth);
      case 'blockCard':
      case 'embedCard':
        return renderCard(attrs);
      case 'extension':
        return renderExtension(attrs);
      case 'expand':
      case 'nestedExpand':
        return this.#renderTitled(readTextAt(attrs, 'title'), content, depth);
      case 'bodiedExtension':
        return this.#renderTitled(readTextAt(attrs, 'text'), content, depth);
      default:
        return this.#renderInline(node, depth);
    }
  }

  #renderTitled(title: string, content: readonly unknown[], depth: number): string {
    return [title, this.#blocks(content, depth + 1)].filter((text) => text !== '').join('\n\n');
  }
}

const readCodeText = (content: readonly unknown[]): string =>
  content.map((one) => toAdfNode(one).text).join('');
