import matter from 'gray-matter';
import { type Document, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { messageOf } from '../../lib/errors.ts';
import { type Findings, inFileOrder, findingsFor, type Place } from './findings.ts';
import type { Diagnostic } from '../../schema/diagnostic.ts';
import { checkFrontMatterBlock, MAX_FILE_BYTES } from './frontMatterBlock.ts';
import { noPositions, type Positions, positionsOf } from './positions.ts';

/** Most values that aliases (`*name`) may add up to; more is an alias bomb. */
export const MAX_ALIASES = 50;

export interface FrontMatter {
  /** The front matter as plain data; empty if there was no front matter or it could not be read. */
  data: Record<string, unknown>;
  /** The text below the front matter; the whole text without front matter. */
  body: string;
  /** Line of the file, 1-based, that the body begins on. */
  bodyLine: number;
  /** There is front matter and it was read without an error. */
  readable: boolean;
  positions: Positions;
  diagnostics: Diagnostic[];
}

const refuseLanguage = {
  parse(): object {
    throw new Error('only YAML front matter is read');
  },
};

/** How to fix what the YAML parser reports, by its code. */
const SYNTAX_HINTS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces instead of tabs.',
  BLOCK_AS_IMPLICIT_KEY:
    'Quote text that contains a colon, and indent the keys of one map equally.',
  MISSING_CHAR: 'Close the quote or the bracket.',
  BAD_INDENT: 'Indent the keys of one map equally.',
};

const START: Place = { line: 1, column: 1 };

function checkNodes(document: Document.Parsed, lines: LineCounter, findings: Findings): void {
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const anchors = new Set<string>();
  visit(document, {
    Alias(_, { source, range }) {
      if (anchors.has(source)) return;
      const message = `The alias *${source} has no anchor &${source} before it.`;
      findings.error(
        'yaml-syntax',
        at(range?.[0] ?? 0),
        message,
        'Write the value out, or quote it if it is text.',
      );
    },
    // The parser's own check compares every key with every other one.
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          findings.error(
            'yaml-syntax',
            at(key.range?.[0] ?? 0),
            'This key is given twice in the same map.',
            'Keep one of them.',
          );
        }
        seen.add(key.value);
      }
    },
    Pair(_, pair) {
      if (!isScalar(pair.key) || typeof pair.key.value !== 'string') {
        const range = isNode(pair.key) ? pair.key.range : null;
        findings.error(
          'yaml-syntax',
          range ? at(range[0]) : START,
          'A key is not plain text.',
          'Write every key as a word; quote it if it is a number.',
        );
      } else if (pair.key.value === '__proto__') {
        findings.error(
          'yaml-syntax',
          at(pair.key.range?.[0] ?? 0),
          'The key __proto__ is refused.',
          'Remove it.',
        );
      }
    },
    Node(_, node) {
      if ('anchor' in node && typeof node.anchor === 'string') anchors.add(node.anchor);
      if (!('tag' in node) || node.tag === undefined) return;
      findings.error(
        'yaml-syntax',
        at(node.range?.[0] ?? 0),
        `The tag ${node.tag} is refused.`,
        'Write plain values, without tags.',
      );
    },
  });
}

/** Reads YAML into plain data. Null = it is not to be used, and the findings say why. */
function readYaml(
  text: string,
  findings: Findings,
): { data: unknown; positions: Positions } | null {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  // Those that follow are mostly about the same place: the parser has lost its way.
  const [first] = document.errors;
  if (first) {
    const { line, col } = lines.linePos(first.pos[0]);
    const message = `This is not YAML: ${first.message}.`.replace(/\.\.$/, '.');
    findings.error(
      'yaml-syntax',
      { line, column: col },
      message,
      SYNTAX_HINTS[first.code] ?? 'Check indentation, quotes and brackets.',
    );
  }
  if (document.errors.length > 0) return null;
  checkNodes(document, lines, findings);
  if (findings.hasErrors()) return null;
  return {
    data: document.toJS({ maxAliasCount: MAX_ALIASES }),
    positions: positionsOf(document, lines),
  };
}

/**
 * Reads the YAML front matter of a markdown file from an untrusted source. Never runs code, never
 * throws, takes time linear in the limits: what cannot be read is a diagnostic with line and
 * column.
 */
export function parseFrontMatter(source: string, file: string): FrontMatter {
  const findings = findingsFor(file);
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const result = (rest: Partial<FrontMatter>): FrontMatter => ({
    data: {},
    body: '',
    bodyLine: 1,
    readable: false,
    positions: noPositions,
    ...rest,
    diagnostics: inFileOrder(findings.list),
  });
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_FILE_BYTES) {
    findings.error(
      'file-too-large',
      START,
      `The file has ${bytes} bytes; the limit is ${MAX_FILE_BYTES}.`,
      'Move reference text into files of memory/.',
    );
    return result({});
  }
  const kind = checkFrontMatterBlock(text, findings);
  if (kind === 'none') return result({ body: text });
  if (kind === 'refused') return result({});

  let read: { data: unknown; positions: Positions } | null = null;
  const yaml = {
    parse(block: string): object {
      // The splitter cuts before the last \n and so leaves the \r of a Windows line end on the last
      // value.
      read = readYaml(block.replace(/\r$/, ''), findings);
      return {};
    },
  };
  try {
    // Options are always given: without them gray-matter caches by text, and its own engines
    // include one that evals.
    const split = matter(text, {
      language: 'yaml',
      engines: {
        yaml,
        yml: yaml,
        json: refuseLanguage,
        js: refuseLanguage,
        javascript: refuseLanguage,
        coffee: refuseLanguage,
      },
    });
    const bodyLine = text.slice(0, text.length - split.content.length).split('\n').length;
    const outcome = read as { data: unknown; positions: Positions } | null;
    if (!outcome) return result({ body: split.content, bodyLine, readable: !findings.hasErrors() });
    const { data, positions } = outcome;
    if (data === null) return result({ body: split.content, bodyLine, readable: true });
    if (typeof data !== 'object' || Array.isArray(data)) {
      findings.error(
        'wrong-type',
        positions.value([]),
        'The front matter is not a map of keys.',
        'Write lines such as `initial_phase: planning`.',
      );
      return result({ body: split.content, bodyLine });
    }
    return result({
      data: data as Record<string, unknown>,
      body: split.content,
      bodyLine,
      readable: true,
      positions,
    });
  } catch (error) {
    const hint =
      error instanceof ReferenceError
        ? 'Write the values out instead of using aliases.'
        : 'Simplify the front matter.';
    findings.error(
      'yaml-syntax',
      START,
      `The front matter could not be read: ${messageOf(error)}.`,
      hint,
    );
    return result({});
  }
}
