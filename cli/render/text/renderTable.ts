import type { Ansis } from 'ansis';

/** Columns between two columns. */
const GAP = '  ';

const countCharacters = (text: string): number => [...text].length;

function fitCell(text: string, columns: number): string {
  if (countCharacters(text) <= columns) return text + ' '.repeat(columns - countCharacters(text));
  return `${[...text].slice(0, Math.max(0, columns - 1)).join('')}…`;
}

/**
 * Rows below a header, in columns as wide as their longest cell; no rules, so that other tools can
 * cut it. Only the last column is shortened, and only if the terminal is `columns` wide (0 =
 * unknown). Cells must be printable lines. `paints` colours the cells of each row; null or no
 * function leaves them unchanged.
 */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  style: { color: Ansis; columns: number },
  paints: readonly (readonly (((text: string) => string) | null)[])[] = [],
): string {
  const widths = header.map((title, at) =>
    Math.max(countCharacters(title), ...rows.map((row) => countCharacters(row[at] ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, 0);
  const last = widths.length - 1;
  if (style.columns > 0)
    widths[last] = Math.min(widths[last] ?? 0, Math.max(10, style.columns - before));
  const line = (cells: readonly string[], colors: (typeof paints)[number] = []) =>
    widths
      .map((each, at) => {
        const cell = fitCell(cells[at] ?? '', each);
        // Only the text: blanks at the end of a line are cut off.
        return (
          colors[at]?.(cell.trimEnd()).concat(' '.repeat(cell.length - cell.trimEnd().length)) ??
          cell
        );
      })
      .join(GAP)
      .trimEnd();
  return [style.color.bold(line(header)), ...rows.map((row, at) => line(row, paints[at]))]
    .map((text) => `${text}\n`)
    .join('');
}
