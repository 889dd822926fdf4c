/** A node of Atlassian's document format. */
interface AdfNode {
  type: string;
  attrs?: Record<string, unknown>;
  content?: AdfNode[];
  text?: string;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
}

/** Deepest list within lists; what is indented further stays on that level. */
const MAX_LIST_DEPTH = 6;

type Mark = NonNullable<AdfNode['marks']>[number];

const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const FENCE = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)\s*$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*)$/;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;

/** Each alternative is anchored by a character of its own and has no nested repeats, so that no text takes long. */
const INLINE =
  /(`+)([^`]|[^`][^\n]*?[^`])\1(?!`)|\*\*([^*\n]+)\*\*|~~([^~\n]+)~~|(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])|(?<![\w_])_([^_\s][^_\n]*)_(?![\w_])|\[([^\][\n]+)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>()[\]]+)/g;

const textNode = (text: string, marks: readonly Mark[]): AdfNode[] =>
  text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 ? { marks: [...marks] } : {}) }];

/** Addresses that a link may lead to; Jira refuses others. */
const isLink = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href);

function inline(text: string, marks: readonly Mark[] = []): AdfNode[] {
  const found: AdfNode[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, , code, strong, strike, starred, underlined, label, href, address] = match;
    found.push(...textNode(text.slice(at, match.index), marks));
    at = match.index + all.length;
    const em = starred ?? underlined;
    if (code !== undefined)
      found.push(...textNode(code.trim() || code, [...marks.filter(({ type }) => type === 'link'), { type: 'code' }]));
    else if (strong !== undefined) found.push(...inline(strong, [...marks, { type: 'strong' }]));
    else if (strike !== undefined) found.push(...inline(strike, [...marks, { type: 'strike' }]));
    else if (em !== undefined) found.push(...inline(em, [...marks, { type: 'em' }]));
    else if (label !== undefined && href !== undefined)
      found.push(...(isLink(href) ? inline(label, [...marks, { type: 'link', attrs: { href } }]) : textNode(all, marks)));
    else if (address !== undefined) {
      const inLink = marks.some(({ type }) => type === 'link');
      found.push(...textNode(address, inLink ? marks : [...marks, { type: 'link', attrs: { href: address } }]));
    }
  }
  return [...found, ...textNode(text.slice(at), marks)];
}

const paragraph = (lines: readonly string[]): AdfNode => ({
  type: 'paragraph',
  content: lines.flatMap((line, n) => [...(n === 0 ? [] : [{ type: 'hardBreak' }]), ...inline(line.trim())]),
});

interface Item {
  indent: number;
  ordered: boolean;
  first: number;
  lines: string[];
}

/** Items that follow one another as lists within lists. */
function lists(items: readonly Item[], depth = 0): AdfNode[] {
  const found: AdfNode[] = [];
  for (let n = 0; n < items.length; ) {
    const item = items[n];
    if (!item) break;
    let end = n + 1;
    while (end < items.length && depth < MAX_LIST_DEPTH && (items[end]?.indent ?? 0) > item.indent + 1) end += 1;
    const content = [paragraph(item.lines), ...lists(items.slice(n + 1, end), depth + 1)];
    const type = item.ordered ? 'orderedList' : 'bulletList';
    const last = found.at(-1);
    if (last?.type === type) last.content?.push({ type: 'listItem', content });
    else {
      const order = item.ordered && item.first !== 1 ? { attrs: { order: item.first } } : {};
      found.push({ type, ...order, content: [{ type: 'listItem', content }] });
    }
    n = end;
  }
  return found;
}

const isPlain = (line: string): boolean =>
  line.trim() !== '' && ![ITEM, FENCE, HEADING, RULE, QUOTE].some((form) => form.test(line));

/** Takes the longest run of lines from `at` on; answers where it ends. */
const runOf = (lines: readonly string[], at: number, wanted: (line: string) => boolean): number => {
  let end = at;
  while (end < lines.length && wanted(lines[end] ?? '')) end += 1;
  return end;
};

/** A quote takes neither headings nor rules: the first become paragraphs, the others lines of dashes. */
const quotable = (node: AdfNode): AdfNode =>
  node.type === 'heading' ? { type: 'paragraph', content: node.content ?? [] } : node.type === 'rule' ? paragraph(['---']) : node;

function blocks(lines: readonly string[], depth: number): AdfNode[] {
  const found: AdfNode[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const [, ticks, language] = FENCE.exec(line) ?? [];
    const [, marks, title] = HEADING.exec(line) ?? [];
    if (line.trim() === '') at += 1;
    else if (ticks !== undefined) {
      const end = runOf(lines, at + 1, (one) => !(one.trim().startsWith(ticks) && FENCE.test(one)));
      const text = lines.slice(at + 1, end).join('\n');
      found.push({
        type: 'codeBlock',
        ...(language ? { attrs: { language } } : {}),
        ...(text === '' ? {} : { content: [{ type: 'text', text }] }),
      });
      at = end + 1;
    } else if (marks !== undefined) {
      found.push({ type: 'heading', attrs: { level: marks.length }, content: inline((title ?? '').trim()) });
      at += 1;
    } else if (RULE.test(line)) {
      found.push({ type: 'rule' });
      at += 1;
    } else if (QUOTE.test(line) && depth === 0) {
      const end = runOf(lines, at, (one) => QUOTE.test(one));
      const inner = blocks(
        lines.slice(at, end).map((one) => QUOTE.exec(one)?.[1] ?? ''),
        depth + 1,
      );
      found.push({ type: 'blockquote', content: inner.length > 0 ? inner.map(quotable) : [paragraph([''])] });
      at = end;
    } else if (ITEM.test(line)) {
      const items: Item[] = [];
      for (; at < lines.length; at += 1) {
        const next = lines[at] ?? '';
        const [, spaces = '', sign = '', text = ''] = ITEM.exec(next) ?? [];
        if (sign !== '' && !RULE.test(next))
          items.push({ indent: spaces.length, ordered: /\d/.test(sign), first: Number.parseInt(sign, 10) || 1, lines: [text] });
        else if (isPlain(next) && /^\s/.test(next)) items.at(-1)?.lines.push(next);
        else break;
      }
      found.push(...lists(items));
    } else {
      const end = runOf(lines, at + 1, isPlain);
      found.push(paragraph(lines.slice(at, end)));
      at = end;
    }
  }
  return found;
}

/** Markdown as Atlassian's document format. What it does not know (tables, pictures, HTML) stays the text that it is. */
export function markdownToAdf(markdown: string): AdfNode & { version: 1 } {
  const content = blocks(markdown.replace(/\r\n?/g, '\n').split('\n'), 0);
  return { type: 'doc', version: 1, content: content.length > 0 ? content : [paragraph([''])] };
}
