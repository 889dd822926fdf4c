import type { Findings } from './findings.ts';

/** Largest front matter, characters. */
export const MAX_FRONT_MATTER_CHARS = 64 * 1024;
/** Most lines of front matter. */
export const MAX_FRONT_MATTER_LINES = 2_000;
/**
 * Longest run of blanks and line ends in front matter: the splitter's comment pattern takes
 * quadratic time on them.
 */
export const MAX_BLANK_RUN = 1_000;
/** Most `[` and `{` in front matter: the YAML parser recurses once per level. */
export const MAX_FLOW_BRACKETS = 1_000;

const START = { line: 1, column: 1 };
const BLANK = /\s/;
/** A first line that ends with a carriage return alone. */
const OLD_MAC_FENCE = /^---[^\r\n]*\r(?!\n)/;

function measureLongestBlankRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (const char of text) {
    run = BLANK.test(char) ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

const findLineNumber = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

function explainOversizedBlock(block: string): string | null {
  if (block.length > MAX_FRONT_MATTER_CHARS)
    return `has ${block.length} characters; the limit is ${MAX_FRONT_MATTER_CHARS}`;
  const lines = block.split('\n').length;
  if (lines > MAX_FRONT_MATTER_LINES)
    return `has ${lines} lines; the limit is ${MAX_FRONT_MATTER_LINES}`;
  const blanks = measureLongestBlankRun(block);
  if (blanks > MAX_BLANK_RUN) return `has ${blanks} spaces in a row; the limit is ${MAX_BLANK_RUN}`;
  const brackets = block.match(/[[{]/g)?.length ?? 0;
  if (brackets > MAX_FLOW_BRACKETS)
    return `has ${brackets} opening brackets; the limit is ${MAX_FLOW_BRACKETS}`;
  return null;
}

/**
 * Checks the fence of a file before any parser, in linear time: `none` = no front matter, `refused`
 * = it must not be parsed and the findings say why, `yaml` = it is safe to parse. `text` has no
 * byte order mark.
 */
export function checkFrontMatterBlock(
  text: string,
  findings: Findings,
): 'none' | 'refused' | 'yaml' {
  if (!text.startsWith('---') || text[3] === '-') return 'none';
  if (OLD_MAC_FENCE.test(text)) {
    findings.error(
      'yaml-syntax',
      START,
      'The lines end with a carriage return alone, as on old Macs, so the whole file is one line.',
      "Save it with LF line ends: most editors have a setting for it; a shell has tr '\\r' '\\n'.",
    );
    return 'refused';
  }
  const firstEnd = text.indexOf('\n');
  const language = text.slice(3, firstEnd === -1 ? undefined : firstEnd).trim();
  if (language !== '' && language !== 'yaml' && language !== 'yml') {
    const shownLanguage = JSON.stringify(language.slice(0, 40));
    findings.error(
      'front-matter-language',
      { line: 1, column: 4 },
      `The front matter declares the language ${shownLanguage}; only YAML is read, and nothing was run.`,
      'Write --- alone on the first line, and the front matter as YAML.',
    );
    return 'refused';
  }
  const close = firstEnd === -1 ? -1 : text.indexOf('\n---', firstEnd);
  if (close === -1) {
    findings.error(
      'yaml-syntax',
      START,
      'The front matter is not closed.',
      'End it with a line that contains only ---.',
    );
    return 'refused';
  }
  const limit = explainOversizedBlock(text.slice(firstEnd, close));
  if (limit !== null) {
    findings.error(
      'front-matter-too-large',
      START,
      `The front matter ${limit}.`,
      'Move text below the front matter.',
    );
    return 'refused';
  }
  const closeEnd = text.indexOf('\n', close + 1);
  const rest = text.slice(close + 4, closeEnd === -1 ? undefined : closeEnd);
  if (rest.trim() !== '') {
    findings.error(
      'yaml-syntax',
      { line: findLineNumber(text, close + 1), column: 4 },
      'A line that begins with --- ends the front matter, but this line has more text.',
      'Write --- alone as the closing line; inside a value, indent or quote the line.',
    );
    return 'refused';
  }
  return 'yaml';
}
