/**
 * Deepest nesting that is read: what lies deeper is left out, so that no document can exhaust the
 * stack.
 */
const MAX_DEPTH = 40;
/** Most nodes of a document that are read. */
const MAX_NODES = 20_000;

interface Node {
  type: string;
  text: string;
  attrs: Record<string, unknown>;
  content: unknown[];
  marks: unknown[];
}

const recordOf = (value: unknown): Record<string, unknown> =>
  Object(value) as Record<string, unknown>;
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const nodeOf = (value: unknown): Node => {
  const { type, text, attrs, content, marks } = recordOf(value);
  return {
    type: textOf(type),
    text: textOf(text),
    attrs: recordOf(attrs),
    content: listOf(content),
    marks: listOf(marks),
  };
};

const indented = (text: string, by: string): string => text.replace(/\n(?=.)/g, `\n${by}`);
const quoted = (text: string): string => text.replace(/^/gm, '> ').replace(/^> $/gm, '>');

/** A fence longer than every run of backticks within. */
const fence = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(longest + 1);
};

function code(text: string): string {
  const ticks = '`'.repeat(
    Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1,
  );
  return text.includes('`') ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}

function marked({ text, marks }: Node): string {
  const kinds = new Map(
    marks.map((mark) => [textOf(recordOf(mark).type), recordOf(recordOf(mark).attrs)]),
  );
  let shown = kinds.has('code') ? code(text) : text;
  // Markdown takes no mark whose inside begins or ends with a space.
  if (text.trim() === text && text !== '') {
    if (kinds.has('strike')) shown = `~~${shown}~~`;
    if (kinds.has('em')) shown = `_${shown}_`;
    if (kinds.has('strong')) shown = `**${shown}**`;
  }
  const href = textOf(kinds.get('link')?.href);
  return href === '' || href === text ? shown : `[${shown}](${href})`;
}

/**
 * Atlassian's document format as markdown. Anything that is no document is an empty text; what is
 * not known is shown by its inside.
 */
export function adfToMarkdown(document: unknown): string {
  let left = MAX_NODES;

  const inline = (nodes: readonly unknown[], depth: number): string =>
    nodes.map((one) => inlineOf(nodeOf(one), depth)).join('');

  function inlineOf(node: Node, depth: number): string {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH) return '';
    const { type, attrs } = node;
    if (type === 'text') return marked(node);
    if (type === 'hardBreak') return '\n';
    if (type === 'mention') return textOf(attrs.text) || `@${textOf(attrs.id)}`;
    if (type === 'emoji') return textOf(attrs.text) || textOf(attrs.shortName);
    if (type === 'inlineCard') return textOf(attrs.url);
    if (type === 'date') {
      const at = new Date(Number(attrs.timestamp));
      return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);
    }
    if (type === 'status') return `[${textOf(attrs.text)}]`;
    return inline(node.content, depth + 1);
  }

  const blocks = (nodes: readonly unknown[], depth: number, between = '\n\n'): string =>
    nodes
      .map((one) => block(nodeOf(one), depth))
      .filter((text) => text !== '')
      .join(between);

  const items = (nodes: readonly unknown[], depth: number, bullet: (n: number) => string): string =>
    nodes
      .map((one, n) => {
        const sign = bullet(n);
        return `${sign}${indented(blocks(nodeOf(one).content, depth + 1, '\n'), ' '.repeat(sign.length))}`;
      })
      .join('\n');

  function table({ content }: Node, depth: number): string {
    const rows = content.map((row) =>
      nodeOf(row).content.map((cell) =>
        blocks(nodeOf(cell).content, depth + 2, ' ')
          .replace(/\n/g, ' ')
          .replace(/\|/g, '\\|'),
      ),
    );
    const [head = [], ...rest] = rows;
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    return [line(head), line(head.map(() => '---')), ...rest.map(line)].join('\n');
  }

  function block(node: Node, depth: number): string {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH) return '';
    const { type, attrs, content } = node;
    switch (type) {
      case 'paragraph':
        return inline(content, depth + 1);
      case 'heading':
        return `${'#'.repeat(Math.min(6, Math.max(1, Number(attrs.level) || 1)))} ${inline(content, depth + 1)}`;
      case 'bulletList':
        return items(content, depth, () => '- ');
      case 'orderedList':
        return items(content, depth, (n) => `${(Number(attrs.order) || 1) + n}. `);
      case 'taskList':
        return content
          .map((one) => nodeOf(one))
          .map(
            (task) =>
              `- [${task.attrs.state === 'DONE' ? 'x' : ' '}] ${inline(task.content, depth + 2)}`,
          )
          .join('\n');
      case 'codeBlock': {
        const text = content.map((one) => nodeOf(one).text).join('');
        const ticks = fence(text);
        return `${ticks}${textOf(attrs.language)}\n${text}\n${ticks}`;
      }
      case 'blockquote':
      case 'panel':
        return quoted(blocks(content, depth + 1));
      case 'rule':
        return '---';
      case 'table':
        return table(node, depth);
      case 'blockCard':
      case 'embedCard':
        return textOf(attrs.url);
      case 'media':
        return `[attachment ${textOf(attrs.alt) || textOf(attrs.id)}]`;
      case 'expand':
      case 'nestedExpand':
        return [textOf(attrs.title), blocks(content, depth + 1)]
          .filter((text) => text !== '')
          .join('\n\n');
      default:
        return content.length === 0 ? inlineOf(node, depth + 1) : blocks(content, depth + 1);
    }
  }

  const { type, content } = nodeOf(document);
  return type === 'doc' ? blocks(content, 0) : '';
}
