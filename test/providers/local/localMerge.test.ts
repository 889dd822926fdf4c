import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRepairable } from '../../../src/base/errors/errors.ts';
import type { ForgeActor } from '../../../src/contract/forge/forge.ts';
import { createLocalForge } from '../../../src/providers/local/forge.ts';
import { ForgeRows } from '../../support/forges/forgeRows.ts';
import { type GitRepository, makeGitRepository } from '../../support/gitRepository.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm local merge');
const AT = Date.UTC(2026, 0, 2, 10, 0, 0, 250);
const PR = { repo: 'shop', number: 1 };

let operations = 0;
const by = (author: string, operationId = `op-${++operations}`): ForgeActor => ({
  author,
  at: AT,
  operationId,
});

const openForge = (repository: GitRepository, rows = new ForgeRows()) => ({
  rows,
  forge: createLocalForge({
    mayAct: mayAlwaysAct,
    repos: { shop: { path: repository.path, defaultBranch: 'main' } },
    rows,
    webUrl: (repo, number) => `http://127.0.0.1/${repo}/${number}`,
  }),
});

const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';

/**
 * A repository where `feature` changes list.txt, adds feature.txt and removes old.txt, with an open
 * pull request.
 */
const shopWithPr = async (options: { bare?: boolean } = {}) => {
  const repository = makeGitRepository({
    ...options,
    files: { 'list.txt': LINES, 'old.txt': 'old\n' },
  });
  repository.commit(
    { 'list.txt': LINES.replace('9', 'nine'), 'feature.txt': 'new\n', 'old.txt': null },
    { branch: 'feature' },
  );
  const { forge, rows } = openForge(repository);
  const change = await forge.write(
    'create_pr',
    {
      repo: 'shop',
      head: 'feature',
      base: '',
      title: 'Add a feature',
      body: '',
      checkoutDir: '',
      workItem: null,
    },
    by('ada'),
  );
  rows.commit(change);
  return { repository, forge, rows };
};

test('only the commit that was shown is merged: with another newest one both are named, and nothing changes', async () => {
  const { repository, forge, rows } = await shopWithPr();
  const reviewedCommit = repository.head('feature');
  const main = repository.head('main');
  const merge = (head: string) => forge.write('merge_pr', { ...PR, head }, by('bob'));
  repository.commit({ 'more.txt': 'more\n' }, { branch: 'feature' });
  const newest = repository.head('feature');
  const refusal = await catchRefusal(() => merge(reviewedCommit));
  assert.is(refusal.code, 'conflict');
  assert.match(
    refusal.message,
    new RegExp(`${reviewedCommit.slice(0, 12)} was .*${newest.slice(0, 12)} is`),
  );
  assert.equal(refusal.data, { reason: 'sha', reviewed: reviewedCommit, newest });
  assert.is(repository.head('main'), main);
  assert.is(rows.one('forge_prs', PR)?.state, 'open');
  assert.is((await merge(newest.slice(0, 12))).pr?.state, 'merged');
});

test('a branch that was set back to its base is not recorded as the merge of the commit that was shown', async () => {
  const { repository, forge, rows } = await shopWithPr();
  const reviewedCommit = repository.head('feature');
  repository.git('branch', '--force', 'feature', 'main');
  const merge = () => forge.write('merge_pr', { ...PR, head: reviewedCommit }, by('bob'));
  assert.is((await catchRefusal(merge)).code, 'conflict');
  assert.is(rows.one('forge_prs', PR)?.state, 'open');
});

test('who has requested changes is reported until they approve', async () => {
  const { repository, forge, rows } = await shopWithPr();
  const standing = async () => (await forge.pullRequest('shop', 1)).changesRequested;
  const review = { ...PR, head: repository.head('feature'), body: 'No.', comments: [] };
  rows.commit(await forge.write('review_pr', { ...review, verdict: 'request_changes' }, by('bob')));
  rows.commit(await forge.write('approve_pr', PR, by('ann')));
  assert.equal(await standing(), ['bob']);
  rows.commit(await forge.write('approve_pr', PR, by('bob')));
  assert.equal(await standing(), []);
});

test('an approval after a request for changes of the same author is an event of its own, however often', async () => {
  const { repository, forge, rows } = await shopWithPr();
  const review = { ...PR, head: repository.head('feature'), body: 'No.', comments: [] };
  const reported: string[] = [];
  for (const hour of [1, 2, 3]) {
    const approval = await forge.write('approve_pr', PR, { ...by('bob'), at: hour * 3_600_000 });
    rows.commit(approval);
    reported.push(...approval.events.map(({ externalId }) => externalId));
    rows.commit(
      await forge.write('review_pr', { ...review, verdict: 'request_changes' }, by('bob')),
    );
  }
  assert.is(new Set(reported).size, 3);
});

test('a merge is a commit with two parents, by the user who asked, at the time of the request (TOOL-6)', async () => {
  const { repository, forge, rows } = await shopWithPr({ bare: true });
  const [base, head] = [
    repository.commit({ 'list.txt': LINES.replace('1', 'one') }),
    repository.head('feature'),
  ];
  const change = await forge.write('merge_pr', PR, by('Bob <bob@x>', 'job-1/7/0'));
  const commit = repository.head();
  assert.is(
    repository.git('log', '-1', '--format=%P|%an|%ae|%aI|%cn|%cI', 'main'),
    `${base} ${head}|Bob bob@x|Bob-bob-x@svc.invalid|2026-01-02T10:00:00+00:00|Bob bob@x|2026-01-02T10:00:00+00:00`,
  );
  assert.is(
    repository.git('log', '-1', '--format=%B', 'main').trim(),
    'Merge pull request #1: Add a feature\n\nlocal:shop#1\n\nSvc-Operation: job-1/7/0',
  );
  assert.is(repository.show('list.txt'), LINES.replace('1', 'one').replace('9', 'nine').trimEnd());
  assert.equal(repository.git('ls-tree', '-r', '--name-only', 'main').split('\n'), [
    'feature.txt',
    'list.txt',
  ]);
  assert.is(repository.git('fsck', '--strict', '--no-dangling'), '');

  const mergedAt = '2026-01-02T10:00:00.000Z';
  assert.equal(change.result, {
    prId: 'local:shop#1',
    number: 1,
    url: 'http://127.0.0.1/shop/1',
    state: 'merged',
    mergedAt,
    mergeCommit: commit,
    mergedBy: 'Bob bob@x',
  });
  assert.equal(change.events, [
    {
      kind: 'merged',
      forge: 'local',
      repo: 'shop',
      number: 1,
      prId: 'local:shop#1',
      author: 'Bob bob@x',
      text: '',
      url: 'http://127.0.0.1/shop/1',
      externalId: `local:shop#1:merged:${commit}`,
      happenedAt: Date.parse(mergedAt),
    },
  ]);
  assert.equal(change.pr?.state, 'merged');
  assert.equal(change.pr?.mergedAt, mergedAt);
  rows.commit(change);
  const status = await forge.pullRequest('shop', 1);
  assert.equal(status.state, 'merged');
  assert.equal(status.mergeable, null);
  assert.equal(status.mergedAt, mergedAt);
  const again = await catchRefusal(() => forge.write('merge_pr', PR, by('eve')));
  assert.equal(again.code, 'conflict');
  assert.equal(again.message, 'local:shop#1 is merged already.');
  assert.equal(again.data, { state: 'merged' });
  repository.remove();
});

test('also where a fast-forward could do, it is a merge commit', async () => {
  const { repository, forge } = await shopWithPr({ bare: true });
  const [base, head] = [repository.head(), repository.head('feature')];
  await forge.write('merge_pr', PR, by('bob'));
  assert.is(repository.git('log', '-1', '--format=%P', 'main'), `${base} ${head}`);
  assert.is(
    repository.git('rev-parse', 'main^{tree}'),
    repository.git('rev-parse', 'feature^{tree}'),
  );
  repository.remove();
});

test('a conflict names the files and how to solve it; nothing moves and nothing is written by looking', async () => {
  const { repository, forge } = await shopWithPr({ bare: true });
  const base = repository.commit({
    'list.txt': LINES.replace('9', 'IX'),
    'old.txt': 'changed\n',
    'feature.txt': 'other\n',
  });
  const count = () => repository.git('count-objects', '-v');
  const before = count();
  assert.is((await forge.pullRequest('shop', 1)).mergeable, false);
  assert.is(count(), before);
  const refusal = await catchRefusal(() => forge.write('merge_pr', PR, by('bob')));
  assert.equal(refusal.code, 'conflict');
  assert.equal(refusal.status, 409);
  assert.equal(refusal.data, { files: ['feature.txt', 'list.txt', 'old.txt'] });
  assert.match(
    refusal.message,
    'feature and main do not go together in feature.txt (both sides changed the same part), list.txt (both sides changed the same part), old.txt (one side deleted it, the other changed it). In a checkout of feature run `git fetch origin` and `git merge origin/main`',
  );
  assert.is(repository.head(), base);

  // What the message advises makes it mergeable.
  repository.git(
    'update-ref',
    'refs/heads/feature',
    repository.git('commit-tree', 'feature^{tree}', '-p', 'feature', '-p', 'main', '-m', 'Solve'),
  );
  assert.is((await forge.pullRequest('shop', 1)).mergeable, true);
  await forge.write('merge_pr', PR, by('bob'));
  assert.is(repository.show('list.txt'), LINES.replace('9', 'nine').trimEnd());
  repository.remove();
});

test('where the base is checked out and clean, the working tree follows; untracked files stay', async () => {
  const { repository, forge } = await shopWithPr();
  writeFileSync(join(repository.path, 'notes.txt'), 'mine');
  const change = await forge.write('merge_pr', PR, by('bob'));
  assert.not.ok('warning' in change.result);
  assert.is(readFileSync(join(repository.path, 'list.txt'), 'utf8'), LINES.replace('9', 'nine'));
  assert.is(readFileSync(join(repository.path, 'feature.txt'), 'utf8'), 'new\n');
  assert.not.ok(existsSync(join(repository.path, 'old.txt')));
  assert.is(repository.git('status', '--porcelain'), '?? notes.txt');
  assert.is(repository.git('branch', '--show-current'), 'main');
  repository.remove();
});

test('changes in the working tree are never overwritten: 409 with the files', async () => {
  const { repository, forge } = await shopWithPr();
  const main = repository.head();
  const put = (name: string, text: string) => writeFileSync(join(repository.path, name), text);
  const situations: [make: () => unknown, file: string, undo: string[]][] = [
    [() => put('list.txt', 'mine'), 'list.txt', ['checkout', '--', '.']],
    [
      () => [put('staged.txt', 'mine'), repository.git('add', 'staged.txt')],
      'staged.txt',
      ['rm', '-f', '--quiet', 'staged.txt'],
    ],
    [
      () => put('feature.txt', 'untracked where the merge brings a file'),
      'feature.txt',
      ['clean', '-f', '--quiet'],
    ],
    [() => rmSync(join(repository.path, 'old.txt')), 'old.txt', ['checkout', '--', '.']],
    [
      () => [put('.git/info/exclude', 'feature.txt\n'), put('feature.txt', 'ignored, but mine')],
      'feature.txt',
      ['clean', '-fx', '--quiet'],
    ],
  ];
  for (const [make, file, undo] of situations) {
    make();
    const refusal = await catchRefusal(() => forge.write('merge_pr', PR, by('bob')));
    assert.equal(refusal.code, 'conflict');
    assert.equal(refusal.status, 409);
    assert.equal(refusal.data, { files: [file] });
    assert.is(
      refusal.message,
      `main is checked out in ${repository.path}, and these files there are in the way: ${file}. Commit, stash or move them, then merge again.`,
    );
    assert.is(repository.head(), main);
    repository.git(...undo);
  }
  await forge.write('merge_pr', PR, by('bob'));
  assert.is(repository.git('status', '--porcelain'), '');
  repository.remove();
});

test('a lock of a killed git is named with its file and can be removed; the branch has not moved', async () => {
  const { repository, forge } = await shopWithPr();
  const main = repository.head();
  for (const name of ['HEAD', 'refs/heads/main']) {
    const lock = join(repository.path, '.git', `${name}.lock`);
    writeFileSync(lock, '');
    const refusal = await catchRefusal(() => forge.write('merge_pr', PR, by('bob')));
    assert.is(isRepairable(refusal), true);
    assert.match(refusal.message, `rm '${lock}'`);
    assert.is(repository.head(), main);
    rmSync(lock);
  }
  await forge.write('merge_pr', PR, by('bob'));
  assert.is(repository.git('status', '--porcelain'), '');
  repository.remove();
});

test('while a person rebases the base, also in a linked worktree, nothing is merged into it', async () => {
  const { repository, forge } = await shopWithPr();
  const main = repository.head();
  const linked = join(repository.path, '..', `${basename(repository.path)}-linked`);
  repository.git('switch', '--quiet', '--detach');
  repository.git('worktree', 'add', '--quiet', linked, 'main');
  for (const dir of [linked, repository.path]) {
    if (dir === repository.path) repository.git('switch', '--quiet', 'main');
    const inTree = (...args: string[]) => repository.git('-C', dir, ...args);
    assert.throws(() => inTree('rebase', '--quiet', '--exec', 'false', '--root'));
    const refusal = await catchRefusal(() => forge.write('merge_pr', PR, by('bob')));
    assert.is(refusal.code, 'conflict');
    assert.match(refusal.message, `git -C '${dir}' rebase --abort`);
    assert.is((await forge.pullRequest('shop', 1)).mergeRefusal, refusal.message);
    assert.is(repository.git('rev-parse', 'main'), main);
    inTree('rebase', '--abort');
    if (dir === linked) repository.git('worktree', 'remove', '--force', linked);
  }
  await forge.write('merge_pr', PR, by('bob'));
  assert.is(repository.show('feature.txt'), 'new');
  repository.remove();
});

test('where another branch is checked out, its working tree is left alone, dirty or not', async () => {
  const { repository, forge } = await shopWithPr();
  repository.git('switch', '--quiet', '-c', 'elsewhere');
  writeFileSync(join(repository.path, 'list.txt'), 'mine');
  await forge.write('merge_pr', PR, by('bob'));
  assert.is(readFileSync(join(repository.path, 'list.txt'), 'utf8'), 'mine');
  assert.is(repository.git('status', '--porcelain'), ' M list.txt');
  assert.is(repository.show('feature.txt'), 'new');
  repository.remove();
});

test('a linked worktree with the base follows too, or is in the way when it is not clean', async () => {
  const { repository, forge } = await shopWithPr();
  repository.git('switch', '--quiet', '-c', 'elsewhere');
  const linked = `${repository.path}-linked`;
  repository.git('worktree', 'add', '--quiet', linked, 'main');
  writeFileSync(join(linked, 'list.txt'), 'mine');
  const refusal = await catchRefusal(() => forge.write('merge_pr', PR, by('bob')));
  assert.match(
    refusal.message,
    `main is checked out in ${linked}, and these files there are in the way: list.txt.`,
  );
  writeFileSync(join(linked, 'list.txt'), LINES);
  await forge.write('merge_pr', PR, by('bob'));
  assert.is(readFileSync(join(linked, 'feature.txt'), 'utf8'), 'new\n');
  repository.remove();
});

test('a crash between the branch and the working tree: the repeat, or the next start, finishes it', async () => {
  for (const way of ['repeat', 'resync', 'half'] as const) {
    const { repository, forge, rows } = await shopWithPr();
    const before = repository.head();
    const actor = by('bob');
    const lost = await forge.write('merge_pr', PR, actor);
    // As it is when the process dies right after the branch has moved.
    repository.git('read-tree', '--reset', '-u', before);
    if (way === 'half') writeFileSync(join(repository.path, 'feature.txt'), 'new\n');
    assert.is.not(repository.git('status', '--porcelain'), '');
    const restarted = openForge(repository, rows).forge;
    const changes =
      way === 'resync'
        ? await restarted.resync(AT + 60_000)
        : [await restarted.write('merge_pr', PR, actor)];
    assert.equal(changes, [lost], way);
    assert.is(repository.git('status', '--porcelain'), '');
    assert.ok(existsSync(join(repository.path, 'feature.txt')));
    rows.commit(...changes);
    assert.equal(await restarted.resync(AT + 120_000), []);
    repository.remove();
  }
});

test('after such a crash, what a person has changed in the meantime is left alone and reported', async () => {
  const person: [file: string, text: string][] = [
    ['list.txt', 'mine'],
    ['old.txt', 'mine'],
    ['feature.txt', 'mine'],
  ];
  for (const [file, text] of person) {
    const { repository, forge, rows } = await shopWithPr();
    const before = repository.head();
    const actor = by('bob');
    await forge.write('merge_pr', PR, actor);
    repository.git('read-tree', '--reset', '-u', before);
    writeFileSync(join(repository.path, file), text);
    const change = await openForge(repository, rows).forge.write('merge_pr', PR, actor);
    assert.is(
      change.result.warning,
      `${repository.path} has local changes and was not changed`,
      file,
    );
    assert.is(readFileSync(join(repository.path, file), 'utf8'), text);
    repository.remove();
  }
});

test('a merge by hand is recorded at the next look, once, with who did it (EVT-4)', async () => {
  const { repository, forge, rows } = await shopWithPr();
  assert.equal(await forge.resync(AT), []);
  repository.git('merge', '--quiet', '--no-ff', '-m', 'By hand', 'feature');
  const merge = repository.head();
  repository.commit({ 'later.txt': 'x' });
  const changes = await forge.resync(AT);
  assert.equal(
    changes.map(({ result, events }) => [
      result.mergeCommit,
      result.mergedBy,
      result.mergedAt,
      events.map(({ externalId }) => externalId),
    ]),
    [[merge, 'Ada', '2026-01-01T00:00:00.000Z', [`local:shop#1:merged:${merge}`]]],
  );
  rows.commit(...changes);
  assert.equal(await forge.resync(AT), []);
  repository.remove();
});

test('a fast-forward by hand is recorded too; merge_pr then makes no commit', async () => {
  const { repository, forge } = await shopWithPr({ bare: true });
  const head = repository.head('feature');
  repository.git('update-ref', 'refs/heads/main', head);
  const change = await forge.write('merge_pr', PR, by('bob'));
  assert.equal(change.result.state, 'merged');
  assert.equal(change.result.mergeCommit, head);
  assert.equal(change.result.mergedBy, 'bob');
  assert.is(repository.head(), head);
  repository.remove();
});

test('two merges at once: one commit, and both tell of the same one', async () => {
  const { repository, forge, rows } = await shopWithPr({ bare: true });
  const [one, other] = await Promise.all([
    forge.write('merge_pr', PR, by('bob')),
    forge.write('merge_pr', PR, by('eve')),
  ]);
  rows.commit(one, other);
  assert.equal(one.rows, other.rows);
  assert.equal(one.events, other.events);
  assert.is(repository.git('rev-list', '--merges', '--count', 'main'), '1');
  repository.remove();
});

test('a pull request whose branch is gone cannot be merged, and the message names the branch', async () => {
  const { repository, forge } = await shopWithPr({ bare: true });
  repository.git('branch', '-D', 'feature');
  assert.is((await forge.pullRequest('shop', 1)).mergeable, false);
  assert.is(
    await forge.diff('shop', 1),
    '# local:shop#1: branch feature or main no longer exists.\n',
  );
  const refusal = await catchRefusal(() => forge.write('merge_pr', PR, by('bob')));
  assert.equal(refusal.code, 'conflict');
  assert.equal(refusal.message, 'local:shop#1 cannot be merged: branch feature no longer exists.');
  repository.remove();
});

test('no hook of the repository runs during create, look and merge', async () => {
  const { repository, forge } = await shopWithPr();
  const traces = mkdtempSync(join(tmpdir(), 'svc-traps-'));
  const hooks = join(repository.path, '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  for (const name of [
    'reference-transaction',
    'post-checkout',
    'post-merge',
    'pre-merge-commit',
    'post-index-change',
    'commit-msg',
    'post-commit',
  ]) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${traces}/${name}\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  repository.git('config', 'core.fsmonitor', join(hooks, 'post-merge'));
  repository.git('config', 'diff.external', join(hooks, 'post-merge'));
  await forge.pullRequest('shop', 1);
  await forge.diff('shop', 1);
  await forge.write('merge_pr', PR, by('bob'));
  assert.equal(readdirSync(traces), []);
  rmSync(traces, { recursive: true });
  repository.remove();
});

test.run();
