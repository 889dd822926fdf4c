import type { MarkedToken, Token, Tokens } from 'marked';
import { lexInline, lexMarkdown } from './lexMarkdown.ts';

/** A node of Atlassian's document format. */
export interface AdfNode {
  type: string;
  attrs?: Record<string, unknown>;
  content?: AdfNode[];
  text?: string;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
}

type Mark = NonNullable<AdfNode['marks']>[number];

/** Deepest list within lists; what is indented further stays on that level. */
const MAX_LIST_DEPTH = 6;

/** Addresses that a link may lead to; Jira refuses others. */
const isLink = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href);

/** The document format has no empty text, and a line end in a text is a node of its own. */
function textNodes(text: string, marks: readonly Mark[]): AdfNode[] {
  const lines = text.split(/[ \t]*\n[ \t]*/);
  return lines.flatMap((line, n) => [
    ...(n === 0 ? [] : [{ type: 'hardBreak' }]),
    ...(line === ''
      ? []
      : [{ type: 'text', text: line, ...(marks.length > 0 ? { marks: [...marks] } : {}) }]),
  ]);
}

function linkNodes(token: Tokens.Link, marks: readonly Mark[]): AdfNode[] {
  const { href, raw, text, tokens } = token;
  // An address without a scheme, such as `ann@acme.test`, stays text.
  const isGuessed = raw === text && href !== text;
  if (!isLink(href) || isGuessed) return textNodes(raw, marks);
  return inlineNodes(tokens, [...marks, { type: 'link', attrs: { href } }]);
}

/** Emphasis within emphasis is one mark. */
const withMark = (marks: readonly Mark[], type: string): readonly Mark[] =>
  marks.some((mark) => mark.type === type) ? marks : [...marks, { type }];

function inlineNode(token: MarkedToken, marks: readonly Mark[]): AdfNode[] {
  switch (token.type) {
    case 'strong':
    case 'em':
      return inlineNodes(token.tokens, withMark(marks, token.type));
    case 'del':
      return token.raw.startsWith('~~')
        ? inlineNodes(token.tokens, withMark(marks, 'strike'))
        : textNodes(token.raw, marks);
    case 'codespan':
      // Code takes no mark beside it but that of a link.
      return textNodes(token.text, [
        ...marks.filter(({ type }) => type === 'link'),
        { type: 'code' },
      ]);
    case 'link':
      return linkNodes(token, marks);
    case 'br':
      return [{ type: 'hardBreak' }];
    case 'escape':
    case 'text':
      return textNodes(token.text, marks);
    // Pictures and HTML.
    default:
      return textNodes(token.raw, marks);
  }
}

const inlineNodes = (tokens: readonly Token[], marks: readonly Mark[] = []): AdfNode[] =>
  joined(known(tokens).flatMap((token) => inlineNode(token, marks)));

/** The lexer is not extended, so it makes tokens of its own alone. */
const known = (tokens: readonly Token[]): MarkedToken[] => tokens as MarkedToken[];

/** Neighbours with the same marks as one text. */
function joined(nodes: readonly AdfNode[]): AdfNode[] {
  const found: AdfNode[] = [];
  for (const node of nodes) {
    const last = found.at(-1);
    if (last?.text === undefined || node.text === undefined || !sameMarks(last, node))
      found.push({ ...node });
    else last.text += node.text;
  }
  return found;
}

const sameMarks = (a: AdfNode, b: AdfNode): boolean =>
  JSON.stringify(a.marks) === JSON.stringify(b.marks);

const paragraph = (content: AdfNode[]): AdfNode => ({ type: 'paragraph', content });

/** Where a block is: lists take neither quotes nor headings nor rules, and quotes take neither. */
type Place = 'document' | 'quote' | 'list';

function blockNodes(tokens: readonly Token[], place: Place, depth = 0): AdfNode[] {
  return known(tokens).flatMap((token) => blockNode(token, place, depth));
}

function blockNode(token: MarkedToken, place: Place, depth: number): AdfNode[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'heading':
      return place === 'document'
        ? [
            {
              type: 'heading',
              attrs: { level: token.depth },
              content: inlineNodes(token.tokens),
            },
          ]
        : [paragraph(inlineNodes(token.tokens))];
    case 'hr':
      return place === 'document' ? [{ type: 'rule' }] : [paragraph(textNodes('---', []))];
    case 'code':
      return [codeBlock(token)];
    case 'blockquote':
      return quote(token, place, depth);
    case 'list':
      return [list(token, depth)];
    case 'paragraph':
    case 'text':
      return [paragraph(inlineNodes(token.tokens ?? [token]))];
    // The box of a task is put before its text by the list.
    case 'checkbox':
      return [];
    // Tables, HTML and definitions of links.
    default:
      return [paragraph(inlineNodes(lexInline(token.raw.trim())))];
  }
}

function codeBlock({ lang, text }: Tokens.Code): AdfNode {
  const [language = ''] = (lang ?? '').split(/\s/);
  return {
    type: 'codeBlock',
    ...(language === '' ? {} : { attrs: { language } }),
    ...(text === '' ? {} : { content: [{ type: 'text', text }] }),
  };
}

function quote(token: Tokens.Blockquote, place: Place, depth: number): AdfNode[] {
  if (place === 'list') return blockNodes(token.tokens, place, depth);
  const content = blockNodes(token.tokens, 'quote', depth);
  return [{ type: 'blockquote', content: content.length > 0 ? content : [paragraph([])] }];
}

function list({ ordered, start, items }: Tokens.List, depth: number): AdfNode {
  const order = ordered && Number(start) > 1 ? { attrs: { order: Number(start) } } : {};
  return {
    type: ordered ? 'orderedList' : 'bulletList',
    ...order,
    content: items.flatMap((item) => listItems(item, depth)),
  };
}

/** An item, and behind it those of its lists that are nested too deep. */
function listItems({ tokens, task, checked }: Tokens.ListItem, depth: number): AdfNode[] {
  const isTooDeep = ({ type }: MarkedToken) => type === 'list' && depth === MAX_LIST_DEPTH;
  const [first, ...others] = blockNodes(
    known(tokens).filter((token) => !isTooDeep(token)),
    'list',
    depth + 1,
  );
  const box = task ? textNodes(checked ? '[x] ' : '[ ] ', []) : [];
  const content =
    first?.type === 'paragraph'
      ? [paragraph(joined([...box, ...(first.content ?? [])])), ...others]
      : [paragraph(box), ...(first ? [first] : []), ...others];
  const deeper = known(tokens).flatMap((token) =>
    token.type === 'list' && isTooDeep(token)
      ? token.items.flatMap((item) => listItems(item, depth))
      : [],
  );
  return [{ type: 'listItem', content }, ...deeper];
}

/**
 * Markdown as Atlassian's document format. What that is not made for here (tables, pictures, HTML)
 * stays the text that it is.
 */
export function markdownToAdf(markdown: string): AdfNode & { version: 1 } {
  const content = blockNodes(lexMarkdown(markdown), 'document');
  return { type: 'doc', version: 1, content: content.length > 0 ? content : [paragraph([])] };
}
