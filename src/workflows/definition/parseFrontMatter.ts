import matter from 'gray-matter';
import { LineCounter, parseDocument } from 'yaml';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { decodeFileText } from './decodeFileText.ts';
import { type Findings, sortFindings, createFindings, type Place } from './findings.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import { checkFrontMatterBlock } from './checkFrontMatterBlock.ts';
import { noPositions, type Positions, createPositions } from './positions.ts';
import { findSyntaxProblem } from './findSyntaxProblem.ts';
import { checkNodes } from './yamlNodes.ts';

export interface FrontMatter {
  /** The front matter as plain data; empty if none exists or it is unreadable. */
  data: Record<string, unknown>;
  /** The text below the front matter; the whole text if none exists. */
  body: string;
  bodyLine: number;
  /** There is front matter, without an error. */
  readable: boolean;
  positions: Positions;
  diagnostics: Diagnostic[];
}

const refuseLanguage = {
  parse(): object {
    throw new Error('only YAML front matter is read');
  },
};

const START: Place = { line: 1, column: 1 };

/** Reads YAML into plain data. null = unusable, and the findings say why. */
function readYaml(
  text: string,
  findings: Findings,
): { data: unknown; positions: Positions } | null {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  // Later errors mostly follow from the first.
  const [first] = document.errors;
  if (first) {
    const { line, col } = lines.linePos(first.pos[0]);
    const { code, message } = first;
    const problem = findSyntaxProblem(text.split('\n'), { line, column: col, code, message });
    findings.error('yaml-syntax', problem, problem.message, problem.hint);
  }
  if (document.errors.length > 0) return null;
  const resolve = checkNodes(document, lines, findings);
  if (findings.hasErrors()) return null;
  return {
    // The size of aliases has been checked before.
    data: document.toJS({ maxAliasCount: -1 }),
    positions: createPositions(document, lines, resolve),
  };
}

/**
 * Reads the YAML front matter of a markdown file from an untrusted source. Never runs code, never
 * throws, takes time linear in the limits: unreadable parts become diagnostics with line and
 * column.
 */
export function parseFrontMatter(source: string | Uint8Array, file: string): FrontMatter {
  const findings = createFindings(file);
  const result = (rest: Partial<FrontMatter>): FrontMatter => ({
    data: {},
    body: '',
    bodyLine: 1,
    readable: false,
    positions: noPositions,
    ...rest,
    diagnostics: sortFindings(findings.list),
  });
  const text = decodeFileText(source, findings);
  if (text === null) return result({});
  const kind = checkFrontMatterBlock(text, findings);
  if (kind === 'none') return result({ body: text });
  if (kind === 'refused') return result({});

  let read: { data: unknown; positions: Positions } | null = null;
  const yaml = {
    parse(block: string): object {
      // The splitter cuts before the last \n and leaves the \r of a Windows line end on the last
      // value.
      read = readYaml(block.replace(/\r$/, ''), findings);
      return {};
    },
  };
  try {
    // Options are always given: without them gray-matter caches by text, and its own engines
    // include one that evals.
    const matterFile = matter(text, {
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
    const bodyLine = text.slice(0, text.length - matterFile.content.length).split('\n').length;
    const outcome = read as { data: unknown; positions: Positions } | null;
    if (!outcome)
      return result({ body: matterFile.content, bodyLine, readable: !findings.hasErrors() });
    const { data, positions } = outcome;
    if (data === null) return result({ body: matterFile.content, bodyLine, readable: true });
    if (typeof data !== 'object' || Array.isArray(data)) {
      findings.error(
        'wrong-type',
        positions.value([]),
        'The front matter is not a map of keys.',
        'Write lines such as `initial_phase: planning`.',
      );
      return result({ body: matterFile.content, bodyLine });
    }
    return result({
      data: data as Record<string, unknown>,
      body: matterFile.content,
      bodyLine,
      readable: true,
      positions,
    });
  } catch (error) {
    findings.error(
      'yaml-syntax',
      START,
      `The front matter could not be read: ${toErrorMessage(error)}.`,
      'Simplify the front matter.',
    );
    return result({});
  }
}
