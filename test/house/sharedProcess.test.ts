import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundleTests } from '../../scripts/bundleTests.ts';
import { createImportGraph, readImportGraph } from '../support/importGraph.ts';
import { findSharingHazards } from '../support/sharedProcess/findSharingHazards.ts';
import {
  SHARED_PROCESS_WORKER,
  openSharedProcess,
} from '../support/sharedProcess/openSharedProcess.ts';

const test = suite('house: test files that share a process');

const root = join(import.meta.dirname, '..', '..');

const hazards = (source: string, more: Record<string, string> = {}): string[] =>
  findSharingHazards(
    createImportGraph(new Map(Object.entries({ 'test/a/one.test.ts': source, ...more }))),
    'test/a/one.test.ts',
  );

test('a file that only computes may share a process', () => {
  assert.equal(hazards("import { join } from 'node:path';\njoin(process.env['HOME'] ?? '');"), []);
});

for (const [source, hazard] of [
  ["import { Worker } from 'node:worker_threads';", 'starts a thread'],
  ["import { bundle } from '../../scripts/bundle.ts';", 'builds the product'],
  ["process.env['TZ'] = 'UTC';", 'changes the environment'],
  ["delete process.env['TZ'];", 'changes the environment'],
  ["process.chdir('/');", 'changes the process'],
  ["process.once('SIGTERM', end);", 'changes the process'],
  ['globalThis.fetch = fake;', 'changes what is global'],
  ['// Runs in a process of its own: it counts handles.', 'asks for it'],
] as const)
  test(`a file needs a process of its own: ${source}`, () => {
    assert.equal(hazards(source), [`${hazard}: test/a/one.test.ts`]);
  });

for (const source of [
  "import { spawn } from 'node:child_process';",
  'createServer(answer);',
  "process.once('exit', removeFolder);",
  'const fetch: typeof globalThis.fetch = answer;',
])
  test(`a file may share a process: ${source}`, () => {
    assert.equal(hazards(source), []);
  });

test('what a file imports of test/ counts, and what it calls in the product does not', () => {
  const source = "import { a } from '../support/a.ts';\nimport { b } from '../../src/b.ts';";
  const more = {
    'test/support/a.ts': "import { Worker } from 'node:worker_threads';",
    'src/b.ts': "import { Worker } from 'node:worker_threads';",
  };
  assert.equal(hazards(source, more), ['starts a thread: test/support/a.ts']);
});

test('a file that imports the entry point of a child process needs a process of its own', () => {
  const source = "import { main } from '../../src/main.ts';";
  assert.equal(hazards(source, { 'src/main.ts': "process.on('message', take);" }), [
    'hears its parent process: src/main.ts',
  ]);
});

test('hundreds of test files share a process, no story and no page among them', () => {
  const graph = readImportGraph(root);
  const tests = [...graph.sources.keys()].filter((file) => file.endsWith('.test.ts'));
  const sharing = tests.filter((file) => findSharingHazards(graph, file).length === 0);
  assert.ok(sharing.length > 700, `${sharing.length}`);
  assert.equal(
    sharing.filter((file) => /^test\/(?:stories|browser|crash|attacks)\//.test(file)),
    [],
  );
});

const fixture = (name: string): string => `test/fixtures/silent/${name}.ts`;
const FIXTURES = ['good', 'assertionFails', 'earlyExit', 'leavesEnvironment'].map(fixture);
const bundled = await bundleTests(root, [...FIXTURES, SHARED_PROCESS_WORKER]);
test.after(() => bundled.remove());

test('a file that fails, ends the process or leaves something behind is named and harms no other', async () => {
  const pids: number[] = [];
  const shared = openSharedProcess({
    worker: bundled.toBundledPath(SHARED_PROCESS_WORKER),
    env: process.env,
    timeoutMs: 20_000,
    onStart: (pid) => pids.push(pid),
    onEnd: () => {},
  });
  const run = async (name: string) => {
    const file = fixture(name);
    const { passed, failed, doubt } = await shared.run(file, bundled.toBundledPath(file));
    return [passed, failed, doubt];
  };
  const good = [2, 0, undefined];
  assert.equal(await run('good'), good);
  assert.equal(await run('assertionFails'), [
    1,
    1,
    'it failed in a process that it shared with other files',
  ]);
  assert.equal(await run('earlyExit'), [
    0,
    1,
    'it ended the process that it shared with other files',
  ]);
  assert.equal(await run('leavesEnvironment'), [1, 0, 'it left behind: environment']);
  assert.is(pids.length, 3);
  shared.close();
});

test.run();
