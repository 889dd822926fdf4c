import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ADVISORY_LOCKS } from '../../../src/cloud/database/advisoryLocks.ts';
import { projectFiles, read } from '../../../scripts/checks/projectFiles.ts';

const test = suite('cloud: advisory locks');

test('each has a number of its own', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  assert.is(new Set(numbers).size, numbers.length);
});

test('no other file of the control plane chooses a number', () => {
  const files = projectFiles().filter((file) => /^src\/cloud\/.*\.ts$/.test(file));
  assert.ok(files.length > 100);
  assert.equal(
    files.filter((file) => /737_?623_?0/.test(read(file))),
    ['src/cloud/database/advisoryLocks.ts'],
  );
});

test.run();
