import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { listImports } from './importScan.ts';

const FOLDERS = ['bench', 'cli', 'demo', 'machines', 'scripts', 'src', 'test', 'ui'];
const CODE = /\.(?:ts|tsx|mjs)$/;

export interface ImportGraph {
  sources: ReadonlyMap<string, string>;
  imports: ReadonlyMap<string, readonly string[]>;
}

export function createImportGraph(sources: ReadonlyMap<string, string>): ImportGraph {
  const imports = new Map(
    [...sources].map(([file, source]) => [
      file,
      listImports(source)
        .filter(({ specifier, typeOnly }) => !typeOnly && specifier.startsWith('.'))
        .map(({ specifier }) => normalize(join(dirname(file), specifier)))
        .filter((target) => sources.has(target)),
    ]),
  );
  return { sources, imports };
}

/** Reads every source below `root` that a test can import. */
export function readImportGraph(root: string): ImportGraph {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name.replaceAll('\\', '/')),
    ),
  );
  return createImportGraph(
    new Map(
      files
        .filter((file) => CODE.test(file) && !file.includes('node_modules/'))
        .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
    ),
  );
}

/** The file and all that it imports, directly or not. `enters` leaves out a file and what only it imports. */
export function findImported(
  { imports }: ImportGraph,
  file: string,
  enters: (file: string) => boolean = () => true,
): Set<string> {
  const files = new Set([file]);
  for (const at of files)
    for (const target of imports.get(at) ?? []) if (enters(target)) files.add(target);
  return files;
}
