import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import { AccountWriter } from '../../../src/providers/account/accountWriter.ts';
import type { ForgeOperation, ForgeOperations } from '../../../src/contract/forge/forge.ts';
import { formatLinkMark } from '../../../src/git/marks.ts';
import { BitbucketStage, REPO } from '../../support/forges/bitbucketStage.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('scm bitbucket: writing');

const on =
  (run: (stage: BitbucketStage) => Promise<void>, clock: Clock = systemClock) =>
  async () => {
    const stage = await BitbucketStage.open(clock);
    try {
      await run(stage);
    } finally {
      await stage.end();
    }
  };

const by = (operationId: string) => ({ author: 'svc:job', at: Date.now(), operationId });
const PR = { repo: REPO, number: 1 };
const CREATION = {
  repo: REPO,
  head: 'feature',
  base: 'main',
  title: 'T',
  body: 'Why.',
  checkoutDir: '',
  workItem: null,
};
const REPOSITORY = { repo: 'acme/new', description: 'A shop.', private: true };

/** Writes, and says whether the operation is found under its id, and under another. */
async function runForgeOperation<K extends ForgeOperation>(
  { forge }: BitbucketStage,
  operation: K,
  args: ForgeOperations[K],
  id: string,
) {
  const written = await forge.write(operation, args, by(id));
  const again = await forge.find(operation, args, by(id));
  const other = await forge.find(operation, args, by(`not-${id}`));
  return { written, again: again?.result ?? null, other: other?.result ?? null };
}

test(
  'what was written is found by its id, and by no other, however it is read',
  on(async (stage) => {
    const { state } = stage.bitbucket;
    state.commit(stage.repo, 'feature', { 'feature.txt': 'new\n' });
    const created = await runForgeOperation(stage, 'create_pr', CREATION, 'create');
    assert.equal(created.again, created.written.result);
    assert.equal(created.other, null);
    const outcome = await runForgeOperation(
      stage,
      'post_pr_comment',
      { ...PR, body: 'Hello.' },
      'say',
    );
    assert.equal(outcome.again, outcome.written.result);
    assert.equal(outcome.other, null);
    const commentId = String(outcome.written.result.commentId);
    const replied = await runForgeOperation(
      stage,
      'reply_to_comment',
      { ...PR, commentId, body: 'Hello too.' },
      'reply',
    );
    assert.equal(replied.again, replied.written.result);
    assert.equal(replied.other, null);
    const merged = await runForgeOperation(stage, 'merge_pr', PR, 'merge');
    assert.equal(merged.again?.mergeCommit, merged.written.result.mergeCommit);
    assert.equal(merged.other, null);
    assert.is(merged.again?.mergedBy, 'svc-robot');
  }),
);

test(
  'the mark is a link definition, which Bitbucket shows nowhere, and is not part of what is read',
  on(async ({ forge, bitbucket: { state } }) => {
    state.commit(state.repo(REPO), 'feature', { 'feature.txt': 'new\n' });
    await forge.write('create_pr', CREATION, by('create'));
    await forge.write('post_pr_comment', { ...PR, body: 'Hello.' }, by('say'));
    const pr = state.pr(REPO, 1);
    assert.equal(pr.description, `Why.\n\n${formatLinkMark('create')}`);
    assert.equal(pr.comments[0]?.raw, `Hello.\n\n${formatLinkMark('say')}`);
    assert.match(formatLinkMark('say'), /^\[\/\/\]: # \(svc:op=[0-9a-f]{24}\)$/);
    const { body, thread } = await forge.pullRequest(REPO, 1);
    assert.equal(body, 'Why.');
    assert.equal(thread[0]?.body, 'Hello.');
  }),
);

test(
  'a comment that copies a mark is not taken for the one that svc has written',
  on(async ({ forge, bitbucket: { state } }) => {
    const pr = state.openPr(state.repo(REPO), {
      title: 'A',
      description: '',
      head: 'main',
      base: 'main',
      author: 'ann',
    });
    state.say(pr, 'ann', `Me.\n\n${formatLinkMark('say')}`);
    assert.is(await forge.find('post_pr_comment', { ...PR, body: 'Hello.' }, by('say')), null);
  }),
);

test(
  'a pull request that is open keeps its title and text when the same branches are brought again',
  on(async ({ forge, bitbucket: { state } }) => {
    state.commit(state.repo(REPO), 'feature', { 'feature.txt': 'new\n' });
    await forge.write('create_pr', CREATION, by('one'));
    const { result } = await forge.write('create_pr', { ...CREATION, title: 'Other' }, by('two'));
    assert.equal(result.existing, true);
    assert.equal(result.number, 1);
    assert.equal(state.pr(REPO, 1).title, 'T');
  }),
);

test(
  'an approval is given once; the second is answered as there, also where Bitbucket refuses it',
  on(async (stage) => {
    const { forge, bitbucket } = stage;
    stage.opened('ann');
    assert.is(await forge.find('approve_pr', PR, by('a')), null);
    const [first, second] = [
      await forge.write('approve_pr', PR, by('a')),
      await forge.write('approve_pr', PR, by('b')),
    ];
    assert.equal(first.result.existing, false);
    assert.equal(second.result.existing, true);
    assert.equal(first.result.approvals, ['svc-robot']);
    assert.ok(await forge.find('approve_pr', PR, by('a')));
    const body = { type: 'error', error: { message: 'You already approved this pull request.' } };
    bitbucket.state.pr(REPO, 1).reviews.clear();
    bitbucket.fault = ({ path }) => (path.endsWith('/approve') ? { status: 409, body } : null);
    assert.is((await forge.write('approve_pr', PR, by('c'))).result.existing, true);
  }),
);

test(
  'a write whose answer was lost is found, and goes out no second time (TOOL-6)',
  on(async ({ forge, bitbucket }) => {
    const { state } = bitbucket;
    state.commit(state.repo(REPO), 'feature', { 'feature.txt': 'new\n' });
    const service = new AccountWriter({
      row: () => undefined,
      commit: async () => {},
      clock: systemClock,
    });
    bitbucket.fault = ({ method }) => (method === 'POST' ? 'cut-after' : null);
    const write = <K extends ForgeOperation>(operation: K, args: ForgeOperations[K]) =>
      service.write(forge, operation, args, by(operation), { jobId: 'job', phase: 'coding' });
    assert.is((await write('create_pr', CREATION)).result.existing, false);
    await write('post_pr_comment', { ...PR, body: 'Hello.' });
    await write('approve_pr', PR);
    assert.match(String((await write('merge_pr', PR)).result.mergeCommit), /^[0-9a-f]{40}$/);
    assert.equal(
      bitbucket.seen
        .filter(({ method }) => method === 'POST')
        .map(({ path }) => path.split('/').at(-1)),
      ['pullrequests', 'comments', 'approve', 'merge'],
    );
  }),
);

test(
  'a repository is created with a first commit, and recognized by its mark; one of another user is refused',
  on(async (stage) => {
    const { forge, bitbucket } = stage;
    const { written, again, other } = await runForgeOperation(
      stage,
      'create_repo',
      REPOSITORY,
      'make',
    );
    const { url, ...rest } = written.result;
    assert.equal(rest, { repo: 'acme/new', defaultBranch: 'main', private: true });
    assert.equal(again, written.result);
    assert.equal(other, null);
    assert.is((await forge.source('acme/new', { fresh: true }))?.defaultBranch, 'main');
    assert.is(
      (await catchRefusal(() => forge.write('create_repo', REPOSITORY, by('other')))).code,
      'conflict',
    );
    bitbucket.fault = ({ path }) => (path.endsWith('/src') ? 'cut-before' : null);
    const half = { ...REPOSITORY, repo: 'acme/half' };
    await catchRefusal(() => forge.write('create_repo', half, by('half')));
    bitbucket.fault = () => null;
    assert.is(await forge.find('create_repo', half, by('half')), null, 'it is incomplete');
    await forge.write('create_repo', half, by('half'));
    assert.ok(
      await forge.find('create_repo', half, by('half')),
      'the repeat has made its first commit',
    );
  }),
);

/** Runs what waits on the clock until the promise ends. */
async function passing<T>(clock: SimulatedClock, running: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  running.then(end, end);
  while (!isOver) {
    clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return running;
}

const slow = new SimulatedClock();

test(
  'a merge that takes longer than its request is waited for; its failure says why',
  on(async (stage) => {
    const { forge, bitbucket } = stage;
    stage.opened('ann');
    bitbucket.state.mergeMs = 20_000;
    bitbucket.state.mergeError = 'The destination branch has moved.';
    const { code, message } = await catchRefusal(() =>
      passing(slow, forge.write('merge_pr', PR, by('one'))),
    );
    assert.is(code, 'conflict');
    assert.match(
      message,
      /^bitbucket:acme\/shop#1 cannot be merged: .*The destination branch has moved\.$/,
    );
    bitbucket.state.mergeError = null;
    const { result } = await passing(slow, forge.write('merge_pr', PR, by('two')));
    assert.match(String(result.mergeCommit), /^[0-9a-f]{40}$/);
    assert.is(bitbucket.state.pr(REPO, 1).state, 'MERGED');
  }, slow),
);

test(
  'a merge of a commit that is no longer the newest is not asked for: Bitbucket takes no commit',
  on(async (stage) => {
    const { forge, bitbucket, repo } = stage;
    stage.opened();
    const { headCommit: head } = await forge.pullRequest(REPO, 1);
    bitbucket.state.commit(repo, 'feature', { 'later.txt': 'x\n' });
    const { code, data } = await catchRefusal(() =>
      forge.write('merge_pr', { ...PR, head }, by('stale')),
    );
    assert.equal([code, data.reason], ['conflict', 'sha']);
    assert.is(bitbucket.state.pr(REPO, 1).state, 'OPEN');
    const newest = (await forge.pullRequest(REPO, 1)).headCommit;
    const { result } = await forge.write('merge_pr', { ...PR, head: newest }, by('newest'));
    assert.is(result.state, 'merged');
  }),
);

test(
  'the strategy of the configuration is asked for; a fast forward has no text to carry a mark, so who merged counts',
  on(async (stage) => {
    const forge = stage.makeForge({ values: { mergeMethod: 'fast_forward' } });
    stage.opened('ann');
    await forge.write('merge_pr', PR, by('one'));
    const message = execFileSync(
      'git',
      ['--git-dir', stage.repo.gitDir, 'log', '-1', '--format=%B', 'main'],
      {
        encoding: 'utf8',
      },
    );
    assert.not.match(message, /svc:op/);
    assert.ok(await forge.find('merge_pr', PR, by('one')));
    stage.bitbucket.state.pr(REPO, 1).closedBy = 'ann';
    assert.is(await forge.find('merge_pr', PR, by('one')), null);
  }),
);

test(
  'a comment that Bitbucket does not show yet is found later: nothing may be concluded before the window has passed',
  on(async (stage) => {
    stage.opened('ann');
    stage.bitbucket.state.lagMs = 5_000;
    const args = { ...PR, body: 'Hello.' };
    await passing(slow, stage.forge.write('post_pr_comment', args, by('say')));
    assert.is(await stage.forge.find('post_pr_comment', args, by('say')), null);
    slow.advance(stage.forge.consistencyMs);
    assert.ok(await stage.forge.find('post_pr_comment', args, by('say')));
  }, slow),
);

test(
  'a new repository goes to the project that the settings name, or where Bitbucket puts it',
  on(async (stage) => {
    const bodies: unknown[] = [];
    const { bitbucket } = stage;
    const respond = bitbucket.respond.bind(bitbucket);
    bitbucket.respond = (request) => {
      if (
        request.method === 'POST' &&
        /^\/2\.0\/repositories\/acme\/\w+$/.test(request.url.pathname)
      )
        bodies.push(JSON.parse(request.text).project);
      return respond(request);
    };
    const projectForge = stage.makeForge({ values: { project: 'SHOP' } });
    await projectForge.write('create_repo', { ...REPOSITORY, repo: 'acme/one' }, by('one'));
    await stage.forge.write('create_repo', { ...REPOSITORY, repo: 'acme/two' }, by('two'));
    assert.equal(bodies, [{ key: 'SHOP' }, undefined]);
  }),
);

test(
  'a merge that takes Bitbucket too long (555) is looked for: done it is known, not done it is asked for again',
  on(async (stage) => {
    stage.opened('svc-robot');
    const merge = () => stage.forge.write('merge_pr', { repo: REPO, number: 1 }, by('late'));
    const look = () => stage.forge.find('merge_pr', { repo: REPO, number: 1 }, by('late'));
    stage.bitbucket.fault = ({ path }) => (path.endsWith('/merge') ? { status: 555 } : null);
    const { code, data } = await catchRefusal(merge);
    assert.equal(code, 'unreachable');
    assert.equal(data.sent, true);
    assert.equal(await look(), null);
    assert.ok(stage.forge.doesOnce.has('merge_pr'), 'so a repeat merges once');
    stage.bitbucket.fault = () => null;
    assert.is((await merge()).result.state, 'merged');
    assert.is((await look())?.result.state, 'merged');
  }),
);

test.run();
