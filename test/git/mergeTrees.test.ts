import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeCommits } from '../../src/git/mergeCommits.ts';
import { openRepository } from '../../src/git/openRepository.ts';
import { type FileContent, git, makeGitRepository } from '../support/gitRepository.ts';
import { LooseObjects } from '../support/looseObjects.ts';

const test = suite('scm merge of trees');

type Files = Record<string, FileContent>;
const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
const [TOP, END] = [LINES.replace('1', 'one'), LINES.replace('9', 'nine')];
const BOTH = LINES.replace('1', 'one').replace('9', 'nine');

/**
 * Merges what `theirs` changes in `base` into what `ours` changes; the files of the result, or the
 * conflicts.
 */
const mergeFiles = async (
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
  assert.equal(
    await mergeFiles({ a: 'a', b: 'b', d: 'd' }, { a: 'A' }, { b: 'B', c: 'c', d: null }),
    {
      a: text('A'),
      b: text('B'),
      c: text('c'),
    },
  );
  assert.equal(await mergeFiles({ a: 'a' }, { b: 'b' }, { a: { link: 'b' } }), {
    a: '120000 b',
    b: text('b'),
  });
  assert.equal(await mergeFiles({ a: 'a' }, { b: 'b' }, { a: { executable: 'a' } }), {
    a: '100755 a',
    b: text('b'),
  });
  assert.equal(await mergeFiles({ 'd/a': 'a', 'd/b': 'b' }, { 'd/a': 'A' }, { 'd/b': null }), {
    'd/a': text('A'),
  });
  assert.equal(
    await mergeFiles({ 'd/a': 'a', 'd/b': 'b' }, { 'd/a': null, 'd/b': null }, { 'd/b': null }),
    {},
  );
});

test('what both sides changed alike is taken once', async () => {
  assert.equal(
    await mergeFiles({ a: 'a', b: 'b' }, { a: 'A', b: null, c: 'c' }, { a: 'A', b: null, c: 'c' }),
    {
      a: text('A'),
      c: text('c'),
    },
  );
});

test('different lines of one file are merged, and a change of mode comes along', async () => {
  assert.equal(await mergeFiles({ f: LINES }, { f: TOP }, { f: END }), { f: text(BOTH) });
  assert.equal(
    await mergeFiles({ 'd/e/f': LINES }, { 'd/e/f': TOP }, { 'd/e/f': { executable: END } }),
    {
      'd/e/f': `100755 ${BOTH.trimEnd()}`,
    },
  );
  assert.equal(await mergeFiles({ f: LINES }, { f: TOP }, { f: { executable: LINES } }), {
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
    assert.equal(
      await mergeFiles(base, ours, theirs),
      conflicts,
      JSON.stringify([base, ours, theirs]),
    );
  }
});

test('a folder that replaces a file is no conflict when the other side deleted or kept the file', async () => {
  assert.equal(await mergeFiles({ f: 'x' }, { f: null, 'f/g': 'g' }, { f: null, h: 'h' }), {
    'f/g': text('g'),
    h: text('h'),
  });
  assert.equal(await mergeFiles({ f: 'x' }, { f: null, 'f/g': 'g' }, { h: 'h' }), {
    'f/g': text('g'),
    h: text('h'),
  });
});

test('criss-cross merges are merged as git does; unrelated histories are refused', async () => {
  const repository = makeGitRepository({ bare: true });
  const start = repository.head();
  const a = repository.commit({ a: 'a' });
  repository.git('update-ref', 'refs/heads/side', start);
  const side = repository.commit({ b: 'b' }, { branch: 'side' });
  const opened = openRepository(repository.path);
  const join = (tree: string, one: string, other: string) =>
    repository.git('commit-tree', tree, '-p', one, '-p', other, '-m', 'Join');
  const both = repository.git('merge-tree', '--write-tree', a, side);
  const one = join(both, a, side);
  const other = join(both, side, a);
  repository.git('update-ref', 'refs/heads/one', one);
  repository.git('update-ref', 'refs/heads/other', other);
  const mine = repository.commit({ c: 'c' }, { branch: 'one' });
  const theirs = repository.commit({ a: 'A' }, { branch: 'other' });
  assert.is(repository.git('merge-base', '--all', mine, theirs).split('\n').length, 2);
  const outcome = await mergeCommits(opened, mine, theirs, { message: 'M', author: 'ada', at: 0 });
  const commit = 'commit' in outcome ? (outcome.commit ?? '') : '';
  assert.is(repository.git('ls-tree', '--name-only', commit), 'README.md\na\nb\nc');
  assert.is(repository.show('a', commit), 'A');
  const clash = repository.commit({ c: 'other c' }, { branch: 'other' });
  const clashed = await mergeCommits(opened, mine, clash, null);
  assert.equal('conflicts' in clashed && clashed.conflicts, ['c']);
  const unrelated = repository.git('commit-tree', 'main^{tree}', '-m', 'Unrelated');
  const refused = await mergeCommits(opened, a, unrelated, null);
  assert.equal('conflicts' in refused && refused.conflicts, [
    '(the branches have no common commit)',
  ]);
  repository.remove();
});

test('a renamed folder and an edit in it are merged', async () => {
  const [before, after] = [LINES, BOTH];
  assert.equal(
    await mergeFiles(
      { 'src/util.txt': before, 'src/other.txt': 'o\n' },
      { 'src/util.txt': after },
      {
        'src/util.txt': null,
        'src/other.txt': null,
        'lib/util.txt': before,
        'lib/other.txt': 'o\n',
      },
    ),
    { 'lib/other.txt': text('o'), 'lib/util.txt': text(after) },
  );
});

test('a program that attributes and configuration name is not run by a merge', async () => {
  const repository = makeGitRepository({
    bare: true,
    files: { '.gitattributes': '* merge=evil filter=evil diff=evil\n', f: LINES },
  });
  const trace = join(repository.path, 'ran');
  const settings = [
    'merge.evil.driver',
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'diff.evil.textconv',
    'diff.evil.command',
    'diff.external',
    'core.fsmonitor',
    'gpg.program',
    'core.editor',
    'core.pager',
  ];
  for (const name of settings) repository.git('config', name, `touch ${trace}; cat`);
  for (const [name, value] of [
    ['merge.default', 'evil'],
    ['merge.renormalize', 'true'],
    ['merge.renames', 'false'],
    ['merge.directoryRenames', 'true'],
    ['commit.gpgSign', 'true'],
    ['log.showSignature', 'true'],
  ] as const)
    repository.git('config', name, value);
  mkdirSync(join(repository.path, 'hooks'), { recursive: true });
  for (const hook of [
    'reference-transaction',
    'post-merge',
    'pre-merge-commit',
    'post-index-change',
  ])
    writeFileSync(join(repository.path, 'hooks', hook), `#!/bin/sh\ntouch ${trace}\n`, {
      mode: 0o755,
    });
  writeFileSync(join(repository.path, 'info', 'attributes'), '* merge=evil\n');
  repository.commit({ f: TOP }, { branch: 'theirs' });
  repository.commit({ f: END });
  rmSync(trace, { force: true });
  const opened = openRepository(repository.path);
  const outcome = await mergeCommits(opened, repository.head(), repository.head('theirs'), {
    message: 'M',
    author: 'ada',
    at: 0,
  });
  assert.is(
    repository.show('f', 'commit' in outcome ? (outcome.commit ?? '') : ''),
    BOTH.trimEnd(),
  );
  assert.equal(existsSync(trace), false);
  repository.remove();
});

test('files that attributes exclude from merges are conflicts; union and drivers have no effect', async () => {
  const both: [attribute: string, expected: Record<string, string> | string[]][] = [
    ['f -merge', ['f']],
    ['f merge=binary', ['f']],
    ['f binary', ['f']],
    ['f merge=union', { '.gitattributes': text('f merge=union'), f: text(BOTH) }],
    ['f merge=ours', { '.gitattributes': text('f merge=ours'), f: text(BOTH) }],
  ];
  for (const [attribute, expected] of both) {
    const base = { '.gitattributes': `${attribute}\n`, f: LINES };
    assert.equal(await mergeFiles(base, { f: TOP }, { f: END }), expected, attribute);
  }
  const base = { '.gitattributes': 'f merge=union\n', f: 'x\n' };
  assert.equal(await mergeFiles(base, { f: 'a\n' }, { f: 'b\n' }), ['f']);
});

test('names in any bytes pass through, also beside what both sides changed; folders that git writes get its modes', async () => {
  const repository = makeGitRepository({ bare: true });
  const objects = new LooseObjects(repository.path);
  const file = (body: string, mode = '100644') => ({ mode, oid: objects.blob(body) });
  const odd: [name: string, entry: { mode: string; oid: string }][] = [
    ['caf\xe9.txt', file('x')],
    ['caf\xe8.txt', file('y')],
    ['\xff\xfe', file('x')],
    ['new\nline', file('x')],
    ['tab\t', file('x')],
    ['"quoted"', file('x')],
    ['back\\slash', file('x')],
    ['--help', file('x')],
    ['-', file('x')],
    ['old', file('x', '100664')],
    ['odd', file('x', '100600')],
    ['link', { mode: '120000', oid: objects.blob('nowhere') }],
    ['module', { mode: '160000', oid: '1'.repeat(40) }],
    ['empty', { mode: '40000', oid: objects.tree(new Map()) }],
    ['git~1', file('x')],
    ['.GIT', file('x')],
  ];
  const current = odd.map(([name, { mode, oid }]): (typeof odd)[number] => [
    name,
    { mode: mode.startsWith('100') ? '100644' : mode, oid },
  ]);
  const untouched = odd.map(([name, entry]) => [`untouched/${name}`, entry] as const);
  const tree = (f: string, more: typeof odd, entries = odd) => {
    const names = ['', 'd/', 'caf\xe9/'].flatMap((folder) =>
      entries.map(([name, entry]) => [`${folder}${name}`, entry] as const),
    );
    const files = ['f', 'd/f', 'caf\xe9/f'].map((name) => [name, file(f)] as const);
    return objects.tree(new Map([...untouched, ...names, ...files, ...more]));
  };
  const base = objects.commit(tree(LINES, []));
  const ours = objects.commit(
    tree(TOP, [['moved', { mode: '160000', oid: '2'.repeat(40) }]]),
    base,
  );
  const theirs = objects.commit(tree(END, [['caf\xea', file('new', '100664')]]), base);
  const outcome = await mergeCommits(openRepository(repository.path), ours, theirs, {
    message: 'M',
    author: 'ada',
    at: 0,
  });
  const commit = 'commit' in outcome ? (outcome.commit ?? '') : '';
  const added: typeof odd = [
    ['moved', { mode: '160000', oid: '2'.repeat(40) }],
    ['caf\xea', file('new')],
  ];
  assert.is(objects.readTree(commit), tree(BOTH, added, current));
  assert.is(objects.readTree(commit), repository.git('merge-tree', '--write-tree', ours, theirs));
  repository.remove();
});

test('a mode in an obsolete form is the one that git reads: no change, and no conflict', async () => {
  const repository = makeGitRepository({ bare: true });
  const objects = new LooseObjects(repository.path);
  const opened = openRepository(repository.path);
  type Modes = Record<string, string>;
  const keep: Modes = { keep: '100644' };
  const cases: [base: Modes, ours: Modes, theirs: Modes, merged: Modes][] = [
    // Added by both.
    [keep, { f: '100664' }, { f: '100644' }, { f: '100644' }],
    [keep, { f: '100755' }, { f: '100775' }, { f: '100755' }],
    [keep, { 'd/f': '100644' }, { 'd/f': '100600' }, { 'd/f': '100644' }],
    // Removed by one, and written in another form by the other.
    [{ f: '100644' }, { f: '100664' }, { g: '100644' }, { g: '100644' }],
    [{ f: '100664' }, { g: '100644' }, { f: '100644' }, { g: '100644' }],
    // Made a program by one.
    [{ f: '100644' }, { f: '100664' }, { f: '100775' }, { f: '100755' }],
    [{ f: '100664' }, { f: '100755' }, { f: '100600' }, { f: '100755' }],
    // A program no more.
    [{ f: '100775' }, { f: '100755' }, { f: '100664' }, { f: '100644' }],
    // Untouched, beside what one side adds.
    [{ f: '100664' }, { f: '100664', g: '100644' }, { f: '100664' }, { f: '100644', g: '100644' }],
  ];
  const tree = (modes: Modes, more: Modes) =>
    objects.tree(
      new Map(
        Object.entries({ ...modes, ...more }).map(([name, mode]) => [
          name,
          { mode, oid: objects.blob(`of ${name}`) },
        ]),
      ),
    );
  for (const [base, mine, other, expected] of cases) {
    const root = objects.commit(tree(base, {}));
    const ours = objects.commit(tree(mine, { ours: '100644' }), root);
    const theirs = objects.commit(tree(other, { theirs: '100644' }), root);
    const outcome = await mergeCommits(opened, ours, theirs, {
      message: 'M',
      author: 'ada',
      at: 0,
    });
    const merged = 'commit' in outcome ? objects.readTree(outcome.commit ?? '') : 'a conflict';
    const which = JSON.stringify([base, mine, other]);
    assert.is(merged, tree(expected, { ours: '100644', theirs: '100644' }), which);
    assert.is(merged, repository.git('merge-tree', '--write-tree', ours, theirs), which);
  }
  repository.remove();
});

test('two submodules that were moved are a conflict, one that was moved is taken', async () => {
  const repository = makeGitRepository({ bare: true });
  const objects = new LooseObjects(repository.path);
  const module = (digit: string) =>
    objects.tree(
      new Map([
        ['m', { mode: '160000', oid: digit.repeat(40) }],
        ['k', { mode: '100644', oid: objects.blob(digit) }],
      ]),
    );
  const base = objects.commit(module('1'));
  const [two, three] = [objects.commit(module('2'), base), objects.commit(module('3'), base)];
  const opened = openRepository(repository.path);
  const outcome = await mergeCommits(opened, two, three, null);
  assert.equal('conflicts' in outcome && [...outcome.reasons], [
    ['k', 'both sides changed the same part'],
    ['m', 'both sides moved the submodule'],
  ]);
  repository.remove();
});

test.run();
