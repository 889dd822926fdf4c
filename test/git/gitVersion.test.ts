import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isSafeGit } from '../../src/git/gitVersion.ts';

const test = suite('git version');

const TABLE: [said: string, isSafe: boolean | null][] = [
  ['git version 2.31.0', false],
  ['git version 2.39.3', false],
  ['git version 2.39.4', true],
  ['git version 2.39.5 (Apple Git-154)', true],
  ['git version 2.40.1', false],
  ['git version 2.40.2', true],
  ['git version 2.41.0', false],
  ['git version 2.41.1', true],
  ['git version 2.42.1', false],
  ['git version 2.42.2', true],
  ['git version 2.43.3', false],
  ['git version 2.43.4', true],
  ['git version 2.44.0.windows.1', false],
  ['git version 2.44.1', true],
  ['git version 2.45.0', false],
  ['git version 2.45', false],
  ['git version 2.45.1', true],
  ['git version 2.46.0', true],
  ['git version 2.50.1.vfs.0.0', true],
  ['git version 3.0', true],
  ['git version 1.9.5', false],
  ['hello', null],
];

test('a git that may run programs of a repository that it fetches from is not taken', () => {
  for (const [version, isSafe] of TABLE) assert.is(isSafeGit(version), isSafe, version);
});

test.run();
