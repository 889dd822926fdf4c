import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeCommits } from '../../src/git/mergeCommit.ts';
import { openRepository } from '../../src/git/repository.ts';
import { type FileContent, git, makeGitRepository } from '../support/gitRepository.ts';

const test = suite('scm merge of trees');

type Files = Record<string, FileContent>;
const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
const [TOP, END] = [LINES.replace('1', 'one'), LINES.replace('9', 'nine')];
const BOTH = LINES.replace('1', 'one').replace('9', 'nine');

/**
 * Merges what `theirs` changes in `base` into what `ours` changes; the files of the result, or the
 * conflicts.
 */
const merged = async (
  base: Files,
  ours: Files,
  theirs: Files,
): Promise<Record<string, string> | string[]> => {
  const repository = makeGitRepository({ bare: true, files: { 'keep/me.txt': 'x\n', ...base } });
  repository.commit(theirs, { branch: 'theirs' });
  repository.commit(ours);
  const [one, other] = [repository.head(), repository.head('theirs')];
  const opened = openRepository(repository.path);
  const dry = await mergeCommits(opened, one, other, null);
  const outcome = await mergeCommits(opened, one, other, {
    message: 'Merge',
    author: 'ada',
    at: 0,
  });
  assert.is('conflicts' in dry, 'conflicts' in outcome, 'looking and doing agree');
  if ('conflicts' in outcome) {
    repository.remove();
    return outcome.conflicts;
  }
  const commit = outcome.commit ?? '';
  repository.git('fsck', '--strict', '--no-dangling');
  const lines = repository
    .git('ls-tree', '-r', commit)
    .split('\n')
    .filter((line) => line !== '');
  const files = lines.map((line) => {
    const [, mode = '', oid = '', path = ''] = line.match(/^(\d+) \w+ (\w+)\t(.+)$/) ?? [];
    return [path, `${mode} ${git(repository.path, ['cat-file', 'blob', oid])}`] as const;
  });
  repository.remove();
  return Object.fromEntries(files.filter(([path]) => path !== 'keep/me.txt'));
};

const text = (body: string): string => `100644 ${body.trimEnd()}`;

test('what only one side changed is taken, whatever it is', async () => {
  assert.equal(await merged({ a: 'a', b: 'b', d: 'd' }, { a: 'A' }, { b: 'B', c: 'c', d: null }), {
    a: text('A'),
    b: text('B'),
    c: text('c'),
  });
  assert.equal(await merged({ a: 'a' }, { b: 'b' }, { a: { link: 'b' } }), {
    a: '120000 b',
    b: text('b'),
  });
  assert.equal(await merged({ a: 'a' }, { b: 'b' }, { a: { executable: 'a' } }), {
    a: '100755 a',
    b: text('b'),
  });
  assert.equal(await merged({ 'd/a': 'a', 'd/b': 'b' }, { 'd/a': 'A' }, { 'd/b': null }), {
    'd/a': text('A'),
  });
  assert.equal(
    await merged({ 'd/a': 'a', 'd/b': 'b' }, { 'd/a': null, 'd/b': null }, { 'd/b': null }),
    {},
  );
});

test('what both sides changed alike is taken once', async () => {
  assert.equal(
    await merged({ a: 'a', b: 'b' }, { a: 'A', b: null, c: 'c' }, { a: 'A', b: null, c: 'c' }),
    {
      a: text('A'),
      c: text('c'),
    },
  );
});

test('different lines of one file are merged, and a change of mode comes along', async () => {
  assert.equal(await merged({ f: LINES }, { f: TOP }, { f: END }), { f: text(BOTH) });
  assert.equal(
    await merged({ 'd/e/f': LINES }, { 'd/e/f': TOP }, { 'd/e/f': { executable: END } }),
    {
      'd/e/f': `100755 ${BOTH.trimEnd()}`,
    },
  );
  assert.equal(await merged({ f: LINES }, { f: TOP }, { f: { executable: LINES } }), {
    f: `100755 ${TOP.trimEnd()}`,
  });
});

test('bytes that are no UTF-8 text survive', async () => {
  const repository = makeGitRepository({ bare: true });
  // Latin-1: \xe9 alone is no UTF-8.
  const commit = (body: Buffer, parents: string[]) => {
    const blob = git(repository.path, ['hash-object', '-w', '--stdin'], { input: body });
    const tree = git(repository.path, ['mktree'], { input: `100644 blob ${blob}\tf\n` });
    return repository.git(
      'commit-tree',
      tree,
      ...parents.flatMap((parent) => ['-p', parent]),
      '-m',
      'x',
    );
  };
  const latin = (lines: string) => Buffer.from(`${lines}caf\xe9\n`, 'latin1');
  const base = commit(latin(LINES), []);
  const outcome = await mergeCommits(
    openRepository(repository.path),
    commit(latin(TOP), [base]),
    commit(latin(END), [base]),
    {
      message: 'x',
      author: 'a',
      at: 0,
    },
  );
  const merge = 'commit' in outcome ? (outcome.commit ?? '') : '';
  assert.is(
    repository.git('rev-parse', `${merge}:f`),
    git(repository.path, ['hash-object', '--stdin'], { input: latin(BOTH) }),
  );
  repository.remove();
});

test('changes that do not go together are conflicts, by path', async () => {
  const cases: [base: Files, ours: Files, theirs: Files, conflicts: string[]][] = [
    [{ f: 'x\n' }, { f: 'a\n' }, { f: 'b\n' }, ['f']],
    [{ f: 'x\n' }, { f: 'a\n' }, { f: null }, ['f']],
    [{ f: 'x\n' }, { f: null }, { f: 'a\n' }, ['f']],
    [{}, { f: 'a\n' }, { f: 'b\n' }, ['f']],
    [{}, { f: 'a\n' }, { 'f/g': 'b\n' }, ['f']],
    [{ f: 'x\n' }, { f: 'y\n' }, { f: null, 'f/g': 'b\n' }, ['f']],
    [{ 'd/a': 'a', 'd/b': 'b' }, { 'd/a': null, 'd/b': null }, { 'd/a': 'A' }, ['d/a']],
    [{ f: LINES }, { f: TOP }, { f: { link: 'elsewhere' } }, ['f']],
    [{ f: { link: 'x' } }, { f: { link: 'a' } }, { f: { link: 'b' } }, ['f']],
    [{ f: `\0${LINES}` }, { f: `\0${TOP}` }, { f: `\0${END}` }, ['f']],
    [
      { a: 'x\n', 'd/b': 'x\n', ok: LINES },
      { a: 'o\n', 'd/b': 'o\n', ok: TOP },
      { a: 't\n', 'd/b': 't\n', ok: END },
      ['a', 'd/b'],
    ],
  ];
  for (const [base, ours, theirs, conflicts] of cases) {
    assert.equal(await merged(base, ours, theirs), conflicts, JSON.stringify([base, ours, theirs]));
  }
});

test('a folder that replaces a file is no conflict when the other side deleted or kept the file', async () => {
  assert.equal(await merged({ f: 'x' }, { f: null, 'f/g': 'g' }, { f: null, h: 'h' }), {
    'f/g': text('g'),
    h: text('h'),
  });
  assert.equal(await merged({ f: 'x' }, { f: null, 'f/g': 'g' }, { h: 'h' }), {
    'f/g': text('g'),
    h: text('h'),
  });
});

test('criss-cross merges and unrelated histories are conflicts, not guesses', async () => {
  const repository = makeGitRepository({ bare: true });
  const start = repository.head();
  const a = repository.commit({ a: 'a' });
  const side = repository.git('commit-tree', `${start}^{tree}`, '-p', start, '-m', 'Side');
  const opened = openRepository(repository.path);
  const join = (one: string, other: string) =>
    repository.git('commit-tree', `${one}^{tree}`, '-p', one, '-p', other, '-m', 'Join');
  assert.equal(await mergeCommits(opened, join(a, side), join(side, a), null), {
    conflicts: ['(the branches have a criss-cross merge)'],
  });
  const unrelated = repository.git('commit-tree', 'main^{tree}', '-m', 'Unrelated');
  assert.equal(await mergeCommits(opened, a, unrelated, null), {
    conflicts: ['(the branches have no common commit)'],
  });
  repository.remove();
});

test.run();
