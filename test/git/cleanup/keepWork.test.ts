import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SNAPSHOT_FOLDER } from '../../../src/git/cleanup/takeSnapshot.ts';
import { AgentCheckout, KEPT_JOB } from '../../support/agents/agentCheckout.ts';
import { git } from '../../support/gitRepository.ts';

const test = suite('scm gc: work that is kept');

const whats = async (checkout: AgentCheckout, dryRun = false): Promise<string[]> => {
  const result = await checkout.keep(dryRun);
  return 'problem' in result ? [`problem: ${result.problem}`] : result.kept.map(({ what }) => what);
};

test('a checkout whose work is all in the repository leaves nothing behind', async () => {
  using checkout = await AgentCheckout.make();
  checkout.commit('done.txt', 'done');
  checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/done');
  checkout.write('ignored/cache', 'x');
  checkout.write('debug.log', 'x');
  assert.equal(await whats(checkout), []);
  assert.equal(checkout.keptFiles(), {});
});

test('branches, tags, stashes, a detached HEAD, staged and other files are kept, each in full', async () => {
  using checkout = await AgentCheckout.make();
  checkout.git('switch', '--quiet', '-c', 'feature/a');
  checkout.commit('a.txt', 'a');
  checkout.git('tag', 'v1');
  checkout.commit('b.txt', 'b');
  for (const name of ['first', 'second']) {
    checkout.write(`${name}.txt`, name);
    checkout.git('stash', '--quiet', '--include-untracked');
  }
  checkout.git('switch', '--quiet', '--detach', 'main');
  checkout.commit('detached.txt', 'd');
  checkout.write('staged.txt', 'staged');
  checkout.git('add', 'staged.txt');
  rmSync(join(checkout.dir, 'staged.txt'));
  checkout.write('new/file.txt', 'new');
  checkout.write('README.md', '# Changed\n');
  checkout.write('ignored/cache', 'x');
  symlinkSync('/etc/passwd', join(checkout.dir, 'link'));
  const expected = [
    'branch feature/a',
    'stash',
    'tag v1',
    'detached HEAD',
    'stash (an older one)',
    'files',
    'staged files',
  ];
  assert.equal(await whats(checkout, true), expected);
  assert.equal(checkout.keptFiles(), {}, 'a dry run writes nothing');
  assert.equal((await whats(checkout)).sort(), expected.sort());
  const fileTexts = checkout.keptFiles();
  assert.equal(
    { ...fileTexts, stash: undefined },
    {
      'heads/feature/a': ['a.txt', 'b.txt'],
      'tags/v1': ['a.txt'],
      HEAD: ['detached.txt'],
      files: ['detached.txt', 'link', 'new/file.txt'],
      staged: ['detached.txt', 'staged.txt'],
      stash: undefined,
    },
  );
  const refs = checkout.repo
    .git('for-each-ref', '--format=%(refname)', 'refs/svc/kept')
    .split('\n');
  const files = refs.find((ref) => ref.endsWith('/files')) ?? '';
  assert.is(checkout.repo.show('README.md', files), '# Changed');
  assert.is(checkout.repo.show('link', files), '/etc/passwd', 'a link is kept as a link');
  assert.is(refs.filter((ref) => ref.endsWith('/stash')).length, 2);
  assert.is(checkout.repo.git('fsck', '--connectivity-only'), '');
});

test('the same work gets the same refs; other work of the same name never takes their place', async () => {
  using checkout = await AgentCheckout.make();
  checkout.git('switch', '--quiet', '-c', 'topic');
  checkout.commit('one.txt', '1');
  checkout.write('two.txt', '2');
  const first = await checkout.keep();
  assert.equal(await checkout.keep(), first);
  checkout.git('reset', '--quiet', '--hard', 'main');
  checkout.commit('three.txt', '3');
  await checkout.keep();
  const all = checkout.repo
    .git('for-each-ref', '--format=%(refname:lstrip=5) %(objectname)', 'refs/svc/kept')
    .split('\n');
  assert.equal(all.map((line) => line.split(' ')[0]).sort(), [
    'files',
    'heads/topic',
    'heads/topic',
  ]);
});

test('nothing that a checkout configures is run: hooks, filters, monitors, programs of remotes', async () => {
  using checkout = await AgentCheckout.make();
  const trap = join(checkout.root, 'trap.sh');
  const sprung = join(checkout.root, 'sprung');
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${sprung}\ncat\n`);
  chmodSync(trap, 0o755);
  const keys = [
    'core.fsmonitor',
    'filter.x.clean',
    'filter.x.smudge',
    'filter.x.process',
    'core.sshCommand',
    'diff.external',
  ];
  for (const key of [
    ...keys,
    'uploadpack.packObjectsHook',
    'remote.origin.uploadpack',
    'core.pager',
    'gpg.program',
  ])
    checkout.git('config', key, trap);
  checkout.git('config', 'commit.gpgSign', 'true');
  checkout.git('config', 'core.hooksPath', checkout.root);
  for (const hook of [
    'post-checkout',
    'pre-commit',
    'reference-transaction',
    'post-index-change',
  ]) {
    mkdirSync(join(checkout.dir, '.git/hooks'), { recursive: true });
    for (const place of [join(checkout.dir, '.git/hooks', hook), join(checkout.root, hook)])
      symlinkSync(trap, place);
  }
  checkout.write('.gitattributes', '* filter=x\n');
  checkout.write('new.txt', 'new');
  assert.equal(await whats(checkout), ['files']);
  assert.is(existsSync(sprung), false);
  assert.equal(checkout.keptFiles(), { files: ['.gitattributes', 'new.txt'] });
});

test('a checkout whose .git is broken, leads elsewhere or holds more than branches is not touched, with the reason', async () => {
  const table: [string, (checkout: AgentCheckout) => void, RegExp][] = [
    [
      'gone',
      ({ dir }) => rmSync(join(dir, '.git'), { recursive: true }),
      /^it has no \.git, so what was committed or pushed is unknown/,
    ],
    [
      'no objects',
      ({ dir }) => rmSync(join(dir, '.git/objects'), { recursive: true }),
      /^its \.git is broken: objects is missing$/,
    ],
    [
      'emptied, with a commit that was not pushed',
      (checkout) => {
        const { dir } = checkout;
        checkout.commit('lost.txt', 'lost');
        rmSync(join(dir, '.git/objects'), { recursive: true });
        mkdirSync(join(dir, '.git/objects'));
      },
      /^git cannot save its work: /,
    ],
    [
      'a link',
      ({ dir, root }) => {
        rmSync(join(dir, '.git'), { recursive: true });
        symlinkSync(root, join(dir, '.git'));
      },
      /^its \.git points elsewhere$/,
    ],
    [
      'objects elsewhere',
      ({ dir, repo }) => {
        rmSync(join(dir, '.git/objects'), { recursive: true });
        symlinkSync(join(repo.path, 'objects'), join(dir, '.git/objects'));
      },
      /objects points elsewhere$/,
    ],
    [
      'borrowed',
      ({ dir, repo }) =>
        writeFileSync(join(dir, '.git/objects/info/alternates'), `${repo.path}/objects\n`),
      /^it borrows objects/,
    ],
    [
      'worktrees',
      (checkout) => checkout.git('worktree', 'add', '--quiet', '../other'),
      /^it has worktrees$/,
    ],
    [
      'a repository inside',
      ({ dir }) => {
        mkdirSync(join(dir, 'vendor/inner'), { recursive: true });
        git(join(dir, 'vendor/inner'), ['init', '--quiet']);
        git(join(dir, 'vendor/inner'), ['commit', '--quiet', '--allow-empty', '-m', 'inner']);
      },
      /^git cannot save its work: it contains another git repository: vendor\/inner$/,
    ],
  ];
  for (const [what, breakIt, reason] of table) {
    using checkout = await AgentCheckout.make();
    checkout.write('precious.txt', 'precious');
    breakIt(checkout);
    const result = await checkout.keep();
    assert.match('problem' in result ? result.problem : `it was kept: ${what}`, reason);
    assert.equal(checkout.keptFiles(), {}, what);
    assert.equal(existsSync(join(checkout.dir, 'precious.txt')), true, what);
  }
});

test('a repository without a commit of its own, and one in the middle of a merge, are kept too', async () => {
  using checkout = await AgentCheckout.make();
  checkout.git('switch', '--quiet', '-c', 'mine');
  checkout.commit('same.txt', 'mine');
  checkout.git('switch', '--quiet', '-c', 'theirs', 'main');
  checkout.commit('same.txt', 'theirs');
  assert.throws(() => checkout.git('merge', '--quiet', 'mine'));
  assert.equal((await whats(checkout)).sort(), ['branch mine', 'branch theirs', 'files']);
  checkout.git('merge', '--abort');
  checkout.git('switch', '--quiet', '--orphan', 'fresh');
  checkout.write('fresh.txt', 'fresh');
  assert.ok((await whats(checkout)).includes('files'));
  assert.equal(
    readdirSync(tmpdir()).filter(
      (name) => name.startsWith(SNAPSHOT_FOLDER) && name.includes(KEPT_JOB),
    ),
    [],
  );
});

test.run();
