/** A part of a line that is shown in a colour of its own, as offsets into the line. */
export interface Token {
  from: number;
  to: number;
  kind: TokenKind;
}

export type TokenKind = 'comment' | 'keyword' | 'name' | 'number' | 'string';

const KINDS: Readonly<Record<string, TokenKind>> = {
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  keyword: 'keyword',
  'selector-tag': 'keyword',
  tag: 'keyword',
  name: 'keyword',
  meta: 'keyword',
  literal: 'number',
  number: 'number',
  symbol: 'number',
  bullet: 'number',
  string: 'string',
  regexp: 'string',
  code: 'string',
  link: 'string',
  addition: 'string',
  title: 'name',
  section: 'name',
  attr: 'name',
  attribute: 'name',
  property: 'name',
  built_in: 'name',
  type: 'name',
  'selector-class': 'name',
  'selector-id': 'name',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

const PART = /<span class="([^"]*)">|<\/span>|&(?:amp|lt|gt|quot|#x27);|[^<&]+/g;

const classifyToken = (classes: string): TokenKind | null => {
  const [first = ''] = classes.split(' ');
  return KINDS[first.replace(/^hljs-/, '')] ?? null;
};

/** Tokens of each line of highlight.js output, which is parsed as text and never inserted. */
export function parseLineTokens(html: string): Token[][] {
  const lines: Token[][] = [[]];
  const open: (TokenKind | null)[] = [];
  let column = 0;
  const add = (text: string) => {
    const kind = open.findLast((one) => one !== null) ?? null;
    text.split('\n').forEach((part, index) => {
      if (index > 0) {
        lines.push([]);
        column = 0;
      }
      const line = lines.at(-1);
      const last = line?.at(-1);
      if (kind !== null && part !== '' && line) {
        if (last?.kind === kind && last.to === column) last.to = column + part.length;
        else line.push({ from: column, to: column + part.length, kind });
      }
      column += part.length;
    });
  };
  for (const [whole, classes] of html.matchAll(PART)) {
    if (classes !== undefined) open.push(classifyToken(classes));
    else if (whole === '</span>') open.pop();
    else add(ENTITIES[whole] ?? whole);
  }
  return lines;
}
