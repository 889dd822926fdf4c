import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BUILD_NAME, computeBuildName, readProgramAt } from '../../../src/host/upgrade/program.ts';

const test = suite<{ root: string; write(name: string, text: string): void }>(
  'the name of a program',
);

test.before.each((context) => {
  context.root = mkdtempSync(join(tmpdir(), 'svc-program-'));
  context.write = (name, text) => {
    const file = join(context.root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  context.write('package.json', JSON.stringify({ name: '@svc/runner', version: '1.2.3' }));
  context.write('dist/runner/main.js', 'main');
  context.write('dist/cli/start.js', 'start');
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

test('a build that brings its name has that one', async ({ root, write }) => {
  write(BUILD_NAME, '0123456789ab');
  assert.equal(await readProgramAt(root), { root, version: '1.2.3', build: '0123456789ab' });
});

test('one that brings none, or an empty one, is named by its files', async ({ root, write }) => {
  const name = await computeBuildName(root);
  assert.match(name, /^[0-9a-f]{12}$/);
  assert.is((await readProgramAt(root)).build, name);
  write(BUILD_NAME, '');
  assert.is((await readProgramAt(root)).build, name);
  write('dist/runner/main.js', 'another');
  assert.is.not((await readProgramAt(root)).build, name);
});

test('from the sources there is one build', async ({ root }) => {
  rmSync(join(root, 'dist'), { recursive: true });
  assert.is((await readProgramAt(root)).build, 'source');
});

test.run();
