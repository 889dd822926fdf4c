import { describeCodePoint } from '../../base/text/codePoints.ts';
import type { Findings } from './findings.ts';

/** Lines from the top that are searched for unread front matter. */
const SEARCHED_LINES = 50;
/** Dashes that editors put in place of `---`, alone or with ASCII ones. */
const DASHES = /^\s*[-\u2010-\u2015\u2212]{1,3}\s*$/;

/**
 * Reports front matter that is not read: it does not begin in line 1, is in another language, or
 * its dashes are not hyphens. `keys`: those of this kind of file, so that a rule (`---`) within
 * plain text is not mistaken for it. True = reported.
 */
export function reportMisplacedFrontMatter(
  text: string,
  keys: readonly string[],
  findings: Findings,
): boolean {
  const lines = text.split('\n', SEARCHED_LINES).map((line) => line.trimEnd());
  const [first = ''] = lines;
  if (first === '+++') {
    findings.error(
      'front-matter-language',
      { line: 1, column: 1 },
      'The front matter is TOML (+++); only YAML is read.',
      'Write --- instead of +++, and the front matter as YAML: `key: value`.',
    );
    return true;
  }
  // In an agent's file this may be its text.
  if (keys.includes('phases') && keys.some((key) => first.startsWith(`${key}:`))) {
    findings.error(
      'front-matter-not-first',
      { line: 1, column: 1 },
      'The front matter begins without a line ---.',
      'Write --- alone as the first line, and again below the last key.',
    );
    return true;
  }
  const opensFrontMatter = (index: number): boolean => {
    const below = lines.slice(index + 1).find((line) => line !== '' && !line.startsWith('#'));
    return keys.some((key) => below?.trimStart().startsWith(`${key}:`));
  };
  const fence = lines.findIndex((line, index) => DASHES.test(line) && opensFrontMatter(index));
  if (fence === -1) return false;
  const line = lines[fence] ?? '';
  const unusual = /[^-\s]/.exec(line)?.[0];
  const indent = line.length - line.trimStart().length;
  const problem =
    unusual !== undefined
      ? `The line that should begin the front matter contains ${describeCodePoint(unusual)} instead of a hyphen.`
      : line.trim() !== '---'
        ? 'The line that should begin the front matter is not ---.'
        : fence > 0
          ? `The front matter begins in line ${fence + 1}, so it is not read.`
          : 'The line that should begin the front matter is indented, so it is not read.';
  findings.error(
    'front-matter-not-first',
    { line: fence + 1, column: indent + 1 },
    problem,
    fence > 0
      ? 'Move it to the top: --- must be the first line, with nothing before it.'
      : 'Write --- alone as the first line, without spaces before it.',
  );
  return true;
}
