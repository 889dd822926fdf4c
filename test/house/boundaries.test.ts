import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectFiles, read } from '../../scripts/checks/projectFiles.ts';
import { readImportTable, parseImportTable, findRow } from '../../scripts/readImportTable.ts';
import { importProblems, listImports } from '../support/importScan.ts';

const test = suite('house: who may import what');

const table = readImportTable();
const files = projectFiles().filter((file) => /\.(ts|tsx|js)$/.test(file));

test('every import is one that the import table allows', () => {
  assert.equal(
    files.flatMap((file) => importProblems(table, file, read(file))),
    [],
  );
});

test('every row of the table has files, and none is stale', () => {
  const empty = table
    .filter((row) => !files.some((file) => findRow(table, file) === row))
    .map((row) => row.folder);
  assert.equal(empty, []);
});

test('no file turns the rules off', () => {
  const off =
    /(depcruise|dependency-cruiser)-(ignore|disable)|biome-ignore[^\n]*noRestrictedImports/;
  assert.equal(
    files.filter(
      (file) =>
        !file.startsWith('test/house/') &&
        !file.startsWith('scripts/checks/') &&
        off.test(read(file)),
    ),
    [],
  );
});

test('charts and the kernel read no clock, no random numbers and no environment', () => {
  const ambient =
    /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bset(?:Timeout|Interval)\(|\bprocess\.|\bperformance\./;
  const pure = files.filter(
    (file) => file.startsWith('machines/') || file.startsWith('src/kernel/'),
  );
  assert.ok(pure.length > 10, `only ${pure.length} files found`);
  assert.equal(
    pure.filter((file) => ambient.test(read(file))),
    [],
  );
});

test('gray-matter runs code that it finds in front matter: only one file may load it, and gives it no engine that does', () => {
  const loaders = files.filter((file) =>
    listImports(read(file)).some(({ specifier }) => specifier === 'gray-matter'),
  );
  assert.equal(loaders, ['src/workflows/definition/parseFrontMatter.ts']);
});

const SAMPLE = `
| Folder | Values from | Types also from | Packages |
|---|---|---|---|
| machines | | src/schema | xstate |
| src/schema | | | typebox |
| src/http | src/schema | machines | node:, @koa/router |
| src/main.ts | * | * | * |
`;

test('the search finds a forbidden import and names file, import and rule', () => {
  const sample = parseImportTable(SAMPLE);
  const problems = (file: string, source: string) => importProblems(sample, file, source);
  assert.equal(problems('machines/job.ts', "import { Job } from '../src/schema/job.ts';"), [
    "machines/job.ts imports a value from '../src/schema/job.ts': machines may import a value from its own folder only",
  ]);
  assert.equal(
    problems(
      'machines/job.ts',
      "import type { Job } from '../src/schema/job.ts';\nimport { setup } from 'xstate';\nimport './rules/x.ts';",
    ),
    [],
  );
  assert.equal(problems('machines/job.ts', "import { readFile } from 'node:fs';"), [
    "machines/job.ts imports a value from 'node:fs': machines may use the packages xstate",
  ]);
  assert.equal(
    problems('src/http/app.ts', "import {\n  a,\n  b,\n} from '../../machines/index.ts';"),
    [
      "src/http/app.ts imports a value from '../../machines/index.ts': src/http may import a value from src/schema",
    ],
  );
  assert.equal(
    problems(
      'src/http/app.ts',
      "export type { A } from '../../machines/index.ts';\nimport Router from '@koa/router/lib';",
    ),
    [],
  );
  assert.equal(problems('src/schema/job.ts', "const x = await import('../http/app.ts');"), [
    "src/schema/job.ts imports a value from '../http/app.ts': src/schema may import a value from its own folder only",
  ]);
  assert.equal(
    problems('src/main.ts', "import { app } from './http/app.ts';\nimport koa from 'koa';"),
    [],
  );
  assert.equal(problems('src/new/x.ts', ''), ['src/new/x.ts is in no folder of the import table']);
});

test('text in a comment or a string is no import, and a broken table is no table', () => {
  assert.equal(
    listImports("/** import { a } from 'b'; */\n// import 'c';\nimport type { d } from 'd';"),
    [{ specifier: 'd', typeOnly: true }],
  );
  assert.throws(() => parseImportTable('# nothing'), /has no table/);
  assert.throws(
    () => parseImportTable(SAMPLE.replace('| machines | |', '| machines |')),
    /does not have 4 cells/,
  );
});

test.run();
