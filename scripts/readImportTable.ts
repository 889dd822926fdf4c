import { readFileSync } from 'node:fs';

export const TABLE_FILE = 'docs/import-table.md';

/** Everything is allowed: the composition root, tools of the project, and tests. */
export const ANYTHING = '*';

/** What the files of one folder may import. Their own folder is always allowed. */
export interface ImportRow {
  /** Folder, or a single file such as `src/main.ts`; without a slash at the end. */
  folder: string;
  /** Folders of which values may be imported (`*` = all). */
  values: string[];
  /** Folders of which only types may be imported. */
  types: string[];
  /** Packages; `node:` stands for Node's own modules. */
  packages: string[];
}

const HEADER = ['Folder', 'Values from', 'Types also from', 'Packages'];

const splitCells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const splitList = (cell: string) =>
  cell
    .split(',')
    .map((word) => word.trim().replaceAll('`', ''))
    .filter(Boolean);

/** The rows of the import table in a Markdown text. Throws without a table, or for a broken row. */
export function parseImportTable(markdown: string): ImportRow[] {
  const lines = markdown.split('\n');
  const header = lines.findIndex((line) => splitCells(line).join('|') === HEADER.join('|'));
  if (header < 0)
    throw new Error(`${TABLE_FILE} has no table with the columns ${HEADER.join(', ')}.`);
  const body = lines.slice(header + 2);
  const end = body.findIndex((line) => !line.startsWith('|'));
  return body.slice(0, end < 0 ? body.length : end).map((line) => {
    const [folder = '', values, types, packages, ...rest] = splitCells(line);
    if (
      folder === '' ||
      values === undefined ||
      types === undefined ||
      packages === undefined ||
      rest.length > 0
    ) {
      throw new Error(`${TABLE_FILE}: the row "${line}" does not have ${HEADER.length} cells.`);
    }
    return {
      folder: folder.replaceAll('`', ''),
      values: splitList(values),
      types: splitList(types),
      packages: splitList(packages),
    };
  });
}

export const readImportTable = (): ImportRow[] =>
  parseImportTable(readFileSync(TABLE_FILE, 'utf8'));

/** The row of a file or import target: its own, else that of its longest folder. */
export function findRow(table: readonly ImportRow[], file: string): ImportRow | undefined {
  const holds = (row: ImportRow) => file === row.folder || file.startsWith(`${row.folder}/`);
  return table.filter(holds).sort((a, b) => b.folder.length - a.folder.length)[0];
}
