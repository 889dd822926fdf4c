import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../../src/jobs/store/openStore.ts';

const test = suite('the first start on a disk that is full');

const dir = mkdtempSync(join(tmpdir(), 'svc-tiny-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300k', 'tmpfs', dir]).status === 0;
test.after(() => {
  if (mounted) spawnSync('umount', ['--lazy', dir]);
  rmSync(dir, { recursive: true, force: true });
});

test('the refusal names the file, and closing adds no other failure', () => {
  if (!mounted) return console.log('left out: a disk of 300 KB cannot be mounted here');
  const file = join(dir, 'state.db');
  assert.throws(
    () => openStore({ file, pid: process.pid, now: 0, release: '1.0.0' }),
    (error: Error) => error.message.startsWith(`Could not write ${file}: database or disk is full`),
  );
});

test.run();
