import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readWork, readWorkSince } from '../../src/git/readWork.ts';
import { hashJobFolder } from '../../src/jobs/workspace/hashJobFolder.ts';
import { git, type GitRepository, makeGitRepository } from '../support/gitRepository.ts';

const test = suite('what a checkout holds, as a hash');

async function changes(act: (repo: GitRepository) => void): Promise<boolean> {
  const repo = makeGitRepository();
  try {
    repo.commit({ 'a.txt': 'one', '.gitignore': 'out/\n' });
    const before = (await readWork(repo.path, null))?.hash;
    assert.match(before ?? '', /^[0-9a-f]{64}$/);
    act(repo);
    return (await readWork(repo.path, null))?.hash !== before;
  } finally {
    repo.remove();
  }
}

const write = (repo: GitRepository, path: string, text: string) =>
  writeFileSync(join(repo.path, path), text);

const CASES: readonly (readonly [string, boolean, (repo: GitRepository) => void])[] = [
  ['nothing', false, () => {}],
  ['a changed file', true, (repo) => write(repo, 'a.txt', 'two')],
  ['a new file', true, (repo) => write(repo, 'b.txt', 'new')],
  [
    'a commit of another branch',
    true,
    (repo) => void repo.commit({ 'b.txt': 'b' }, { branch: 'work' }),
  ],
  [
    'an ignored file',
    false,
    (repo) => {
      mkdirSync(join(repo.path, 'out'));
      write(repo, 'out/log', '1');
    },
  ],
  ['an empty commit', false, (repo) => void repo.git('commit', '--allow-empty', '-m', 'again')],
  ['a new branch at the same commit', false, (repo) => void repo.git('branch', 'try-2')],
  [
    'a change that was undone',
    false,
    (repo) => {
      write(repo, 'a.txt', 'two');
      write(repo, 'a.txt', 'one');
    },
  ],
];

for (const [what, differs, act] of CASES)
  test(`${what}: ${differs ? 'another hash' : 'the same hash'}`, async () => {
    assert.is(await changes(act), differs);
  });

test('a change of the same size, in the second in which git wrote the index: another hash', async () => {
  const differs = await changes((repo) => {
    const file = join(repo.path, 'a.txt');
    const second = 1_700_000_000;
    utimesSync(file, second, second);
    repo.git('update-index', '--refresh');
    utimesSync(join(repo.path, '.git', 'index'), second, second);
    write(repo, 'a.txt', 'two');
    utimesSync(file, second, second);
  });
  assert.is(differs, true);
});

test('a filter that the checkout configures is not run', async () => {
  const repo = makeGitRepository();
  try {
    repo.commit({ 'a.txt': 'one', '.gitattributes': '*.txt filter=own\n' });
    repo.git('config', 'filter.own.clean', `touch ${join(repo.path, 'ran')}; cat`);
    write(repo, 'b.txt', 'b');
    await readWork(repo.path, null);
    assert.is(repo.git('status', '--short', '--', 'ran'), '');
  } finally {
    repo.remove();
  }
});

test('no checkout: not known', async () => {
  assert.is(await readWork('/nonexistent', null), null);
});

test('compared with the base: each file with its lines', async () => {
  const repo = makeGitRepository();
  try {
    const base = repo.commit({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    repo.git('update-ref', 'refs/remotes/origin/main', base);
    repo.commit({ 'a.txt': 'one\ntwo\n' });
    write(repo, 'ç d.txt', 'new\n');
    assert.equal((await readWork(repo.path, 'main'))?.changed, {
      count: 2,
      added: 2,
      removed: 0,
      files: [
        { path: 'a.txt', added: 1, removed: 0 },
        { path: 'ç d.txt', added: 1, removed: 0 },
      ],
    });
  } finally {
    repo.remove();
  }
});

test('compared with a base that has moved on: only its own changes', async () => {
  const repo = makeGitRepository();
  try {
    repo.commit({ 'a.txt': 'one\n' });
    repo.git('checkout', '-q', '-b', 'elsewhere');
    const moved = repo.commit({ 'b.txt': 'b\n' }, { branch: 'elsewhere' });
    repo.git('checkout', '-q', '-');
    repo.git('update-ref', 'refs/remotes/origin/main', moved);
    assert.is((await readWork(repo.path, 'main'))?.changed?.count, 0);
  } finally {
    repo.remove();
  }
});

test('compared with a base that does not exist: not known', async () => {
  const repo = makeGitRepository();
  try {
    repo.commit({ 'a.txt': 'one' });
    assert.is((await readWork(repo.path, 'main'))?.changed, null);
  } finally {
    repo.remove();
  }
});

test('compared with the newest commit of a time: what was committed later, and what is not committed (UI-1)', async () => {
  const repo = makeGitRepository();
  const commitAt = (seconds: number, path: string) => {
    write(repo, path, 'new\n');
    git(repo.path, ['add', '--all']);
    const date = `${seconds} +0000`;
    git(repo.path, ['commit', '-q', '-m', path], {
      env: { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date },
    });
  };
  const start = 1_767_225_600;
  try {
    repo.commit({ 'a.txt': 'one\n' });
    commitAt(start + 100, 'planned.txt');
    commitAt(start + 300, 'coded.txt');
    write(repo, 'a.txt', 'two\n');
    const since = async (seconds: number) =>
      (await readWorkSince(repo.path, (start + seconds) * 1000))?.files.map(({ path }) => path);
    assert.equal(await since(200), ['a.txt', 'coded.txt']);
    assert.equal(await since(400), ['a.txt']);
    assert.is(await since(-100), undefined, 'no commit is as old');
  } finally {
    repo.remove();
  }
});

test('a folder without a repository: its files count, those of svc and the agent do not', async () => {
  const repo = makeGitRepository();
  try {
    const before = await hashJobFolder(repo.path);
    for (const dir of ['_sessions', 'home']) {
      mkdirSync(join(repo.path, dir));
      write(repo, `${dir}/x`, '1');
    }
    assert.is(await hashJobFolder(repo.path), before);
    write(repo, 'report.md', 'done');
    assert.is.not(await hashJobFolder(repo.path), before);
  } finally {
    repo.remove();
  }
});

test.run();
