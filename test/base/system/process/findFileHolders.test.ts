import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  describeHolders,
  findFileHolders,
} from '../../../../src/base/system/process/findFileHolders.ts';

const test = suite('who has a file open');

/** A /proc of two processes, of which one has the file; a third has ended. */
function stage() {
  const dir = mkdtempSync(join(tmpdir(), 'svc-holders-'));
  const file = join(dir, 'state.db');
  writeFileSync(file, '');
  writeFileSync(join(dir, 'other'), '');
  const proc = join(dir, 'proc');
  for (const [pid, program, open] of [
    [7, 'sqlite3\n', file],
    [8, 'node\n', join(dir, 'other')],
  ] as const) {
    mkdirSync(join(proc, `${pid}`, 'fd'), { recursive: true });
    writeFileSync(join(proc, `${pid}`, 'comm'), program);
    symlinkSync(open, join(proc, `${pid}`, 'fd', '3'));
  }
  mkdirSync(join(proc, '9'));
  return { dir, file, proc };
}

test('processes with an open descriptor are found, with the name of their program', () => {
  const { dir, file, proc } = stage();
  assert.equal(findFileHolders(file, proc), [{ pid: 7, program: 'sqlite3' }]);
  assert.equal(findFileHolders(join(dir, 'missing'), proc), []);
  assert.equal(findFileHolders(file, join(dir, 'no-proc')), []);
  rmSync(dir, { recursive: true });
});

test('they are named in a sentence, and no one is named where none is known', () => {
  const holder = { pid: 7, program: 'sqlite3' };
  assert.is(describeHolders([holder]), 'process 7 (sqlite3)');
  assert.is(describeHolders([holder, { pid: 8, program: '' }]), 'processes 7 (sqlite3) and 8');
  assert.is(describeHolders([]), null);
});

test.run();
