import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  measureFreeSpace,
  shareReadings,
} from '../../../../src/base/system/files/measureFreeSpace.ts';

const test = suite('free space of a disk');

test('a folder that does not exist yet has the space of the one above', async () => {
  assert.ok((await measureFreeSpace(join(tmpdir(), 'not', 'yet'))) > 0);
});

test('a reading that hangs is not begun again, however often it is asked for', async () => {
  const answers: ((bytes: number) => void)[] = [];
  const read = shareReadings(() => new Promise<number>((resolve) => answers.push(resolve)));
  const readings = [read('/work'), read('/work'), read('/work'), read('/home')];
  assert.is(answers.length, 2);
  for (const answer of answers) answer(7);
  assert.equal(await Promise.all(readings), [7, 7, 7, 7]);
  void read('/work');
  assert.is(answers.length, 3, 'it is read again once it has answered');
});

test('one that failed is begun again', async () => {
  let starts = 0;
  const read = shareReadings(async () => {
    starts += 1;
    throw new Error('EIO');
  });
  await read('/work').catch(() => {});
  await read('/work').catch(() => {});
  assert.is(starts, 2);
});

test.run();
