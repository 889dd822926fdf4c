import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runGit } from '../../../src/git/runGit.ts';
import { clearDropped, type DropRequest, dropMirror } from '../../../src/git/cleanup/dropMirror.ts';
import { type GitRepository, git, makeGitRepository } from '../../support/gitRepository.ts';

/** A repository elsewhere, and its mirror on this disk. */
class Stage {
  readonly root = mkdtempSync(join(tmpdir(), 'svc-mirror-'));
  readonly remote: GitRepository = makeGitRepository({ bare: true });
  readonly path = join(this.root, 'github', 'acme', 'shop.git');

  constructor() {
    mkdirSync(join(this.root, 'github', 'acme'), { recursive: true });
    this.remote.commit({ 'a.txt': 'a' }, { branch: 'topic' });
    git(this.root, ['clone', '--quiet', '--mirror', this.remote.path, this.path]);
  }

  /** A commit that only the mirror has. */
  own(ref: string): void {
    const tree = git(this.path, ['rev-parse', 'main^{tree}']);
    const commit = git(this.path, ['commit-tree', '-m', 'own', tree]);
    git(this.path, ['update-ref', ref, commit]);
  }

  drop(request: Partial<DropRequest> = {}) {
    return dropMirror({
      dryRun: false,
      isInUse: () => false,
      createName: () => 'x',
      ...request,
      path: this.path,
      ask: async (args, ...last) =>
        (await runGit([...args, this.remote.path, ...last], { fileProtocol: true })).stdout,
    });
  }

  [Symbol.dispose](): void {
    this.remote.remove();
    rmSync(this.root, { recursive: true });
  }
}

const test = suite('removal of a mirror');

test('a mirror of which the forge has all goes, also where branches grew or were merged and removed', async () => {
  using stage = new Stage();
  git(stage.path, ['update-ref', 'refs/svc/push/topic', 'refs/heads/topic']);
  stage.remote.git('update-ref', 'refs/heads/main', stage.remote.head('topic'));
  stage.remote.git('update-ref', '-d', 'refs/heads/topic');
  stage.remote.commit({ 'b.txt': 'b' }, { branch: 'main' });
  const planned = await stage.drop({ dryRun: true });
  assert.ok('bytes' in planned && planned.bytes > 0);
  assert.ok(existsSync(stage.path), 'a dry run removes nothing');
  const dropped = await stage.drop();
  assert.ok('bytes' in dropped && dropped.bytes > 0);
  assert.equal(readdirSync(join(stage.root, 'github', 'acme')), []);
});

test('a squashed branch is on the forge as long as the forge names its commit', async () => {
  using stage = new Stage();
  const topic = stage.remote.head('topic');
  stage.remote.git('update-ref', 'refs/pull/1/head', topic);
  stage.remote.git('update-ref', '-d', 'refs/heads/topic');
  assert.ok('bytes' in (await stage.drop()));
});

test('what the forge does not have keeps the mirror, and is named', async () => {
  for (const [ref, reason] of [
    ['refs/heads/lost', 'the forge is missing commits of refs/heads/lost'],
    ['refs/svc/push/lost', 'the forge is missing commits of refs/svc/push/lost'],
    [
      'refs/svc/kept/job-1/abc/files',
      'it contains work that was saved from checkouts (1 refs refs/svc/kept/…)',
    ],
    ['refs/notes/mine', 'it contains refs/notes/mine, which is not from the forge'],
  ] as const) {
    using stage = new Stage();
    stage.own(ref);
    assert.equal(await stage.drop(), { left: reason });
    assert.ok(existsSync(stage.path), ref);
  }
});

test('a job that begins meanwhile keeps it', async () => {
  using stage = new Stage();
  assert.equal(await stage.drop({ isInUse: () => true }), { left: 'a job has begun to use it' });
  assert.ok(existsSync(stage.path));
});

test('killed while it is removed, the rest goes the next time; whole mirrors stay', async () => {
  using stage = new Stage();
  const leftover = join(stage.root, 'github', 'acme', '.gone-old.git.x');
  git(stage.root, ['clone', '--quiet', '--mirror', stage.remote.path, leftover]);
  rmSync(join(leftover, 'HEAD'));
  const removed = await clearDropped(stage.root);
  assert.equal(
    removed.map(({ path }) => path),
    [leftover],
  );
  assert.equal(readdirSync(join(stage.root, 'github', 'acme')), ['shop.git']);
});

test.run();
