import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findLowDisk, describeLowDisk } from '../../../src/base/limits/findLowDisk.ts';

const test = suite('when a disk is low');

const MB = 1024 * 1024;
const free = (...mb: number[]) => mb.map((one, n) => ({ folder: `/disk${n}`, bytes: one * MB }));

test('a disk is low below the limit, and no longer from a quarter above it on', () => {
  const isLow = (mb: number, wasLow: boolean) => findLowDisk(free(mb), 1024, wasLow) !== null;
  assert.equal(
    [1023, 1024, 5000].map((mb) => isLow(mb, false)),
    [true, false, false],
  );
  assert.equal(
    [1024, 1279, 1280].map((mb) => isLow(mb, true)),
    [true, true, false],
  );
});

test('of several disks the fullest is named; the same disk twice is named by its first folder', () => {
  assert.is(findLowDisk(free(900, 300, 5000), 1024, false)?.folder, '/disk1');
  assert.is(findLowDisk(free(300, 300), 1024, false)?.folder, '/disk0');
});

test('it is urgent below a tenth of the limit', () => {
  assert.equal(
    [102, 103].map((mb) => findLowDisk(free(mb), 1024, false)?.urgent),
    [true, false],
  );
});

test('a limit of 0 is off, even for a full disk', () => {
  assert.is(findLowDisk(free(0), 0, true), null);
});

test('the text says which disk, how much it has, and from where on jobs continue', () => {
  const low = findLowDisk([{ folder: '/var/svc', bytes: 300.7 * MB }], 1024, false);
  assert.is(
    low && describeLowDisk(low),
    'the disk of /var/svc has 300 MB free; sessions start by themselves once it has 1,280 MB (runner.minFreeDiskMb is 1024)',
  );
});

test.run();
