import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CachedModules } from '../../cli/local/loading/cachedModules.ts';
import { CodeCache } from '../../cli/local/loading/codeCache.ts';
import { type CompiledFile, writeCodeCache } from '../../cli/local/loading/writeCodeCache.ts';
import { linkAsCommonJs } from '../../scripts/commonJs/link.ts';

const test = suite<{ root: string; kept: string }>('cli: the code of a start that is kept');

// Within a process V8 knows a text that it has compiled, and would not check the code that it is given.
setFlagsFromString('--no-compilation-cache');

test.before.each((context) => {
  context.root = mkdtempSync(join(tmpdir(), 'svc-code-'));
  context.kept = join(context.root, 'cache', 'start.code');
  const write = (name: string, text: string) => writeFileSync(join(context.root, name), text);
  write('package.json', '{}');
  write('main.js', "const { two } = require('./two.js');\nexports.four = () => two() + two();\n");
  write('two.js', 'exports.two = () => 2;\n');
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

/** Loads `main.js` as a new process does, calls it, and keeps what was compiled. */
function run({ root, kept }: { root: string; kept: string }): unknown {
  const modules = new CachedModules(root, kept);
  const { four } = Object(modules.load(join(root, 'main.js')));
  const result = four();
  modules.keep();
  return result;
}

/** All of a file of code. */
function readCodeCache(file: string): Map<string, CompiledFile> {
  const cache = new CodeCache(file);
  const files = new Map<string, CompiledFile>();
  for (const name of cache.names()) {
    const one = cache.read(name);
    if (one) files.set(name, { ...one, code: Buffer.from(one.code) });
  }
  cache.close();
  return files;
}

const versionIn = (file: string): number | undefined =>
  readCodeCache(file).get('two.js')?.code.readUInt32LE(4);

test('what was loaded is kept, of files that others load too', (context) => {
  run(context);
  assert.equal([...readCodeCache(context.kept).keys()].sort(), ['main.js', 'two.js']);
});

test('a run with kept code does the same and keeps nothing again', (context) => {
  run(context);
  const { ino } = statSync(context.kept);
  assert.is(run(context), 4);
  assert.is(statSync(context.kept).ino, ino);
});

test('a run with kept code can import what is outside of the program', async ({ root, kept }) => {
  const source = 'var late = (id) => import(id);\nexport {\n  late\n};\n';
  const built = linkAsCommonJs(new Map([['late.js', source]]));
  writeFileSync(join(root, 'late.js'), built.get('late.js') ?? '');
  writeFileSync(join(root, 'outside.mjs'), 'export const five = 5;\n');
  const outside = pathToFileURL(join(root, 'outside.mjs')).href;
  for (const time of ['first', 'second']) {
    const modules = new CachedModules(root, kept);
    const { late } = Object(modules.load(join(root, 'late.js')));
    assert.is((await late(outside)).five, 5, time);
    modules.keep();
  }
});

test('a file that has changed is compiled, also where its length is the same', (context) => {
  run(context);
  writeFileSync(join(context.root, 'two.js'), 'exports.two = () => 3;\n');
  assert.is(run(context), 6);
});

/** As if every file of the program had been written long before it was loaded. */
function settle({ root, kept }: { root: string; kept: string }): void {
  const compiled = readCodeCache(kept);
  for (const [name, one] of compiled) {
    const { ino, size, mtimeMs, ctimeMs } = statSync(join(root, name));
    one.version = `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  }
  writeCodeCache(kept, compiled);
}

/** A run at a time when the files have long been written. */
function runLater(context: { root: string; kept: string }): unknown {
  const { now } = Date;
  Date.now = () => now() + 60_000;
  try {
    return run(context);
  } finally {
    Date.now = now;
  }
}

test('the text of a file that has not changed is not read', (context) => {
  run(context);
  settle(context);
  const compiled = readCodeCache(context.kept);
  for (const one of compiled.values()) one.source ^= 1;
  writeCodeCache(context.kept, compiled);
  const { ino } = statSync(context.kept);
  assert.is(runLater(context), 4);
  assert.is(statSync(context.kept).ino, ino);
});

test('a file that was written again is read again', (context) => {
  run(context);
  settle(context);
  writeFileSync(join(context.root, 'two.js'), 'exports.two = () => 3;\n');
  assert.is(runLater(context), 6);
});

test('a file that was written just now is not relied on by its state', (context) => {
  run(context);
  assert.is(readCodeCache(context.kept).get('two.js')?.version, null);
  assert.is(runLater(context), 4);
  assert.match(readCodeCache(context.kept).get('two.js')?.version ?? '', /^\d+ 23 /);
});

test('a text of more than ASCII comes back as it was', ({ kept }) => {
  const text = "exports.text = () => '’µ👍';\n";
  const compiled = { source: 1, version: '1 2', text, code: Buffer.from('code') };
  const plain = { source: 2, version: null, text: 'plain', code: Buffer.from('more') };
  writeCodeCache(
    kept,
    new Map<string, CompiledFile>([
      ['a.js', compiled],
      ['b.js', plain],
    ]),
  );
  assert.equal(
    [...readCodeCache(kept)],
    [
      ['a.js', compiled],
      ['b.js', plain],
    ],
  );
});

test('long texts come back as they were', ({ kept }) => {
  const one = (letter: string, length: number): [string, CompiledFile] => [
    letter,
    { source: length, version: null, text: letter.repeat(length), code: Buffer.from(letter) },
  ];
  const compiled = [one('a', 700_000), one('b', 600_000), one('c', 1_200_000), one('d', 5)];
  writeCodeCache(kept, new Map(compiled));
  assert.equal([...readCodeCache(kept)], compiled);
});

function damage(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(file, bytes);
}

test('a damaged list of what is kept is not used', (context) => {
  run(context);
  damage(context.kept, 40);
  assert.is(readCodeCache(context.kept).size, 0);
  assert.is(run(context), 4);
  assert.is(readCodeCache(context.kept).size, 2);
});

test('damaged code is not used, and made again', (context) => {
  run(context);
  damage(context.kept, statSync(context.kept).size - 20);
  assert.equal([...readCodeCache(context.kept).keys()], ['main.js']);
  assert.is(run(context), 4);
  assert.is(readCodeCache(context.kept).size, 2);
});

test('damaged texts are not used', (context) => {
  run(context);
  damage(context.kept, readFileSync(context.kept).indexOf('two() + two()'));
  assert.is(readCodeCache(context.kept).size, 0);
  assert.is(run(context), 4);
});

test('a file of code that was cut is not used', (context) => {
  run(context);
  writeFileSync(context.kept, readFileSync(context.kept).subarray(0, 40));
  assert.is(run(context), 4);
});

test('code that another version of V8 made is made again', (context) => {
  run(context);
  const ours = versionIn(context.kept);
  const compiled = readCodeCache(context.kept);
  // Its second word is the version that V8 compares.
  for (const { code } of compiled.values()) code.writeUInt32LE(code.readUInt32LE(4) ^ 1, 4);
  writeCodeCache(context.kept, compiled);
  assert.is.not(versionIn(context.kept), ours);
  assert.is(run(context), 4);
  assert.is(versionIn(context.kept), ours);
});

test('the code is readable for its user alone', (context) => {
  run(context);
  assert.is(statSync(context.kept).mode & 0o777, 0o600);
});

test('where it cannot be kept, the program runs', (context) => {
  writeFileSync(join(context.root, 'cache'), 'a file');
  assert.is(run(context), 4);
  assert.not(existsSync(context.kept));
});

test('a module that throws is loaded again', (context) => {
  const modules = new CachedModules(context.root, context.kept);
  const file = join(context.root, 'failing.js');
  writeFileSync(file, "throw new Error('not yet');\n");
  assert.throws(() => modules.load(file), 'not yet');
  writeFileSync(file, 'exports.now = true;\n');
  assert.equal(modules.load(file), { now: true });
});

test('an error names the file and its line and column', (context) => {
  const modules = new CachedModules(context.root, context.kept);
  const file = join(context.root, 'failing.js');
  writeFileSync(file, "throw new Error('here');\n");
  try {
    modules.load(file);
    assert.unreachable();
  } catch (error) {
    assert.match(error instanceof Error ? (error.stack ?? '') : '', `${file}:1:7`);
  }
});

test('the same file is loaded once', ({ root, kept }) => {
  const modules = new CachedModules(root, kept);
  const file = join(root, 'two.js');
  assert.is(modules.load(file), modules.load(file));
});

test.run();
