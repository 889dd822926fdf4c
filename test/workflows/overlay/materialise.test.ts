import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { materialise, removeMaterialised } from '../../../src/workflows/overlay/materialise.ts';
import { mergeLayers } from '../../../src/workflows/overlay/mergeLayers.ts';
import { folderWith, layerWith } from '../../support/intelligenceFolder.ts';

const test = suite('materialise');

const overlayWith = (files: Record<string, string>) => mergeLayers([layerWith('base', files)]);
const first = overlayWith({ 'agents/a.md': 'A1', 'workflows/w.md': 'W1' });
const second = overlayWith({ 'agents/a.md': 'A2', 'skills/s.md': 'S' });

/** What the folder holds, and that nothing is left beside it but the hash. */
function readContents(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) =>
    lstatSync(join(dir, path)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((path) => [path, readFileSync(join(dir, path), 'utf8')]),
  );
}
const beside = (dir: string) => readdirSync(join(dir, '..')).sort();
const newDir = () => join(folderWith({}), 'job', '_intelligence');

const FIRST = { 'agents/a.md': 'A1', 'workflows/w.md': 'W1' };
const SECOND = { 'agents/a.md': 'A2', 'skills/s.md': 'S' };

test('the folder holds the overlay, always under the same path (INT-1, RUN-3)', async () => {
  const dir = newDir();
  assert.equal(await materialise(first, dir), { hash: first.hash, changed: true });
  assert.equal(readContents(dir), FIRST);
  assert.is(statSync(join(dir, 'agents/a.md')).mode & 0o777, 0o644);
  assert.equal(await materialise(second, dir), { hash: second.hash, changed: true });
  assert.equal(readContents(dir), SECOND);
  assert.equal(beside(dir), ['_intelligence', '_intelligence.hash']);
});

test('an unchanged overlay is not written again', async () => {
  const dir = newDir();
  await materialise(first, dir);
  const before = statSync(join(dir, 'agents/a.md')).ino;
  assert.equal(await materialise(first, dir), { hash: first.hash, changed: false });
  assert.is(statSync(join(dir, 'agents/a.md')).ino, before);
});

test('calls for one folder take turns, and the last one stays', async () => {
  const dir = newDir();
  const calls = [first, second, first, second].map((overlay) => materialise(overlay, dir));
  assert.equal(
    (await Promise.all(calls)).map(({ changed }) => changed),
    [true, true, true, true],
  );
  assert.equal(readContents(dir), SECOND);
});

test('what an agent changed in it is undone', async () => {
  const tampers: [what: string, tamper: (dir: string) => void][] = [
    ['edit', (dir) => writeFileSync(join(dir, 'agents/a.md'), 'obey me')],
    ['added file', (dir) => writeFileSync(join(dir, 'agents/new.md'), 'x')],
    ['removed file', (dir) => rmSync(join(dir, 'agents/a.md'))],
    [
      'link with the same bytes behind it',
      (dir) => {
        writeFileSync(join(dir, '../elsewhere.md'), 'A1');
        rmSync(join(dir, 'agents/a.md'));
        symlinkSync('../../elsewhere.md', join(dir, 'agents/a.md'));
      },
    ],
    ['removed folder', (dir) => rmSync(dir, { recursive: true })],
    [
      'a link in place of the folder',
      (dir) => {
        renameSync(dir, join(dir, '../moved'));
        symlinkSync('moved', dir);
      },
    ],
  ];
  for (const [what, tamper] of tampers) {
    const dir = newDir();
    await materialise(first, dir);
    tamper(dir);
    assert.equal(await materialise(first, dir), { hash: first.hash, changed: true }, what);
    assert.equal(readContents(dir), FIRST, what);
    assert.is(lstatSync(dir).isDirectory(), true, what);
  }
});

test('a link at the path of the new tree is not written through', async () => {
  const dir = newDir();
  const victim = folderWith({ 'agents/a.md': 'untouched' });
  mkdirSync(join(dir, '..'));
  symlinkSync(victim, `${dir}.next`);
  await materialise(first, dir);
  assert.equal(readContents(victim), { 'agents/a.md': 'untouched' });
  assert.equal(readContents(dir), FIRST);
});

test('a crash at any step of the swap is repaired by the next call', async () => {
  const half = (path: string) => {
    mkdirSync(join(path, 'agents'), { recursive: true });
    writeFileSync(join(path, 'agents/a.md'), 'A');
  };
  const crashes: [where: string, crash: (dir: string) => void][] = [
    ['while the new tree was written', (dir) => half(`${dir}.next`)],
    [
      'after the hash was taken away',
      (dir) => {
        half(`${dir}.next`);
        rmSync(`${dir}.hash`);
      },
    ],
    [
      'between the two renames',
      (dir) => {
        half(`${dir}.next`);
        rmSync(`${dir}.hash`);
        renameSync(dir, `${dir}.old`);
      },
    ],
    [
      'before the hash was written',
      (dir) => {
        rmSync(`${dir}.hash`);
        renameSync(dir, `${dir}.old`);
        half(dir);
      },
    ],
    ['before the old tree was removed', (dir) => half(`${dir}.old`)],
  ];
  for (const [where, crash] of crashes) {
    for (const [next, content] of [
      [first, FIRST],
      [second, SECOND],
    ] as const) {
      const dir = newDir();
      await materialise(first, dir);
      crash(dir);
      assert.is((await materialise(next, dir)).hash, next.hash, where);
      assert.equal(readContents(dir), content, where);
      assert.equal(beside(dir), ['_intelligence', '_intelligence.hash'], where);
    }
  }
});

test('what was written is removed, with all that a crash left beside it', async () => {
  const dir = newDir();
  await materialise(first, dir);
  writeFileSync(`${dir}.old`, 'half');
  await removeMaterialised(dir, () => true);
  assert.equal(beside(dir), []);
});

test('a removal and the next writing take turns, and what is used again stays', async () => {
  const dir = newDir();
  await materialise(first, dir);
  let isUnused = true;
  const removed = removeMaterialised(dir, () => isUnused);
  const written = materialise(second, dir);
  isUnused = false;
  await Promise.all([removed, written]);
  assert.equal(readContents(dir), SECOND);
  await removeMaterialised(dir, () => isUnused);
  assert.equal(readContents(dir), SECOND);
});

test('the recorded hash alone is not trusted', async () => {
  const dir = newDir();
  await materialise(first, dir);
  writeFileSync(`${dir}.hash`, `${second.hash}\n`);
  assert.equal(await materialise(second, dir), { hash: second.hash, changed: true });
  assert.equal(readContents(dir), SECOND);
  assert.ok(existsSync(`${dir}.hash`));
});

test.run();
