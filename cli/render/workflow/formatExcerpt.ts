import { toPrintable } from '../text/toPrintable.ts';

/** Columns between two tab stops. */
const TAB = 4;
const DEFAULT_COLUMNS = 100;
/** Columns that are shown after the place of a finding, where the line is cut. */
const AFTER = 30;
/**
 * Characters that are measured before and after the place of a finding, more than a terminal shows:
 * a file may be one line of a megabyte.
 */
const LOOKED_AT = 2_000;

const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1F9FF}\u{20000}-\u{3FFFD}]/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

let segmenter: Intl.Segmenter | null = null;
/** Made when it is needed: it takes longer than most of what is loaded with this. */
const openSegmenter = (): Intl.Segmenter =>
  (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' }));

interface Cell {
  text: string;
  columns: number;
}

/** The line as a terminal shows it, and the column of the character at `offset` (UTF-16 units). */
function splitIntoCells(line: string, offset: number): { cells: Cell[]; at: number } {
  const cells: Cell[] = [];
  let columns = 0;
  let at: number | null = null;
  for (const { segment, index } of openSegmenter().segment(line)) {
    if (at === null && index + segment.length > offset) at = columns;
    const text = segment === '\t' ? ' '.repeat(TAB - (columns % TAB)) : toPrintable(segment);
    const width =
      segment === '\t'
        ? text.length
        : NO_WIDTH.test(text) || text === ''
          ? 0
          : WIDE.test(text)
            ? 2
            : 1;
    cells.push({ text, columns: width });
    columns += width;
  }
  return { cells, at: at ?? columns };
}

function sliceCells(cells: readonly Cell[], from: number, to: number): string {
  let column = 0;
  let text = '';
  for (const cell of cells) {
    if (column >= from && column + cell.columns <= to) text += cell.text;
    column += cell.columns;
  }
  return text;
}

/**
 * The line of a finding with a caret below its place, as two lines. Tabs and wide characters are
 * measured as terminals show them; a line wider than the terminal is cut.
 */
export function formatExcerpt(
  source: string,
  { line, column }: { line: number; column: number },
  terminalColumns = 0,
): string {
  const text = source.split(/\r\n|\n|\r/)[line - 1] ?? '';
  const start = Math.max(0, column - 1 - LOOKED_AT);
  const near = text.slice(start, start + 2 * LOOKED_AT);
  const { cells, at } = splitIntoCells(near, column - 1 - start);
  const gutter = String(line).length;
  const room = Math.max(40, (terminalColumns || DEFAULT_COLUMNS) - gutter - 5);
  const width = cells.reduce((sum, cell) => sum + cell.columns, 0);
  const from = width <= room || at < room - 1 ? 0 : Math.max(0, at - room + AFTER);
  const prefix = from > 0 ? '…' : '';
  const right = width > from + room ? '…' : '';
  const excerpt = `${prefix}${sliceCells(cells, from, from + room - prefix.length - right.length)}${right}`;
  const caret = ' '.repeat(Math.max(0, at - from + prefix.length));
  return `  ${line} | ${excerpt.trimEnd()}\n  ${' '.repeat(gutter)} | ${caret}^\n`;
}
