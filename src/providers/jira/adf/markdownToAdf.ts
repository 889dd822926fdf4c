import type { MarkedToken, Token, Tokens } from 'marked';
import { BoundedLexer } from '../../../base/markdown/boundedLexer.ts';

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

/** A quote takes no quote in it. */
const createLexer = () => new BoundedLexer({ maxQuotes: 1 });

/** Schemes that Jira accepts for a link. */
const isAllowedLink = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href);

/** The document format has no empty text, and a line break is a node. */
function toTextNodes(text: string, marks: readonly Mark[]): AdfNode[] {
  const lines = text.split(/[ \t]*\n[ \t]*/);
  return lines.flatMap((line, n) => [
    ...(n === 0 ? [] : [{ type: 'hardBreak' }]),
    ...(line === ''
      ? []
      : [{ type: 'text', text: line, ...(marks.length > 0 ? { marks: [...marks] } : {}) }]),
  ]);
}

function convertLink(token: Tokens.Link, marks: readonly Mark[]): AdfNode[] {
  const { href, raw, text, tokens } = token;
  // A guessed address without a scheme, such as `ann@acme.test`, stays text.
  const isGuessed = raw === text && href !== text;
  if (!isAllowedLink(href) || isGuessed) return toTextNodes(raw, marks);
  return convertInlineTokens(tokens, [...marks, { type: 'link', attrs: { href } }]);
}

/** Nested emphasis is one mark. */
const addAdfMark = (marks: readonly Mark[], type: string): readonly Mark[] =>
  marks.some((mark) => mark.type === type) ? marks : [...marks, { type }];

function convertInlineToken(token: MarkedToken, marks: readonly Mark[]): AdfNode[] {
  switch (token.type) {
    case 'strong':
    case 'em':
      return convertInlineTokens(token.tokens, addAdfMark(marks, token.type));
    case 'del':
      return token.raw.startsWith('~~')
        ? convertInlineTokens(token.tokens, addAdfMark(marks, 'strike'))
        : toTextNodes(token.raw, marks);
    case 'codespan':
      // Code allows no other mark but a link.
      return toTextNodes(token.text, [
        ...marks.filter(({ type }) => type === 'link'),
        { type: 'code' },
      ]);
    case 'link':
      return convertLink(token, marks);
    case 'br':
      return [{ type: 'hardBreak' }];
    case 'escape':
    case 'text':
      return toTextNodes(token.text, marks);
    // Pictures and HTML.
    default:
      return toTextNodes(token.raw, marks);
  }
}

const convertInlineTokens = (tokens: readonly Token[], marks: readonly Mark[] = []): AdfNode[] =>
  joinTextNodes(toMarkedTokens(tokens).flatMap((token) => convertInlineToken(token, marks)));

/** The lexer is not extended, so it makes only its own tokens. */
const toMarkedTokens = (tokens: readonly Token[]): MarkedToken[] => tokens as MarkedToken[];

function joinTextNodes(nodes: readonly AdfNode[]): AdfNode[] {
  const adfNodes: AdfNode[] = [];
  for (const node of nodes) {
    const last = adfNodes.at(-1);
    if (last?.text === undefined || node.text === undefined || !haveSameMarks(last, node))
      adfNodes.push({ ...node });
    else last.text += node.text;
  }
  return adfNodes;
}

const haveSameMarks = (a: AdfNode, b: AdfNode): boolean =>
  JSON.stringify(a.marks) === JSON.stringify(b.marks);

const createParagraph = (content: AdfNode[]): AdfNode => ({ type: 'paragraph', content });

/**
 * Where a block is: lists allow no quotes, headings or rules, and quotes allow no headings or
 * rules.
 */
type BlockPlace = 'document' | 'quote' | 'list';

function convertBlocks(tokens: readonly Token[], place: BlockPlace, depth = 0): AdfNode[] {
  return toMarkedTokens(tokens).flatMap((token) => convertBlock(token, place, depth));
}

function convertBlock(token: MarkedToken, place: BlockPlace, depth: number): AdfNode[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'heading':
      return place === 'document'
        ? [
            {
              type: 'heading',
              attrs: { level: token.depth },
              content: convertInlineTokens(token.tokens),
            },
          ]
        : [createParagraph(convertInlineTokens(token.tokens))];
    case 'hr':
      return place === 'document' ? [{ type: 'rule' }] : [createParagraph(toTextNodes('---', []))];
    case 'code':
      return [createCodeBlock(token)];
    case 'blockquote':
      return convertQuote(token, place, depth);
    case 'list':
      return [convertList(token, depth)];
    case 'paragraph':
    case 'text':
      return [createParagraph(convertInlineTokens(token.tokens ?? [token]))];
    // The list puts the task's box before its text.
    case 'checkbox':
      return [];
    // Tables, HTML and definitions of links.
    default:
      return [createParagraph(convertInlineTokens(createLexer().inlineTokens(token.raw.trim())))];
  }
}

function createCodeBlock({ lang, text }: Tokens.Code): AdfNode {
  const [language = ''] = (lang ?? '').split(/\s/);
  return {
    type: 'codeBlock',
    ...(language === '' ? {} : { attrs: { language } }),
    ...(text === '' ? {} : { content: [{ type: 'text', text }] }),
  };
}

function convertQuote(token: Tokens.Blockquote, place: BlockPlace, depth: number): AdfNode[] {
  if (place === 'list') return convertBlocks(token.tokens, place, depth);
  const content = convertBlocks(token.tokens, 'quote', depth);
  return [{ type: 'blockquote', content: content.length > 0 ? content : [createParagraph([])] }];
}

function convertList({ ordered, start, items }: Tokens.List, depth: number): AdfNode {
  const order = ordered && Number(start) > 1 ? { attrs: { order: Number(start) } } : {};
  return {
    type: ordered ? 'orderedList' : 'bulletList',
    ...order,
    content: items.flatMap((item) => convertListItem(item, depth)),
  };
}

/** An item, followed by those of its lists that are nested too deep. */
function convertListItem({ tokens, task, checked }: Tokens.ListItem, depth: number): AdfNode[] {
  const isTooDeep = ({ type }: MarkedToken) => type === 'list' && depth === MAX_LIST_DEPTH;
  const [first, ...others] = convertBlocks(
    toMarkedTokens(tokens).filter((token) => !isTooDeep(token)),
    'list',
    depth + 1,
  );
  const box = task ? toTextNodes(checked ? '[x] ' : '[ ] ', []) : [];
  const content =
    first?.type === 'paragraph'
      ? [createParagraph(joinTextNodes([...box, ...(first.content ?? [])])), ...others]
      : [createParagraph(box), ...(first ? [first] : []), ...others];
  const deeper = toMarkedTokens(tokens).flatMap((token) =>
    token.type === 'list' && isTooDeep(token)
      ? token.items.flatMap((item) => convertListItem(item, depth))
      : [],
  );
  return [{ type: 'listItem', content }, ...deeper];
}

/** Converts markdown to Atlassian's document format. Tables, pictures and HTML stay as text. */
export function markdownToAdf(markdown: string): AdfNode & { version: 1 } {
  const content = convertBlocks(createLexer().lex(markdown), 'document');
  return { type: 'doc', version: 1, content: content.length > 0 ? content : [createParagraph([])] };
}
