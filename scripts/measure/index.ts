/**
 * `npm run measure`: figures about the project's size, names and structure.
 *
 * - `--json` prints them as JSON.
 * - `--functions` prints each function of the product as a line of JSON: file, line, name.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { findRoom, measureFloors } from './measureFloors.ts';
import { measureNames } from './measureNames.ts';
import { readFunctions } from './readFunctions.ts';
import { readImports } from './readImports.ts';
import { beginsWithVerb } from './verbs.ts';

const PRODUCT = ['src', 'machines', 'cli', 'ui', 'demo'];

const { values: flags } = parseArgs({
  options: { json: { type: 'boolean' }, functions: { type: 'boolean' } },
});

const listFiles = (folders: readonly string[], pattern: RegExp): string[] =>
  execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...folders],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
    .split('\0')
    .filter((file) => pattern.test(file) && !/\.generated\.|\.d\.ts$/.test(file));

const texts = new Map(
  listFiles(PRODUCT, /\.tsx?$/).map((file) => [file, readFileSync(file, 'utf8')] as const),
);
const modules = new Map([...texts].map(([file, text]) => [file, readFunctions(file, text)]));

if (flags.functions) {
  for (const [file, functions] of modules)
    for (const { line, name, isExported } of functions)
      console.log(
        JSON.stringify({ file, line, name, isExported, beginsWithVerb: beginsWithVerb(name) }),
      );
} else {
  const imports = new Map([...texts].map(([file, text]) => [file, readImports(file, text)]));
  const sizes = [...texts.values()]
    .map((text) => text.split('\n').length - 1)
    .sort((a, b) => a - b);
  const countLines = (files: readonly string[]): number =>
    files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
  const rooms = new Set([...texts.keys()].map(findRoom).filter((room) => room.startsWith('src/')));
  const names = measureNames(modules);
  const readmes = listFiles(['.'], /(^|\/)README\.md$/);
  const toPercent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const figures = {
    functions: names.functions,
    'names that end in Of': names.of,
    'names shared with another module': toPercent(names.sameName),
    'names that begin with a verb': toPercent(names.verbFirst),
    'product files': texts.size,
    'median lines of a file': sizes[Math.floor(sizes.length / 2)] ?? 0,
    'product lines': sizes.reduce((sum, size) => sum + size, 0),
    'test lines': countLines(listFiles(['test'], /\.tsx?$/)),
    'folders with product files': new Set([...texts.keys()].map((file) => dirname(file))).size,
    'folders below src': [...rooms].filter((room) => room !== 'src').length,
    floors: measureFloors(imports),
    READMEs: readmes.length,
    'words in READMEs': readmes.reduce(
      (sum, file) => sum + readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).length,
      0,
    ),
    decisions: listFiles(['docs/decisions'], /\/\d{4}-[^/]+\.md$/).length,
  };
  if (flags.json) console.log(JSON.stringify(figures, null, 2));
  else
    for (const [label, value] of Object.entries(figures))
      console.log(`${label.padEnd(36)}${String(value).padStart(10)}`);
}
