import { formatCount } from '../../base/text/formatCount.ts';
import { describeCodePoint } from '../../base/text/codePoints.ts';
import type { Place } from './findings.ts';

/** The YAML parser's report; its place counts from 1. */
export interface ParserError extends Place {
  code: string;
  message: string;
}

export interface SyntaxProblem extends Place {
  message: string;
  hint: string;
}

/**
 * Lines around the parser's place that are searched for the cause: it often stops one or two later.
 */
const NEAR_LINES = 2;

const SAYS: readonly (readonly [RegExp, message: string, hint: string])[] = [
  [
    /^Missing closing ["']quote/,
    'A quote is not closed.',
    'Close it, or double a quote that is part of the text.',
  ],
  [
    /^Flow (map|sequence)/,
    'A bracket is not closed, or what is in it is indented too little.',
    'Close it with ] or }. Quote a value with a # after a space: it begins a comment.',
  ],
  [
    /^Nested mappings are not allowed/,
    'A value contains a colon followed by a space, so it reads like a second key.',
    'Quote the value, or write the second key on a line of its own.',
  ],
  [
    /^A block sequence may not be used/,
    'A list item is below keys that belong to no item.',
    'Begin the first item with a dash too, such as `- name: coding`.',
  ],
  [/^Missing space after :/, 'A space is missing after a colon.', 'Write `key: value`.'],
  [/^Missing , /, 'A comma is missing between two items.', 'Separate them with a comma.'],
  [
    /^Unexpected empty item|^Unexpected , in/,
    'A comma has nothing before it.',
    'Remove the comma, or write the value that is missing.',
  ],
  [
    /^Plain value cannot start with/,
    'A value begins with a character that has a meaning in YAML.',
    'Quote the value.',
  ],
  [
    /^Unexpected (flow-seq-end|flow-map-end|seq-end|map-end)/,
    'A bracket is closed that was not opened.',
    'Remove it, or quote the value.',
  ],
  [
    /^Unexpected .* at node end$/,
    'More text follows a value that has ended, such as after ], } or a closing quote.',
    'Quote the whole value, as in `argument-hint: "[a] [b]"`.',
  ],
  [
    /^Unexpected block-seq-ind on same line/,
    'A list item is on the line of its key.',
    'Begin it on a line of its own, below the key.',
  ],
];

const measureIndent = (line: string): number => line.length - line.trimStart().length;
const isContent = (line: string): boolean =>
  line.trim() !== '' && !line.trimStart().startsWith('#');

const isItem = (line: string): boolean => /^\s*-(\s|$)/.test(line);

/** Columns, from 0, where a line may begin: those of its parent keys and items. */
function findIndentLevels(
  lines: readonly string[],
  index: number,
): { keys: number[]; items: number[] } {
  const keys: number[] = [];
  const items: number[] = [];
  let limit = Number.POSITIVE_INFINITY;
  for (let above = index - 1; above >= 0; above--) {
    const line = lines[above] ?? '';
    const indent = measureIndent(line);
    if (!isContent(line) || indent >= limit) continue;
    limit = indent;
    (isItem(line) ? items : keys).push(indent);
    // `- key:` begins an item and, after the dash, its first key.
    for (const { 0: dash, index: at } of line.matchAll(/(?<=^[ -]*)- +(?=\S)/g))
      keys.push(at + dash.length);
  }
  return { keys, items };
}

function findWrongIndent(lines: readonly string[], index: number): SyntaxProblem | null {
  const line = lines[index] ?? '';
  if (!isContent(line)) return null;
  const before = lines.slice(0, index).findLast(isContent);
  if (before === undefined) return null;
  const indent = measureIndent(line);
  const { keys, items } = findIndentLevels(lines, index);
  // Below `key:` and below a continuing text every deeper column is right.
  const opens = /[:|>][-+\d]*\s*(#.*)?$/.test(before) || /^[ -]*-\s*$/.test(before);
  const fitting = isItem(line) ? [...keys, ...items] : keys;
  if (fitting.includes(indent) || (opens && indent > measureIndent(before))) return null;
  const levels = isItem(line) && items.length > 0 ? items : keys;
  const near = levels.toSorted((a, b) => Math.abs(a - indent) - Math.abs(b - indent) || b - a)[0];
  return {
    line: index + 1,
    column: indent + 1,
    message: `This line is indented by ${formatCount(indent, 'space')}, which fits no line above it.`,
    hint: `${near ? `Indent it by ${formatCount(near, 'space')}` : 'Begin it in the first column'}, as the ${levels === items ? 'list items' : 'keys'} that it belongs to.`,
  };
}

/** Characters that look like spaces or signs but are none in YAML, and invisible ones. */
const LOOKALIKE =
  /[\u00A0\u00AD\u1680\u2000-\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF\uFF1A\uFF0C\uFF3B\uFF3D\uFF5B\uFF5D\u201C\u201D\u2018\u2019]/u;

function findLookalike(line: string, index: number): SyntaxProblem | null {
  const match = LOOKALIKE.exec(line);
  if (!match) return null;
  const isSpace = /[\p{Zs}\u2028\u2029]/u.test(match[0]);
  const kind = /\p{Cf}/u.test(match[0]) ? 'Remove it.' : 'Write the plain ASCII character.';
  return {
    line: index + 1,
    column: match.index + 1,
    message: `This line contains ${describeCodePoint(match[0])}, which YAML does not read as ${isSpace ? 'a space' : 'a sign of its own'}.`,
    hint: isSpace ? 'Replace it with a space.' : kind,
  };
}

/** Matches a problem by pattern; its place is the end of the match. */
const createLineMatcher =
  (pattern: RegExp, message: string, hint: string) =>
  (line: string, index: number): SyntaxProblem | null => {
    const match = pattern.exec(line);
    return match && { line: index + 1, column: match[0].length, message, hint };
  };

const findTabIndent = createLineMatcher(
  /^ *\t/,
  'This line is indented with a tab.',
  'Indent with spaces instead of tabs.',
);

const findMissingSpace = createLineMatcher(
  /^\s*-(?=[A-Za-z_]+:(\s|$))/,
  'A space is missing after the dash.',
  'Write `- key: value`.',
);

/** The start of an unclosed quote: the first line with an odd number of them. */
function findOpenQuote(lines: readonly string[], error: ParserError): Place | null {
  const quote = /^Missing closing (["'])quote/.exec(error.message)?.[1];
  if (quote === undefined) return null;
  const index = lines.findIndex((line) => line.split(quote).length % 2 === 0);
  const column = (lines[index] ?? '').indexOf(quote) + 1;
  return index === -1 || index >= error.line ? null : { line: index + 1, column };
}

/** A line that is neither `key: value` nor an item. */
function findUnkeyedLine(line: string, index: number): SyntaxProblem | null {
  const joined = /^[\s-]*[A-Za-z_]+:(?=[^\s/])/.exec(line);
  if (joined)
    return {
      line: index + 1,
      column: joined[0].length,
      message: 'A space is missing after the colon.',
      hint: 'Write `key: value`.',
    };
  if (!isContent(line) || line.includes(':') || /^\s*[-[\]{},]/.test(line)) return null;
  return {
    line: index + 1,
    column: measureIndent(line) + 1,
    message: 'This line is neither `key: value` nor a list item.',
    hint: 'Write `key: value`, or indent a text that continues further than its key.',
  };
}

const NOT_KEYED = /^Implicit (map )?keys need to be/;

/**
 * Finds what made the YAML parser stop: the parser names what it expected, often after the mistake.
 * `lines`: the front matter's, from line 1 of the file.
 */
export function findSyntaxProblem(lines: readonly string[], error: ParserError): SyntaxProblem {
  const here = error.line - 1;
  const near = [...Array(2 * NEAR_LINES + 1).keys()]
    .map((offset) => here - NEAR_LINES + offset)
    .filter((index) => index >= 0 && index < lines.length)
    .sort((a, b) => Math.abs(a - here) - Math.abs(b - here) || a - b);
  const first = (look: (line: string, index: number) => SyntaxProblem | null) =>
    near.map((index) => look(lines[index] ?? '', index)).find((one) => one !== null);
  const inOrder = near.toSorted((a, b) => a - b);
  const explanation = SAYS.find(([pattern]) => pattern.test(error.message));
  const indentProblem = inOrder
    .map((index) => findWrongIndent(lines, index))
    .find((one) => one !== null);
  const isIndent = /indent|Sequence item|same column|start at the same|Nested mappings/i;
  return (
    first(findLookalike) ??
    first(findTabIndent) ??
    first(findMissingSpace) ??
    (isIndent.test(error.message) || NOT_KEYED.test(error.message) ? indentProblem : undefined) ??
    (NOT_KEYED.test(error.message) ? first(findUnkeyedLine) : undefined) ?? {
      line: error.line,
      column: error.column,
      ...findOpenQuote(lines, error),
      message: explanation?.[1] ?? `This is not YAML: ${error.message}.`.replace(/\.\.$/, '.'),
      hint: explanation?.[2] ?? 'Check indentation, quotes and brackets.',
    }
  );
}
