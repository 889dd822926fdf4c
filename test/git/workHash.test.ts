import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workHash } from '../../src/git/workHash.ts';
import { folderHash } from '../../src/workplace/folderHash.ts';
import { type GitRepository, makeGitRepository } from '../support/gitRepository.ts';

const test = suite('what a checkout holds, as a hash');

async function changes(act: (repo: GitRepository) => void): Promise<boolean> {
  const repo = makeGitRepository();
  try {
    repo.commit({ 'a.txt': 'one', '.gitignore': 'out/\n' });
    const before = await workHash(repo.path);
    assert.match(before ?? '', /^[0-9a-f]{64}$/);
    act(repo);
    return (await workHash(repo.path)) !== before;
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

test('a filter that the checkout configures is not run', async () => {
  const repo = makeGitRepository();
  try {
    repo.commit({ 'a.txt': 'one', '.gitattributes': '*.txt filter=own\n' });
    repo.git('config', 'filter.own.clean', `touch ${join(repo.path, 'ran')}; cat`);
    write(repo, 'b.txt', 'b');
    await workHash(repo.path);
    assert.is(repo.git('status', '--short', '--', 'ran'), '');
  } finally {
    repo.remove();
  }
});

test('no checkout: not known', async () => {
  assert.is(await workHash('/nonexistent'), null);
});

test('a folder without a repository: its files count, those of svc and the agent do not', async () => {
  const repo = makeGitRepository();
  try {
    const before = await folderHash(repo.path);
    for (const dir of ['_sessions', 'home']) {
      mkdirSync(join(repo.path, dir));
      write(repo, `${dir}/x`, '1');
    }
    assert.is(await folderHash(repo.path), before);
    write(repo, 'report.md', 'done');
    assert.is.not(await folderHash(repo.path), before);
  } finally {
    repo.remove();
  }
});

test.run();
