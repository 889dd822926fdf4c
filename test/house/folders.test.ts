import { posix } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectFiles, read } from '../../scripts/checks/projectFiles.ts';
import { readImportTable, findRow } from '../../scripts/readImportTable.ts';
import { listImportCycles, folderPairs, type ImportEdge } from '../support/folderScan.ts';
import { listImports } from '../support/importScan.ts';

const test = suite('house: folders');

const files = projectFiles();
const sources = files.filter((file) => /^(src|machines|cli|ui|demo)\/.*\.tsx?$/.test(file));
const edges = sources.flatMap((from) =>
  listImports(read(from))
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }): ImportEdge => [from, posix.join(posix.dirname(from), specifier)]),
);

test('no files import each other in a cycle, types included', () => {
  assert.ok(edges.length > 0);
  assert.equal(listImportCycles(edges), []);
});

test('no two folders of the import table import each other, types included', () => {
  const table = readImportTable();
  assert.equal(
    folderPairs(edges, (file) => findRow(table, file)?.folder ?? file),
    [],
  );
});

test('a cycle of three files is found', () => {
  const cycle: ImportEdge[] = [
    ['a.ts', 'b.ts'],
    ['b.ts', 'c.ts'],
    ['c.ts', 'a.ts'],
    ['d.ts', 'a.ts'],
  ];
  assert.equal(listImportCycles(cycle), ['a.ts, b.ts, c.ts']);
});

test('two folders that import each other are found', () => {
  const pairs: ImportEdge[] = [
    ['a/x.ts', 'b/y.ts'],
    ['b/z.ts', 'a/w.ts'],
    ['b/z.ts', 'c/v.ts'],
  ];
  assert.equal(
    folderPairs(pairs, (file) => posix.dirname(file)),
    ['a and b: a/x.ts imports b/y.ts, b/z.ts imports a/w.ts'],
  );
});

test.run();
