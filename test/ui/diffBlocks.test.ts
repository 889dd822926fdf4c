import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDiffInSteps } from '../../ui/jobs/changes/diff/readDiffInSteps.ts';
import type { DiffFile } from '../../ui/jobs/changes/diff/diffFile.ts';
import {
  listDiffBlocks,
  cutFile,
  guessBlockHeight,
} from '../../ui/jobs/changes/files/diffBlocks.ts';

const test = suite('dashboard: the blocks of a diff');

/** A file of which `lines` lines were changed. */
function createDiffFile(lines: number): DiffFile {
  const each = (sign: string) =>
    Array.from({ length: lines }, (_, n) => `${sign}const value${n} = read(${n});`).join('\n');
  const text = `diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,${lines} +1,${lines} @@\n${each('-')}\n${each('+')}\n`;
  const reading = readDiffInSteps(text);
  for (;;) {
    const { done, value } = reading.next();
    if (!done) continue;
    const [file] = value.files;
    if (!file) throw new Error('the diff has no file');
    return file;
  }
}

test('the height of a slab is guessed once for a width, however often another one was measured', () => {
  const [, block] = listDiffBlocks([createDiffFile(100)], () => true, false);
  if (block?.kind !== 'slab') throw new Error('the file has no slab');
  const { rows } = block.slab;
  let reads = 0;
  Object.defineProperty(block.slab, 'rows', {
    get() {
      reads += 1;
      return rows;
    },
  });
  const height = guessBlockHeight(block, 100);
  assert.is(height, rows.length * 20);
  assert.is(guessBlockHeight(block, 100), height);
  assert.is(reads, 1);
  assert.ok(guessBlockHeight(block, 20) > height, 'lines are broken in a narrow window');
  assert.is(reads, 2);
});

test('what a line was before is known for the lines of a file that is drawn', () => {
  const file = createDiffFile(2);
  const [, removed, , added] = file.lines;
  assert.ok(removed && added);
  assert.is(cutFile(file, false).pairs.get(added), removed);
});

test.run();
