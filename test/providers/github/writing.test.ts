import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ForgeOperation, ForgeOperations } from '../../../src/contract/forge/forge.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import type { FakeComment, FakePr } from '../../support/forges/fakeGithub/state.ts';
import { GithubStage, REPO } from '../../support/forges/githubStage.ts';

const test = suite('scm github: writing');

const PR = { repo: REPO, number: 1 };
const actor = (operationId = 'op') => ({ author: 'svc:job', at: Date.now(), operationId });

const on = (run: (stage: GithubStage, pr: FakePr) => Promise<void>) => async () => {
  const stage = await GithubStage.open();
  const { github, repo } = stage;
  github.state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
  const fields = { title: 'A', body: '', head: 'feature', base: 'main', author: 'ann' };
  const pr = openPr(github.state, repo, fields);
  try {
    await run(stage, pr);
  } finally {
    await stage.end();
  }
};

const createComment = (id: number, body: string): FakeComment => ({
  id,
  author: 'ann',
  body,
  at: 0,
  visibleAt: 0,
  association: 'MEMBER',
});

const write = <K extends ForgeOperation>(
  { forge }: GithubStage,
  operation: K,
  args: ForgeOperations[K],
) => forge.write(operation, args, actor());

test(
  'a review has no thread: the answer to it is a comment that quotes its first line (TOOL-6)',
  on(async (stage, pr) => {
    pr.reviews.push({
      ...createComment(7, 'Too long.\nMore.'),
      state: 'CHANGES_REQUESTED',
      commit: '',
    });
    await write(stage, 'reply_to_comment', { ...PR, commentId: 'review-7', body: 'Shorter now.' });
    assert.match(pr.comments[0]?.body ?? '', /^> ann: Too long\.\n\nShorter now\./);
  }),
);

test(
  'an answer in a thread whose confirmation was lost is found there, so that it is not repeated',
  on(async (stage, pr) => {
    const comments = [{ ...createComment(8, 'Why?'), replyTo: null }];
    pr.threads.push({ id: 'T', path: 'feature.txt', line: 1, resolved: false, comments });
    const args = { ...PR, commentId: 'thread-8', body: 'Because.' };
    assert.is(await stage.forge.find('reply_to_comment', args, actor()), null);
    await write(stage, 'reply_to_comment', args);
    const match = await stage.forge.find('reply_to_comment', args, actor());
    assert.equal(match?.result.commentId, `thread-${comments[1]?.id}`);
    assert.equal(match?.result.inReplyTo, 'thread-8');
    assert.is(await stage.forge.find('reply_to_comment', args, actor('other')), null);
  }),
);

test(
  'a repository of the token’s own account is made there, and a repeat knows it by its mark',
  on(async (stage) => {
    const args = { repo: 'svc-robot/notes', private: true, description: 'Notes.' };
    const { result } = await write(stage, 'create_repo', args);
    assert.equal(result.repo, 'svc-robot/notes');
    assert.equal(result.private, true);
    assert.ok(await stage.forge.find('create_repo', args, actor()));
    assert.is(await stage.forge.find('create_repo', args, actor('other')), null);
  }),
);

test.run();
