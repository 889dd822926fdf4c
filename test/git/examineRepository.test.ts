import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { adviseRepository } from '../../src/git/adviseRepository.ts';
import { examineRepository } from '../../src/git/examineRepository.ts';
import { git, type GitRepository, makeGitRepository } from '../support/gitRepository.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('scm: what is known of a repository before a job works on it');
const long = longLane(test);

const dir = mkdtempSync(join(tmpdir(), 'svc-examine-'));
test.after(() => rmSync(dir, { recursive: true, force: true }));

const findProblem = async (path: string, branch: string | null = null): Promise<string> => {
  const finding = await examineRepository(path, branch);
  return finding === null ? 'none' : `${finding.problem} ${finding.fix}`.replaceAll(path, 'PATH');
};

test('whole, bare, shallow and borrowing repositories, linked and separate ones, can be used', async () => {
  const whole = makeGitRepository();
  whole.commit({ 'a.txt': 'a\n' });
  const shallow = join(dir, 'shallow');
  git(dir, ['clone', '--quiet', '--depth=1', `file://${whole.path}`, shallow]);
  const borrowing = join(dir, 'borrowing');
  git(dir, ['clone', '--quiet', '--shared', whole.path, borrowing]);
  const linked = join(dir, 'linked');
  whole.git('worktree', 'add', '--quiet', '-b', 'other', linked);
  const bare = makeGitRepository({ bare: true });
  for (const path of [whole.path, shallow, borrowing, linked, bare.path])
    assert.is(await findProblem(path), 'none', path);
  whole.remove();
  bare.remove();
});

/** Name → what is done to a good repository, and the text about it. */
const BROKEN: readonly (readonly [
  what: string,
  spoil: (one: GitRepository) => void,
  said: RegExp,
])[] = [
  [
    'a HEAD that a power loss has emptied',
    ({ path }) => writeFileSync(join(path, '.git', 'HEAD'), ''),
    /PATH has a damaged HEAD, .* echo 'ref: refs\/heads\/main' > \S*PATH\/\.git\/HEAD/,
  ],
  [
    'a partial clone',
    ({ path }) => {
      const origin = `${path}-origin`;
      renameSync(path, origin);
      writeFileSync(join(origin, 'README.md'), 'Changed.\n');
      git(origin, ['commit', '--quiet', '--all', '-m', 'second']);
      git(origin, ['config', 'uploadpack.allowFilter', 'true']);
      git(dir, ['clone', '--quiet', '--filter=blob:none', `file://${origin}`, path]);
    },
    /^PATH is a partial clone .*: git -C 'PATH' fetch --refetch --no-filter$/,
  ],
  [
    'a detached HEAD',
    (one) => void one.git('checkout', '--quiet', '--detach'),
    /^HEAD of PATH is detached: name its defaultBranch/,
  ],
  [
    'a missing branch',
    (one) => {
      one.git('branch', '--move', 'trunk');
      one.git('symbolic-ref', 'HEAD', 'refs/heads/main');
    },
    /^PATH has no commit on its default branch main; it has trunk\. Create that branch, or name another/,
  ],
  [
    'no commit',
    ({ path }) => {
      rmSync(path, { recursive: true });
      git(dir, ['init', '--quiet', '--initial-branch=main', path]);
    },
    /^PATH has no commit on its default branch main: it is empty\. Make the first commit: git -C 'PATH' commit/,
  ],
  [
    'missing alternates',
    ({ path }) => writeFileSync(join(path, '.git/objects/info/alternates'), '/nowhere/objects\n'),
    /^It borrows objects from \/nowhere\/objects, which does not exist\./,
  ],
  [
    'a damaged file',
    ({ path, git: run }) => {
      const oid = run('rev-parse', 'HEAD:README.md');
      const file = join(path, '.git/objects', oid.slice(0, 2), oid.slice(2));
      chmodSync(file, 0o600);
      writeFileSync(file, '');
    },
    /^PATH has missing or damaged objects in the newest commit of main\. See which with `git -C 'PATH' fsck`/,
  ],
  [
    'a lost tree',
    ({ path, git: run }) => {
      const oid = run('rev-parse', 'HEAD^{tree}');
      rmSync(join(path, '.git/objects', oid.slice(0, 2), oid.slice(2)));
    },
    /^PATH has missing or damaged objects in the newest commit of main/,
  ],
  [
    'an empty file of a branch, as after a crash',
    ({ path }) => writeFileSync(join(path, '.git/refs/heads/wip'), ''),
    /^PATH has a broken ref, so it cannot be cloned: refs\/heads\/wip\. If it is not needed, delete its file: rm 'PATH\/\.git\/refs\/heads\/wip'$/,
  ],
  [
    'branches and tags whose commits are missing',
    ({ path }) => {
      for (const name of ['heads/gone', 'tags/v1'])
        writeFileSync(join(path, '.git/refs', name), `${'deadbeef'.repeat(5)}\n`);
    },
    /^PATH has refs without commits, so it cannot be cloned: refs\/heads\/gone and 1 more\..* update-ref -d 'refs\/heads\/gone'$/,
  ],
  [
    'grafts',
    (one) => {
      one.commit({ 'a.txt': 'a\n' });
      mkdirSync(join(one.path, '.git/info'), { recursive: true });
      writeFileSync(join(one.path, '.git/info/grafts'), `${one.git('rev-parse', 'HEAD')}\n`);
    },
    /^PATH has grafts .*: git -C 'PATH' replace --convert-graft-file$/,
  ],
  [
    'hidden branches',
    (one) => void one.git('config', 'transfer.hideRefs', 'refs/heads'),
    /^PATH hides its branch main from clones\. Take the branch out of transfer\.hideRefs/,
  ],
  [
    'an unknown extension',
    (one) => {
      one.git('config', 'core.repositoryFormatVersion', '1');
      one.git('config', 'extensions.odd', '1');
    },
    /uses the extension odd, which this git does not know\. Install a newer git/,
  ],
  [
    'a broken configuration',
    ({ path }) => writeFileSync(join(path, '.git/config'), '[core\n'),
    /the configuration of the repository cannot be used: .*bad config line 1/,
  ],
  [
    'SHA-256',
    ({ path }) => {
      rmSync(path, { recursive: true });
      git(dir, ['init', '--quiet', '--object-format=sha256', path]);
    },
    /^PATH does not use SHA-1 objects/,
  ],
  [
    'reftables',
    ({ path, git: run }) => {
      run('config', 'extensions.refStorage', 'reftable');
      assert.ok(existsSync(path));
    },
    /^PATH keeps its branches in another format than files \(reftable\)/,
  ],
  ['a lost HEAD', ({ path }) => rmSync(join(path, '.git/HEAD')), /^PATH has an incomplete \.git/],
  [
    'a moved repository of a linked working tree',
    ({ path, git: run }) => {
      const main = `${path}-main`;
      const moved = `${path}-moved`;
      run('switch', '--quiet', '-c', 'other');
      renameSync(path, main);
      git(main, ['worktree', 'add', '--quiet', path, 'main']);
      renameSync(main, moved);
    },
    /^PATH is a working tree whose repository is no longer at .*git worktree repair 'PATH'/,
  ],
  [
    'a folder of a repository',
    ({ path }) => {
      const above = `${path}-above`;
      renameSync(path, above);
      mkdirSync(join(above, 'sub'));
      symlinkSync(join(above, 'sub'), path);
    },
    /^PATH is not a git repository/,
  ],
  [
    'a bundle',
    ({ path, git: run }) => {
      const file = `${path}.bundle`;
      run('bundle', 'create', '--quiet', file, '--all');
      rmSync(path, { recursive: true });
      renameSync(file, path);
    },
    /^PATH is a git bundle, and svc needs a repository: clone it \(git clone 'PATH' <folder>\)/,
  ],
  [
    'a file',
    ({ path }) => {
      rmSync(path, { recursive: true });
      writeFileSync(path, 'x');
    },
    /^PATH is a file, and svc needs the folder of a git repository/,
  ],
  [
    'a broken link',
    ({ path }) => {
      rmSync(path, { recursive: true });
      symlinkSync('/nowhere', path);
    },
    /^PATH is a broken link: bring back what it points to/,
  ],
  ['nothing', ({ path }) => rmSync(path, { recursive: true }), /^PATH does not exist/],
];

/** One of each way to find it out. */
const SHORT = [
  'a HEAD that a power loss has emptied',
  'a partial clone',
  'a detached HEAD',
  'missing alternates',
  'a damaged file',
  'an empty file of a branch, as after a crash',
  'an unknown extension',
  'a broken configuration',
  'a lost HEAD',
  'a bundle',
  'nothing',
];

for (const [what, spoil, expected] of BROKEN)
  (SHORT.includes(what) ? test : long)(
    `a repository is refused with what to do: ${what}`,
    async () => {
      const repository = makeGitRepository();
      spoil(repository);
      assert.match(await findProblem(repository.path), expected);
      repository.remove();
    },
  );

long('each broken ref is named in turn, until the advice has removed all of them', async () => {
  const repository = makeGitRepository();
  const { path } = repository;
  const oid = repository.git('rev-parse', 'HEAD');
  for (const [name, text] of [
    ['heads/empty', ''],
    ['heads/main (copy)', `${oid}\n`],
    ['tags/gone', `${'deadbeef'.repeat(5)}\n`],
  ] as const)
    writeFileSync(join(path, '.git/refs', name), text);
  for (let remaining = 3; remaining > 0; remaining -= 1) {
    const [command] = /(?:rm|git -C) '.*$/.exec(
      (await examineRepository(path, null))?.fix ?? '',
    ) ?? [''];
    execFileSync('sh', ['-c', command], { stdio: 'pipe' });
  }
  assert.is(await findProblem(path), 'none');
  assert.is(repository.git('rev-parse', 'main'), oid);
  repository.remove();
});

long('grafts that are made replacements, as advised, no longer keep jobs away', async () => {
  const repository = makeGitRepository();
  const { path } = repository;
  repository.commit({ 'a.txt': 'a\n' });
  mkdirSync(join(path, '.git/info'), { recursive: true });
  writeFileSync(join(path, '.git/info/grafts'), `${repository.git('rev-parse', 'HEAD')}\n`);
  const [, command = ''] =
    /: (git -C .*)$/.exec((await examineRepository(path, null))?.fix ?? '') ?? [];
  execFileSync('sh', ['-c', command], { stdio: 'ignore' });
  assert.is(await findProblem(path), 'none');
  const clone = join(dir, 'converted');
  git(dir, ['clone', '--quiet', '--no-local', path, clone]);
  assert.is(git(clone, ['rev-list', '--count', 'HEAD']), '2');
  repository.remove();
});

test('a subfolder names the repository above it', async () => {
  const repository = makeGitRepository({ files: { 'sub/a.txt': 'a\n' } });
  assert.match(
    await findProblem(join(repository.path, 'sub')),
    `PATH is not a git repository, but a folder of the repository ${repository.path}: name that one`,
  );
  repository.remove();
});

long('a partial clone that has fetched everything can be used: the advice helps', async () => {
  const origin = makeGitRepository();
  origin.commit({ 'README.md': 'Changed.\n' });
  origin.git('config', 'uploadpack.allowFilter', 'true');
  const path = join(dir, 'partial');
  git(dir, ['clone', '--quiet', '--filter=tree:0', `file://${origin.path}`, path]);
  const [, command = ''] =
    /: (git -C .*)$/.exec((await examineRepository(path, null))?.fix ?? '') ?? [];
  execFileSync('sh', ['-c', command], { stdio: 'ignore' });
  assert.is(await findProblem(path), 'none');
  origin.remove();
});

test('a lock that a killed git has left is named, and one of a git at work is not', async () => {
  const { path, remove } = makeGitRepository();
  const now = Date.UTC(2026, 0, 2);
  for (const name of ['index', 'HEAD', 'packed-refs', 'refs/heads/main']) {
    const lock = join(path, '.git', `${name}.lock`);
    writeFileSync(lock, '');
    utimesSync(lock, now / 1000 - 60, now / 1000 - 60);
    assert.equal(await adviseRepository(path, 'main', now), []);
    utimesSync(lock, now / 1000 - 3600, now / 1000 - 3600);
    assert.equal(await adviseRepository(path, 'main', now), [
      {
        problem: `${lock} is left over from a git process that was killed; it blocks merges.`,
        fix: `If no git is running there: rm '${lock}'`,
      },
    ]);
    rmSync(lock);
  }
  remove();
});

test.run();
