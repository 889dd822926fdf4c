import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite("the kernel's tests with a home's log that acknowledges late");

/** Not those that wait for a commit by hand, count the groups, or claim twice. */
const FILES = ['effects', 'mail', 'questions', 'recoverEffects', 'restore', 'stripRefusedRows'];

for (const file of FILES)
  test(`${file} passes where each commit is acknowledged after 20 ms`, () => {
    const path = join(import.meta.dirname, `${file}.test.ts`);
    const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', path], {
      encoding: 'utf8',
      env: { ...process.env, SVC_LOG_DELAY: '20' },
    });
    assert.match(stdout, /Passed: +[1-9]/);
    assert.is(status, 0, stdout);
  });

test.run();
