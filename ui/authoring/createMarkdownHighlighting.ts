import { markdown } from '@codemirror/lang-markdown';
import { syntaxTree } from '@codemirror/language';
import type { Extension, Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

type MarkdownConfig = NonNullable<Parameters<typeof markdown>[0]>;

/** The block between the `---` lines: Markdown alone would take its last line for a heading. */
const frontMatterBlock: MarkdownConfig['extensions'] = {
  defineNodes: [{ name: 'FrontMatter', block: true }],
  parseBlock: [
    {
      name: 'FrontMatter',
      before: 'HorizontalRule',
      parse(context, line) {
        if (context.lineStart !== 0 || !/^---\s*$/.test(line.text)) return false;
        while (context.nextLine()) {
          if (!/^---\s*$/.test(line.text)) continue;
          context.addElement(context.elt('FrontMatter', 0, context.lineStart + line.text.length));
          context.nextLine();
          return true;
        }
        context.addElement(context.elt('FrontMatter', 0, context.lineStart + line.text.length));
        return true;
      },
    },
  ],
};

/** Parts of Markdown that look like something of their own, by the name of their node. */
const NODES: Readonly<Record<string, string>> = {
  StrongEmphasis: 'svc-strong',
  Emphasis: 'svc-emphasis',
  InlineCode: 'svc-code',
  FencedCode: 'svc-code',
  CodeBlock: 'svc-code',
  URL: 'svc-link',
  Link: 'svc-link',
  Comment: 'svc-comment',
  CommentBlock: 'svc-comment',
  HorizontalRule: 'svc-mark',
  ListMark: 'svc-mark',
};

/** Parts of a line of YAML, the first that fits counts. */
const YAML =
  /(#.*$)|("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|([A-Za-z_][\w-]*)(?=\s*:(?:\s|$))|\b(true|false|null|\d+)\b|(^---\s*$)/g;
const YAML_CLASSES = ['svc-comment', 'svc-string', 'svc-key', 'svc-atom', 'svc-mark'];

function markYaml(text: string, from: number): Range<Decoration>[] {
  return [...text.matchAll(YAML)].flatMap((match) => {
    const kind = YAML_CLASSES[match.slice(1).findIndex((part) => part !== undefined)];
    const start = from + match.index;
    return kind && match[0]
      ? [Decoration.mark({ class: kind }).range(start, start + match[0].length)]
      : [];
  });
}

function markFrontMatter({ state, visibleRanges }: EditorView): DecorationSet {
  const marks: Range<Decoration>[] = [];
  for (const { from, to } of visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter({ name, from: start, to: end }) {
        if (name === 'FrontMatter') {
          for (
            let line = state.doc.lineAt(Math.max(start, from));
            ;
            line = state.doc.line(line.number + 1)
          ) {
            marks.push(...markYaml(line.text, line.from));
            if (line.to >= Math.min(end, to) || line.number === state.doc.lines) break;
          }
          return false;
        }
        const kind = /^(?:ATX|Setext)Heading/.test(name) ? 'svc-heading' : NODES[name];
        if (kind && end > start) marks.push(Decoration.mark({ class: kind }).range(start, end));
        return true;
      },
    });
  }
  return Decoration.set(marks, true);
}

const highlighting = ViewPlugin.fromClass(
  class {
    marks: DecorationSet;
    constructor(view: EditorView) {
      this.marks = markFrontMatter(view);
    }
    update({ view, docChanged, viewportChanged, startState, state }: ViewUpdate) {
      if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state))
        this.marks = markFrontMatter(view);
    }
  },
  { decorations: ({ marks }) => marks },
);

const look = EditorView.theme({
  '.svc-heading': { fontWeight: '600', color: 'var(--text)' },
  '.svc-strong': { fontWeight: '600' },
  '.svc-emphasis': { fontStyle: 'italic' },
  '.svc-code, .svc-string': { color: 'var(--good)' },
  '.svc-key': { color: 'var(--accent)' },
  '.svc-atom': { color: 'var(--warn)' },
  '.svc-link': { color: 'var(--accent)' },
  '.svc-comment, .svc-mark': { color: 'var(--muted)' },
});

export const createMarkdownHighlighting = (): Extension => [
  markdown({ extensions: frontMatterBlock }),
  highlighting,
  look,
];
