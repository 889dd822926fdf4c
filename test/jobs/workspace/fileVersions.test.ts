import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  FileVersions,
  MAX_FILE_VERSIONS,
  MAX_VERSIONS_CHARS,
} from '../../../src/jobs/workspace/editing/fileVersions.ts';
import { rowsInMemory } from '../../support/rowsInMemory.ts';

const test = suite('versions of files');

const PATH = 'workflows/job.md';
const ANA = { author: 'ana', by: 'login' } as const;
const openVersions = () => new FileVersions({ ...rowsInMemory(), now: () => 1_000 });
const change = (before: string | null, after: string | null) => [{ path: PATH, before, after }];

test('who has changed a file is kept, newest first (INT-7)', async () => {
  const versions = openVersions();
  await versions.keep(change(null, 'one'), ANA);
  await versions.keep(change('one', 'three'), { author: 'ben', by: 'token', proposal: 'p1' });
  assert.equal(
    versions
      .history(PATH)
      .map(({ n, author, by, proposal, change: what, chars }) => [
        n,
        author,
        by,
        proposal,
        what,
        chars,
      ]),
    [
      [2, 'ben', 'token', 'p1', 'changed', 5],
      [1, 'ana', 'login', null, 'created', 3],
    ],
  );
});

test('an older text can be read', async () => {
  const versions = openVersions();
  await versions.keep(change(null, 'one'), ANA);
  await versions.keep(change('one', null), ANA);
  assert.equal(versions.version(PATH, 1), { path: PATH, n: 1, text: 'one' });
  assert.equal(versions.version(PATH, 2).text, null);
});

test('what was changed on disk meanwhile is not lost', async () => {
  const versions = openVersions();
  await versions.keep(change(null, 'one'), ANA);
  await versions.keep(change('by hand', 'two'), ANA);
  assert.equal(
    versions.history(PATH).map(({ author, by }) => [author, by]),
    [
      ['ana', 'login'],
      ['on disk', null],
      ['ana', 'login'],
    ],
  );
});

test('the same change again, as after a crash, is kept once', async () => {
  const versions = openVersions();
  await versions.keep(change(null, 'one'), ANA);
  await versions.keep(change(null, 'one'), ANA);
  assert.is(versions.history(PATH).length, 1);
});

test('the oldest go', async () => {
  const versions = openVersions();
  for (let n = 0; n < MAX_FILE_VERSIONS + 5; n++)
    await versions.keep(change(n === 0 ? null : `${n - 1}`, `${n}`), ANA);
  const history = versions.history(PATH);
  assert.equal([history.length, history[0]?.n, history.at(-1)?.n], [MAX_FILE_VERSIONS, 55, 6]);
});

test('the oldest go where the texts together are too long', async () => {
  const versions = openVersions();
  const quarter = (letter: string) => letter.repeat(MAX_VERSIONS_CHARS / 4);
  const texts = ['a', 'b', 'c', 'd', 'e'].map(quarter);
  for (const [at, text] of texts.entries())
    await versions.keep(change(texts[at - 1] ?? null, text), ANA);
  assert.equal(
    versions.history(PATH).map(({ n }) => n),
    [5, 4, 3, 2],
  );
});

test('a version that is not kept is said to be', () => {
  assert.throws(
    () => openVersions().version(PATH, 7),
    /No version 7 of workflows\/job\.md is kept/,
  );
});

test.run();
