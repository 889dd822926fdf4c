import { renameSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ForgeActor, ForgeChange } from '../../../src/contract/forge.ts';
import { createLocalForge } from '../../../src/providers/local/forge.ts';
import { countProcesses } from '../../support/countProcesses.ts';
import { ForgeRows } from '../../support/forges/forgeRows.ts';
import { makeGitRepository } from '../../support/gitRepository.ts';
import { refusalOf } from '../../support/refusal.ts';

const test = suite('local forge: what people do with git, and with a pull request by hand');

const AT = Date.UTC(2026, 0, 2, 10);
const PR = { repo: 'shop', number: 1 };
let operations = 0;
const by = (author: string): ForgeActor => ({ author, at: AT, operationId: `op-${++operations}` });

/** A repository whose branch `feature` has two commits and an open pull request. */
async function shop() {
  const repository = makeGitRepository({ files: { 'list.txt': '1\n' } });
  repository.commit({ 'a.txt': 'a\n' }, { branch: 'feature' });
  repository.commit({ 'b.txt': 'b\n' }, { branch: 'feature' });
  const rows = new ForgeRows();
  const repos = { shop: { path: repository.path, defaultBranch: 'main' } };
  const open = () =>
    createLocalForge({ repos, rows, webUrl: (repo, n) => `http://127.0.0.1/${repo}/${n}` });
  const forge = open();
  const args = { repo: 'shop', head: 'feature', base: '', title: 'A', body: '', workItem: null };
  rows.commit(await forge.write('create_pr', { ...args, checkoutDir: '' }, by('svc:job')));
  /** What a look finds, as kinds of events; what it found is stored. */
  const look = async (at = forge): Promise<string[]> => {
    const changes = await at.resync(AT);
    rows.commit(...changes);
    return changes.flatMap(({ events }) => events.map(({ kind }) => kind));
  };
  const why = async (): Promise<string | undefined> => {
    const { unseen = [] } = await forge.news([PR]);
    return unseen[0]?.why;
  };
  return { repository, rows, forge, open, look, why };
}

const kinds = ({ events }: ForgeChange): string[] => events.map(({ kind }) => kind);

test('a merge by hand is found by a later look too, though its branch was deleted at once (EVT-4)', async () => {
  for (const restarted of [false, true]) {
    const { repository, look, open } = await shop();
    assert.equal(await look(), []);
    repository.git('merge', '--quiet', '--no-ff', '-m', 'By hand', 'feature');
    repository.git('branch', '-D', 'feature');
    assert.equal(await look(restarted ? open() : undefined), ['merged']);
    repository.remove();
  }
});

test('a look that finds nothing new starts no process, and sees the next merge', async () => {
  const { repository, forge, look } = await shop();
  assert.equal(await look(), []);
  await forge.news([PR]);
  repository.git('pack-refs', '--all');
  const quiet = await countProcesses(async () => [await look(), (await forge.news([PR])).seen]);
  assert.equal(quiet, { result: [[], [PR]], processes: 0 });
  repository.git('merge', '--quiet', '--no-ff', '-m', 'By hand', 'feature');
  assert.equal(await look(), ['merged']);
  repository.remove();
});

test('a rebase by hand that kept the changes is a merge; one commit of two is not (EVT-4)', async () => {
  const { repository, look } = await shop();
  repository.commit({ 'other.txt': 'x\n' });
  const [second, first] = repository.git('log', '--format=%H', 'feature').trim().split('\n');
  repository.git('cherry-pick', first ?? '');
  assert.equal(await look(), []);
  repository.git('cherry-pick', second ?? '');
  assert.equal(await look(), ['merged']);
  repository.remove();
});

test('a squash by hand cannot be proved: it is reported as what is seen', async () => {
  const { repository, look, why } = await shop();
  assert.is(await why(), undefined);
  repository.git('merge', '--quiet', '--squash', 'feature');
  repository.git('commit', '--quiet', '-m', 'Squashed');
  assert.equal(await look(), []);
  assert.is(
    await why(),
    `main has the same changes in commit ${repository.head().slice(0, 12)}: if it was squashed by hand, which svc cannot prove, close it`,
  );
  repository.remove();
});

test('branches that are gone and a folder that was moved away are named, and no longer when they are back', async () => {
  const { repository, why } = await shop();
  const { path } = repository;
  repository.git('branch', '-m', 'main', 'trunk');
  assert.is(await why(), `its base branch main no longer exists in ${path}`);
  repository.git('branch', '-m', 'trunk', 'main');
  assert.is(await why(), undefined);
  repository.git('branch', '-m', 'feature', 'elsewhere');
  assert.is(await why(), `its branch feature no longer exists in ${path}`);
  repository.git('branch', '-m', 'elsewhere', 'feature');
  renameSync(path, `${path}-moved`);
  assert.match((await why()) ?? '', `${path} does not exist`);
  renameSync(`${path}-moved`, path);
  assert.is(await why(), undefined);
  repository.remove();
});

test('a person closes and reopens it: rows, the reason as a comment, and an event each (EVT-4)', async () => {
  const { repository, rows, forge, look } = await shop();
  const closed = await forge.setOpen?.({ ...PR, open: false, reason: 'Another way.' }, by('bob'));
  assert.ok(closed);
  assert.equal(
    closed.events.map(({ kind, author, text }) => [kind, author, text]),
    [['closed', 'bob', 'Another way.']],
  );
  rows.commit(closed);
  assert.is((await forge.pullRequest('shop', 1)).state, 'closed');
  assert.equal(
    (await forge.comments('shop', 1)).map(({ author, body }) => [author, body]),
    [['bob', 'Another way.']],
  );
  assert.match(
    (await refusalOf(() => forge.setOpen?.({ ...PR, open: false, reason: '' }, by('bob')))).message,
    'local:shop#1 is closed already.',
  );
  assert.equal(await look(), []);
  const reopened = await forge.setOpen?.({ ...PR, open: true, reason: '' }, by('bob'));
  assert.ok(reopened);
  assert.equal(kinds(reopened), ['reopened']);
  rows.commit(reopened);
  const again = await forge.setOpen?.({ ...PR, open: false, reason: '' }, by('bob'));
  assert.is.not(again?.events[0]?.externalId, closed.events[0]?.externalId);
  repository.remove();
});

test('it is not opened again where a branch is gone, its commits are in the base, or it was merged', async () => {
  const { repository, rows, forge } = await shop();
  const reopen = () => forge.setOpen?.({ ...PR, open: true, reason: '' }, by('bob'));
  const closed = await forge.setOpen?.({ ...PR, open: false, reason: '' }, by('bob'));
  if (closed) rows.commit(closed);
  repository.git('branch', '-m', 'feature', 'elsewhere');
  assert.match((await refusalOf(reopen)).message, 'branch feature no longer exists');
  repository.git('branch', '-m', 'elsewhere', 'feature');
  const args = { repo: 'shop', head: 'feature', base: '', title: 'A', body: '', workItem: null };
  const second = await forge.write('create_pr', { ...args, checkoutDir: '' }, by('svc:job'));
  rows.commit(second);
  assert.match((await refusalOf(reopen)).message, 'local:shop#2 is open for the same branches');
  const merged = await forge.write('merge_pr', { repo: 'shop', number: 2 }, by('bob'));
  rows.commit(merged);
  assert.match((await refusalOf(reopen)).message, 'main has every commit of feature already');
  const over = () => forge.setOpen?.({ repo: 'shop', number: 2, open: true, reason: '' }, by('x'));
  assert.match((await refusalOf(over)).message, 'local:shop#2 is merged already, and stays so.');
  repository.remove();
});

test('a merge of svc whose row is about to be stored is not reported a second time', async () => {
  const { repository, rows, forge, look } = await shop();
  const change = await forge.write('merge_pr', PR, by('bob'));
  assert.equal(await look(), [], 'its row is not stored yet');
  rows.commit(change);
  assert.equal(await look(), []);
  repository.remove();
});

test.run();
