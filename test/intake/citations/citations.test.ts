import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkInAll, checkReferences } from '../../../src/intake/knowledge.ts';
import { findReferences } from '../../../src/intake/citations/findReferences.ts';
import { type GitRepository, makeGitRepository } from '../../support/gitRepository.ts';

const test = suite('places that findings cite');
const findRefs = (text: string) => findReferences(text).map(({ ref }) => ref);

test('a path with a line is a citation wherever it stands (PLN-5)', () => {
  assert.equal(findRefs('See src/a.ts:12, (src/b.ts:1) and `src/c.ts:3-9`.'), [
    'src/a.ts:12',
    'src/b.ts:1',
    'src/c.ts:3-9',
  ]);
});

test('lines may be written as at a forge', () => {
  const [reference] = findReferences('src/a.ts#L12-L20');
  assert.is(reference?.toLine, 20);
});

test('a path without a line counts only as code', () => {
  assert.equal(findRefs('src/a.ts and `src/b.ts`'), ['src/b.ts']);
});

test('what does not exist yet is marked', () => {
  const [reference] = findReferences('Add `NEW:src/later.ts`.');
  assert.ok(reference?.isNew);
});

for (const text of [
  'https://example.com/a.ts:12',
  'example.com:443',
  '127.0.0.1:3000',
  'at 12:30',
  'key:1',
  '../../etc/passwd.txt:1',
  '`npm/install`',
  'and/or:3x',
])
  test(`no citation: ${text}`, () => {
    assert.equal(findRefs(text), []);
  });

for (const place of [
  'app/(shop)/[id]/page.tsx:3',
  'pages/[...all].tsx:1-2',
  'src/größe.ts:4',
  'größe.ts:4',
  'NEW:app/[id]/later.tsx',
])
  test(`a path with unusual characters counts in code marks: ${place}`, () => {
    assert.equal(findRefs(`See \`${place}\` and \`src/a.ts:1\`.`), [place, 'src/a.ts:1']);
  });

for (const text of [
  'app/[id]/page.tsx:3',
  'pages/[id].tsx:5',
  '`call(a).then:12`',
  '`../größe.ts:4`',
  '`/etc/größe.ts:4`',
])
  test(`no part of a path is a place of its own: ${text}`, () => {
    assert.equal(findRefs(text), []);
  });

test('what fenced code quotes is no citation', () => {
  assert.equal(findRefs('```\nsrc/a.ts:1\n```\nsrc/b.ts:2'), ['src/b.ts:2']);
});

test('a fence ends at one of its own kind and length', () => {
  assert.equal(findRefs('````\n```\nsrc/a.ts:1\n````\nsrc/b.ts:2'), ['src/b.ts:2']);
});

test('each place is named once', () => {
  assert.equal(findRefs('src/a.ts:1 src/a.ts:1'), ['src/a.ts:1']);
});

test('the end of a sentence is no part of a place', () => {
  assert.equal(findRefs('It is in src/a.ts:7.'), ['src/a.ts:7']);
});

/** A file of `count` lines that tell themselves apart. */
const lines = (name: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `${name} line ${n + 1}\n`).join('');

const verdicts = async (
  repo: GitRepository,
  text: string,
  options: Partial<Parameters<typeof checkReferences>[1]> = {},
) => {
  const commit = options.commit ?? repo.head();
  const citations = await checkReferences(findReferences(text), {
    repo: 'shop',
    repoPath: repo.path,
    commit,
    newest: commit,
    seen: [],
    ...options,
  });
  return citations.map(({ verdict }) => verdict);
};

async function withRepository(run: (repo: GitRepository) => Promise<void>): Promise<void> {
  const repo = makeGitRepository();
  try {
    repo.commit({ 'src/a.ts': lines('a', 40), 'src/b.ts': lines('b', 10) });
    await run(repo);
  } finally {
    repo.remove();
  }
}

test('a place in a file of the pinned commit exists', () =>
  withRepository(async (repo) => {
    assert.equal(await verdicts(repo, 'src/a.ts:40'), ['exists']);
  }));

test('a line behind the end is missing', () =>
  withRepository(async (repo) => {
    assert.equal(await verdicts(repo, 'src/a.ts:41'), ['missing']);
  }));

test('a file has no line 0', () =>
  withRepository(async (repo) => {
    assert.equal(await verdicts(repo, 'src/a.ts:0'), ['missing']);
  }));

test('an invented file is missing', () =>
  withRepository(async (repo) => {
    assert.equal(await verdicts(repo, 'src/z.ts:1'), ['missing']);
  }));

test('a folder is no file', () =>
  withRepository(async (repo) => {
    repo.commit({ 'lib/part/a.ts': 'one\n' });
    assert.equal(await verdicts(repo, 'lib/part:1'), ['missing']);
  }));

test('a place that a look-up has shown is seen', () =>
  withRepository(async (repo) => {
    const seen = [{ evidence: 'E1', path: 'src/a.ts', fromLine: 1, toLine: 20 }];
    assert.equal(await verdicts(repo, 'src/a.ts:20', { seen }), ['seen']);
  }));

test('lines that the look-up has not shown are not seen', () =>
  withRepository(async (repo) => {
    const seen = [{ evidence: 'E1', path: 'src/a.ts', fromLine: 1, toLine: 20 }];
    assert.equal(await verdicts(repo, 'src/a.ts:20-21', { seen }), ['exists']);
  }));

test('a place whose lines have changed since has moved', () =>
  withRepository(async (repo) => {
    const commit = repo.head();
    const newest = repo.commit({ 'src/a.ts': `new\n${lines('a', 40)}` });
    assert.equal(await verdicts(repo, 'src/a.ts:3', { commit, newest }), ['moved']);
  }));

test('a change elsewhere in the file moves nothing', () =>
  withRepository(async (repo) => {
    const commit = repo.head();
    const newest = repo.commit({ 'src/a.ts': `${lines('a', 40)}new\n` });
    assert.equal(await verdicts(repo, 'src/a.ts:3', { commit, newest }), ['exists']);
  }));

test('a place whose file was removed since has moved', () =>
  withRepository(async (repo) => {
    const commit = repo.head();
    const newest = repo.commit({ 'src/a.ts': null });
    assert.equal(await verdicts(repo, 'src/a.ts:3', { commit, newest }), ['moved']);
  }));

test('a cited line is quoted', () =>
  withRepository(async (repo) => {
    const [citation] = await checkReferences(findReferences('src/a.ts:3'), {
      repo: 'shop',
      repoPath: repo.path,
      commit: repo.head(),
      newest: repo.head(),
      seen: [],
    });
    assert.is(citation?.text, 'a line 3');
  }));

test('of several repositories the one that has the place counts, and is named', () =>
  withRepository((shop) =>
    withRepository(async (lib) => {
      lib.commit({ 'lib/only.ts': 'one\n' });
      const of = (repo: string, { path, head }: GitRepository) => {
        const commit = head();
        return { repo, repoPath: path, commit, newest: commit };
      };
      const seenPlaces = [{ evidence: 'E2', path: 'src/b.ts', fromLine: 1, toLine: 10 }];
      const references = findReferences('lib/only.ts:1 src/a.ts:1 src/b.ts:1 src/z.ts:1');
      const citations = await checkInAll(references, [
        { ...of('shop', shop), seen: [] },
        { ...of('lib', lib), seen: seenPlaces },
      ]);
      assert.equal(
        citations.map(({ ref, verdict, repo }) => `${ref} ${verdict} ${repo}`),
        [
          'lib/only.ts:1 exists lib',
          'src/a.ts:1 exists shop',
          'src/b.ts:1 seen lib',
          'src/z.ts:1 missing null',
        ],
      );
    }),
  ));

test('of 350 planted places every verdict is right', () =>
  withRepository(async (repo) => {
    const files = Array.from({ length: 40 }, (_, n) => `lib/part${n}/file${n}.ts`);
    repo.commit(Object.fromEntries(files.map((path, n) => [path, lines(path, n + 5)])));
    const planted = [
      ...Array.from({ length: 200 }, (_, n) => {
        const file = n % 40;
        return [`${files[file]}:${1 + (Math.floor(n / 40) % (file + 5))}`, 'exists'] as const;
      }),
      ...Array.from({ length: 50 }, (_, n) => [`lib/none${n}/file.ts:1`, 'missing'] as const),
      ...Array.from({ length: 50 }, (_, n) => [`${files[n % 40]}:${100 + n}`, 'missing'] as const),
      ...Array.from({ length: 50 }, (_, n) => [`NEW:lib/new${n}.ts`, 'new'] as const),
    ];
    const text = planted.map(([ref], n) => `${n}. as \`${ref}\` shows`).join('\n');
    assert.equal(
      await verdicts(repo, text),
      planted.map(([, verdict]) => verdict),
    );
  }));

test.run();
