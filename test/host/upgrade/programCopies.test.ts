import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  KEPT_PROGRAMS,
  keepProgramCopy,
  prunePrograms,
} from '../../../src/host/upgrade/programCopies.ts';

const test = suite('the programs that a home keeps');

let dir: string;
let home: string;
test.before.each(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-kept-'));
  home = join(dir, 'home');
});
test.after.each(() => rmSync(dir, { recursive: true, force: true }));

const write = (file: string, text: string): void => {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
};

const here = `${process.platform}-${process.arch}`;

/** An installed package that needs a native one, which is beside it or within it. */
function installProgram(version: string, nested = false): string {
  const root = join(dir, 'prefix/node_modules/@svc/runner');
  const modules = nested ? join(root, 'node_modules') : join(dir, 'prefix/node_modules');
  const manifest = { name: '@svc/runner', version, dependencies: { native: '1.0.0' } };
  write(join(root, 'package.json'), JSON.stringify(manifest));
  write(join(root, 'dist/runner/main.js'), `// ${version}`);
  write(join(root, 'dist/cli/start.js'), '');
  write(join(modules, 'native/package.json'), JSON.stringify({ dependencies: { loader: '1' } }));
  write(join(modules, `native/prebuilds/${here}/native.node`), 'here');
  write(join(modules, 'native/prebuilds/other-cpu/native.node'), 'elsewhere');
  write(join(modules, 'loader/package.json'), '{}');
  return root;
}

const fails = (text: string): never => {
  throw new Error(text);
};

for (const nested of [false, true]) {
  test(`an installed program is copied with what it needs on this platform (${nested ? 'within it' : 'beside it'})`, async () => {
    const copy = await keepProgramCopy(home, installProgram('1.0.0', nested), fails);
    assert.match(basename(copy), /^1\.0\.0-\w{12}$/);
    assert.is(readFileSync(join(copy, 'dist/runner/main.js'), 'utf8'), '// 1.0.0');
    assert.ok(existsSync(join(copy, 'node_modules/native/prebuilds', here, 'native.node')));
    assert.not.ok(existsSync(join(copy, 'node_modules/native/prebuilds/other-cpu')));
    assert.ok(existsSync(join(copy, 'node_modules/loader/package.json')));
    assert.equal(readdirSync(join(home, 'programs')), [basename(copy)], 'no draft is left');
  });
}

test('the copy stays as it was when npm replaces the package, and another build gets its own', async () => {
  const copy = await keepProgramCopy(home, installProgram('1.0.0'), fails);
  const newer = await keepProgramCopy(home, installProgram('1.0.1'), fails);
  assert.is(readFileSync(join(copy, 'dist/runner/main.js'), 'utf8'), '// 1.0.0');
  assert.is.not(newer, copy);
});

test('a copy is made once', async () => {
  const root = installProgram('1.0.0');
  const copy = await keepProgramCopy(home, root, fails);
  writeFileSync(join(copy, 'mark'), '');
  assert.is(await keepProgramCopy(home, root, fails), copy);
  assert.ok(existsSync(join(copy, 'mark')));
});

test('a program that was not installed is run where it is', async () => {
  assert.is(await keepProgramCopy(home, '/src/svc', fails), '/src/svc');
  assert.not.ok(existsSync(join(home, 'programs')));
});

test('where no copy can be made, the program is run where it is, and that is said', async () => {
  const root = installProgram('1.0.0');
  write(home, 'a file in the place of the home');
  const messages: string[] = [];
  assert.is(await keepProgramCopy(home, root, (text) => messages.push(text)), root);
  assert.match(messages[0] ?? '', /^svc runs from .*, because no copy of it could be made: /);
});

test(`the ${KEPT_PROGRAMS} programs that ran last stay, and the one that runs`, async () => {
  const copies: string[] = [];
  for (let patch = 0; patch < 5; patch += 1) {
    const copy = await keepProgramCopy(home, installProgram(`1.0.${patch}`), fails);
    utimesSync(copy, patch, patch);
    copies.push(copy);
  }
  await prunePrograms(home, [copies[0] ?? '']);
  assert.equal(
    readdirSync(join(home, 'programs'))
      .map((name) => name.slice(0, 5))
      .sort(),
    ['1.0.0', '1.0.3', '1.0.4'],
  );
});

test.run();
