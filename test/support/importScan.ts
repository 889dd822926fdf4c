import { dirname, join, normalize } from 'node:path/posix';
import { ANYTHING, type ImportRow, findRow } from '../../scripts/readImportTable.ts';

export interface FoundImport {
  specifier: string;
  /** True for `import type` and `export type`: gone when the program runs. */
  typeOnly: boolean;
}

const STATIC = /^[ \t]*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)(\.[A-Z])?/g;
const COMMENT = /^[ \t]*\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm;
const TEMPLATE = /`(?:[^`\\]|\\[\s\S])*`/g;

/** A source without its comments and template texts. */
export const stripTexts = (source: string): string =>
  source.replace(COMMENT, '').replace(TEMPLATE, '``');

/** All imports of a TypeScript source; those in comments and in template texts are none. */
export function listImports(source: string): FoundImport[] {
  const code = stripTexts(source);
  return [
    ...[...code.matchAll(STATIC)].map((match) => ({
      specifier: match[2] ?? '',
      typeOnly: match[1] !== undefined,
    })),
    // `import('./x.ts').Name` names a type; `await import('./x.ts')` loads the module.
    ...[...code.matchAll(DYNAMIC)].map((match) => ({
      specifier: match[1] ?? '',
      typeOnly: match[2] !== undefined,
    })),
  ];
}

/** `@koa/router/lib` → `@koa/router`; Node's own modules → `node:`. */
const getPackageName = (specifier: string) =>
  specifier.startsWith('node:')
    ? 'node:'
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');

/** The fault of one import as a sentence with file, import and rule; null = allowed. */
function explainImport(
  table: readonly ImportRow[],
  row: ImportRow,
  file: string,
  { specifier, typeOnly }: FoundImport,
): string | null {
  const kind = typeOnly ? 'a type' : 'a value';
  const says = (rule: string) => `${file} imports ${kind} from '${specifier}': ${rule}`;
  if (!specifier.startsWith('.')) {
    const name = getPackageName(specifier);
    if (row.packages.includes(ANYTHING) || row.packages.includes(name)) return null;
    return says(`${row.folder} may use the packages ${row.packages.join(', ') || '(none)'}`);
  }
  const target = normalize(join(dirname(file), specifier));
  const targetRow = findRow(table, target);
  if (targetRow === undefined) return says(`${target} is in no folder of the table`);
  if (
    targetRow.folder === row.folder ||
    row.values.includes(ANYTHING) ||
    row.values.includes(targetRow.folder)
  )
    return null;
  if (typeOnly && (row.types.includes(ANYTHING) || row.types.includes(targetRow.folder)))
    return null;
  const allowed = typeOnly ? [...row.values, ...row.types] : row.values;
  return says(
    `${row.folder} may import ${kind} from ${allowed.join(', ') || 'its own folder only'}`,
  );
}

export function importProblems(
  table: readonly ImportRow[],
  file: string,
  source: string,
): string[] {
  const row = findRow(table, file);
  if (row === undefined) return [`${file} is in no folder of the import table`];
  return listImports(source).flatMap((target) => explainImport(table, row, file, target) ?? []);
}
