import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ForgeActor } from '../../../src/contract/forge/forge.ts';
import { explainMergeProblem } from '../../../src/providers/mergeGuard.ts';
import { createLocalForge } from '../../../src/providers/local/forge.ts';
import type { ReadOptions, Where } from '../../../src/kernel/typedRows.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { ForgeRows } from '../../support/forges/forgeRows.ts';
import { makeGitRepository } from '../../support/gitRepository.ts';

const test = suite('scm local forge: what cannot be read of a pull request leaves the rest of it');

/** Leaves out rows that cannot be read and counts them, as the store does. */
class DamagedRows extends ForgeRows {
  isBroken: (row: object) => boolean = () => false;

  override all<Name extends keyof Tables>(
    table: Name,
    where?: Where<Tables[Name]>,
    options?: ReadOptions<Tables[Name]>,
  ): Tables[Name][] {
    return super.all(table, where, options).filter((row) => !this.isBroken(row));
  }

  override count<Name extends keyof Tables>(table: Name, where?: Where<Tables[Name]>): number {
    return super.all(table, where).length;
  }
}

let operations = 0;
const by = (author: string): ForgeActor => ({ author, at: 1, operationId: `op-${++operations}` });

/** A pull request with two comments of ann and an approval of bob. */
async function open() {
  const repository = makeGitRepository({ bare: true, files: { 'README.md': 'A shop.\n' } });
  repository.commit({ 'feature.txt': 'new\n' }, { branch: 'feature' });
  const rows = new DamagedRows();
  const forge = createLocalForge({
    mayAct: mayAlwaysAct,
    repos: { shop: { path: repository.path, defaultBranch: null } },
    rows,
    webUrl: () => 'http://127.0.0.1:1/',
  });
  const args = { repo: 'shop', head: 'feature', base: '', title: 'A', body: '' };
  const more = { checkoutDir: '', workItem: null };
  rows.commit(await forge.write('create_pr', { ...args, ...more }, by('svc:job-1')));
  const pr = { repo: 'shop', number: 1 };
  for (const body of ['one', 'two'])
    rows.commit(await forge.write('post_pr_comment', { ...pr, body }, by('ann')));
  rows.commit(await forge.write('approve_pr', pr, by('bob')));
  return { repository, rows, forge };
}

test('a comment that cannot be read keeps the others, and is named', async () => {
  const { repository, rows, forge } = await open();
  rows.isBroken = (row) => 'body' in row && row.body === 'one';
  const { thread, unread } = await forge.pullRequest('shop', 1);
  assert.equal(
    thread.map(({ body }) => body),
    ['two'],
  );
  assert.equal(
    unread?.flatMap(({ parts }) => parts),
    ['comments', 'threads'],
  );
  assert.is((await forge.comments('shop', 1)).length, 1);
  repository.remove();
});

test('a review that cannot be read lets agents wait with the merge', async () => {
  const { repository, rows, forge } = await open();
  const problem = async () => explainMergeProblem(await forge.pullRequest('shop', 1), () => false);
  assert.is(await problem(), null);
  rows.commit(await forge.write('approve_pr', { repo: 'shop', number: 1 }, by('cyd')));
  rows.isBroken = (row) => 'verdict' in row && 'author' in row && row.author === 'cyd';
  assert.match((await problem()) ?? '', /its reviews cannot be read/);
  repository.remove();
});

test('a repository in which git cannot find out whether it can be merged shows the rest', async () => {
  const { repository, forge } = await open();
  const tree = repository.git('rev-parse', 'feature^{tree}').trim();
  rmSync(join(repository.path, 'objects', tree.slice(0, 2), tree.slice(2)), { force: true });
  const { mergeable, thread, unread } = await forge.pullRequest('shop', 1);
  assert.is(mergeable, null);
  assert.is(thread.length, 2);
  assert.equal(
    unread?.flatMap(({ parts }) => parts),
    ['mergeability'],
  );
  repository.remove();
});

test('a pull request that cannot be read is not in the list, and its neighbours are', async () => {
  const { repository, rows, forge } = await open();
  repository.commit({ 'other.txt': 'new\n' }, { branch: 'other' });
  const args = { repo: 'shop', head: 'other', base: '', title: 'B', body: '' };
  const more = { checkoutDir: '', workItem: null };
  rows.commit(await forge.write('create_pr', { ...args, ...more }, by('svc:job-1')));
  rows.isBroken = (row) => 'title' in row && row.title === 'A';
  assert.equal(
    (await forge.pullRequests('shop')).map(({ number }) => number),
    [2],
  );
  repository.remove();
});

test.run();
