import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { collectStakes } from '../../../src/host/uninstall/collectStakes.ts';
import type { StakeRequest } from '../../../src/host/uninstall/collectWorkStakes.ts';
import { CleanupStage } from '../../support/cleanupStage.ts';
import { git } from '../../support/gitRepository.ts';

const test = suite('what would be lost with a home');

const ask = (stage: CleanupStage, more: Partial<StakeRequest> = {}) =>
  collectStakes({
    home: stage.root,
    workingDir: stage.workingDir,
    local: [{ slug: 'shop', path: stage.repo.path }],
    jobs: { jobs: [] },
    createName: randomIds.next,
    ...more,
  });

/** Without commits and without the folder that differs at each run. */
const collectShownStakes = async (stage: CleanupStage, more?: Partial<StakeRequest>) =>
  (await ask(stage, more)).map(
    ({ kind, jobId, path, what }) =>
      `${kind} ${jobId} ${path.slice(stage.root.length)} ${what.replace(/ \([0-9a-f]{12}\)/, '')}`,
  );

test('work that is not committed or pushed, whether or not its job has ended; nothing is changed', async () => {
  using stage = new CleanupStage();
  await stage.job('job-1', { ended: false, days: 0 });
  git(stage.path('job-1', 'shop'), ['stash', '--quiet', '--include-untracked']);
  stage.write(stage.path('job-1', 'shop', 'new.txt'), 'x');
  assert.equal(await collectShownStakes(stage), [
    'work job-1 /work/job-1 branch topic',
    'work job-1 /work/job-1 stash',
    'work job-1 /work/job-1 files',
  ]);
  assert.equal(stage.kept(), []);
});

test('nothing, where all of it is in the repository', async () => {
  using stage = new CleanupStage();
  await stage.job('job-1', { ended: true, days: 0 });
  const checkout = stage.path('job-1', 'shop');
  git(checkout, ['add', '--all']);
  git(checkout, ['commit', '--quiet', '-m', 'all']);
  git(checkout, ['push', '--quiet', 'origin', 'HEAD']);
  assert.equal(await ask(stage), []);
});

test('what svc did not create, a repository that is not configured, clones of agents', async () => {
  using stage = new CleanupStage();
  await stage.job('job-1', { ended: true, days: 0 });
  stage.write(stage.path('job-1', 'notes.txt'), 'x');
  mkdirSync(stage.path('job-1', 'home', 'clone', '.git'), { recursive: true });
  writeFileSync(stage.path('file'), 'x');
  assert.equal(await collectShownStakes(stage, { local: [] }), [
    'unclear null /work/file svc did not create it',
    'unclear job-1 /work/job-1/home it contains a git repository, and svc does not know whether its work is pushed: clone',
    'unclear job-1 /work/job-1/notes.txt svc did not create it',
    'unclear job-1 /work/job-1/shop its repository is no longer configured, so its work cannot be saved',
  ]);
});

test('work that cleanup saved in a mirror, unless a branch of the forge has it by now', async () => {
  using stage = new CleanupStage();
  const mirror = join(stage.mirrorsDir, 'github', 'acme', 'shop.git');
  mkdirSync(join(mirror, '..'), { recursive: true });
  git(stage.root, ['clone', '--quiet', '--bare', stage.repo.path, mirror]);
  const tree = git(mirror, ['rev-parse', 'main^{tree}']);
  const commit = git(mirror, ['commit-tree', tree, '-p', 'main', '-m', 'kept']);
  git(mirror, ['update-ref', 'refs/svc/kept/job-1/abc/files', commit]);
  git(mirror, ['update-ref', 'refs/svc/push/topic', commit]);
  assert.equal(await collectShownStakes(stage), [
    'saved null /mirrors/github/acme/shop.git refs/svc/kept/job-1/abc/files',
  ]);
  git(mirror, ['update-ref', 'refs/heads/topic', commit]);
  assert.equal(await ask(stage), []);
});

test('a mirror knows what the forge has; its checkout is found whatever the case of its name', async () => {
  using stage = new CleanupStage();
  const mirror = join(stage.mirrorsDir, 'github', 'shop.git');
  mkdirSync(join(mirror, '..'), { recursive: true });
  await stage.job('job-1', { ended: true, days: 0 });
  git(stage.path('job-1', 'shop'), ['add', '--all']);
  git(stage.path('job-1', 'shop'), ['commit', '--quiet', '-m', 'all']);
  git(stage.root, ['clone', '--quiet', '--bare', stage.path('job-1', 'shop'), mirror]);
  renameSync(stage.path('job-1', 'shop'), stage.path('job-1', 'Shop'));
  assert.equal(await ask(stage, { local: [] }), []);
});

test('jobs that have not ended, files of people, repositories in the home, a state that cannot be read', async () => {
  using stage = new CleanupStage();
  stage.write(join(stage.root, 'intelligence', 'workflows', 'own.md'), 'x');
  stage.write(join(stage.root, 'guardrails', 'none', 'empty'), '');
  const inside = join(stage.root, 'repos', 'tool');
  mkdirSync(inside, { recursive: true });
  assert.equal(
    await collectShownStakes(stage, {
      jobs: { jobs: [{ id: 'job-1', description: 'Fix it' }] },
      local: [{ slug: 'tool', path: inside }],
    }),
    [
      'job job-1 /state.db Fix it',
      'files null /intelligence workflows, agents and memory',
      'repository null /repos/tool tool',
    ],
  );
  const unread = await collectShownStakes(stage, { jobs: { problem: 'file is not a database' } });
  assert.is(unread[0], 'unread null /state.db file is not a database');
});

test('folders of jobs outside of the home stay, so nothing in them is lost', async () => {
  using stage = new CleanupStage();
  await stage.job('job-1', { ended: true, days: 0 });
  mkdirSync(join(stage.root, 'home'));
  assert.equal(await ask(stage, { home: join(stage.root, 'home') }), []);
});

test.run();
