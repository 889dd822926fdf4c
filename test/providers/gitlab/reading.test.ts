import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatMark } from '../../../src/git/marks.ts';
import type { ForgeOperation, ForgeOperations } from '../../../src/contract/forge/forge.ts';
import { note, openMr, report, systemNote } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import type { FakeMr } from '../../support/forges/fakeGitlab/state.ts';
import { GitlabStage, REPO } from '../../support/forges/gitlabStage.ts';

const test = suite('scm gitlab: reading');

const on = (run: (stage: GitlabStage, mr: FakeMr) => Promise<void>) => async () => {
  const stage = await GitlabStage.open();
  const { state } = stage.server;
  state.commit(stage.project, 'feature', { 'feature.txt': 'new\n' });
  const mr = {
    title: 'A feature',
    description: '',
    source: 'feature',
    target: 'main',
    author: 'ann',
  };
  try {
    await run(stage, openMr(state, stage.project, mr));
  } finally {
    await stage.end();
  }
};

const CODE = { new_path: 'feature.txt', old_path: 'feature.txt', new_line: 1, old_line: null };

test(
  'comments, threads, approvals and checks are read together; what GitLab writes itself is no comment',
  on(async ({ forge, server: { state }, project }, mr) => {
    const at = Date.UTC(2026, 0, 1);
    const first = note(state, mr, 'ann', 'First.', { at });
    note(state, mr, 'ann', 'assigned to @bob', { at: at + 1, system: true });
    const question = note(state, mr, 'bob', 'Why?', {
      at: at + 2,
      type: 'DiffNote',
      position: CODE,
      resolvable: true,
      resolved: true,
    });
    const thread = mr.discussions.at(-1)?.id ?? '';
    const answer = note(state, mr, 'ann', 'So.', {
      at: at + 3,
      thread,
      type: 'DiffNote',
      position: CODE,
    });
    mr.approvals.push('bob');
    report(state, project, 'feature', 'build', 'success');
    report(state, project, 'feature', 'test', 'failed');
    report(state, project, 'feature', 'lint', 'failed', true);
    report(state, project, 'feature', 'deploy', 'running');
    report(state, project, 'main', 'of another commit', 'failed');
    const detail = await forge.pullRequest(REPO, 1);
    assert.equal(
      detail.thread.map(({ id, author, body, inReplyTo }) => [id, author, body, inReplyTo]),
      [
        [`note-${first.id}`, 'ann', 'First.', null],
        [`note-${question.id}`, 'bob', 'Why?', null],
        [`note-${answer.id}`, 'ann', 'So.', `note-${question.id}`],
      ],
    );
    const commentIds = [`note-${question.id}`, `note-${answer.id}`];
    assert.equal(detail.reviewThreads, [
      { id: thread, path: 'feature.txt', line: 1, resolved: true, commentIds },
    ]);
    assert.equal(detail.approvals, ['bob']);
    assert.equal(detail.comments, 3);
    assert.equal(
      detail.checks.map(({ name, state: result }) => [name, result]),
      [
        ['build', 'passed'],
        ['test', 'failed'],
        ['lint', 'neutral'],
        ['deploy', 'pending'],
      ],
    );
  }),
);

test(
  'a request for changes stands until its reviewer approves, is asked again or is removed; without one nothing more is asked',
  on(async ({ forge, server }, mr) => {
    const { state } = server;
    const standing = async () => (await forge.pullRequest(REPO, 1)).changesRequested;
    const countReviewerRequests = () =>
      server.seen.filter(({ path }) => path.endsWith('/reviewers')).length;
    assert.equal(await standing(), []);
    assert.is(countReviewerRequests(), 0);
    systemNote(state, mr, 'bob', 'requested changes');
    mr.reviewers.set('bob', 'requested_changes');
    systemNote(state, mr, 'ann', 'approved this merge request');
    mr.approvals.push('ann');
    assert.equal(await standing(), ['bob']);
    assert.is(countReviewerRequests(), 1);
    for (const word of ['approved', 'unreviewed'] as const) {
      mr.reviewers.set('bob', word);
      assert.equal(await standing(), []);
    }
  }),
);

test(
  'where GitLab does not list a reviewer, its notes say whether the request for changes stands',
  on(async ({ forge, server: { state } }, mr) => {
    const standing = async () => (await forge.pullRequest(REPO, 1)).changesRequested;
    const steps = [
      ['bob', 'requested changes', ['bob']],
      ['ann', 'requested review from @eve and removed review request for @bobby', ['bob']],
      ['bob', 'approved this merge request', []],
      ['bob', 'requested changes', ['bob']],
      ['ann', 'removed review request for @eve and @bob', []],
    ] as const;
    for (const [author, body, expected] of steps) {
      systemNote(state, mr, author, body);
      assert.equal(await standing(), expected, body);
    }
  }),
);

for (const dropsLinks of [false, true]) {
  test(
    `a list of any length is read to its end${dropsLinks ? ', where a proxy drops the Link header too' : ''}: 250 comments, 120 merge requests`,
    on(async ({ forge, server, project }, mr) => {
      server.dropsLinks = dropsLinks;
      for (let n = 1; n <= 250; n += 1) note(server.state, mr, 'ann', `comment ${n}`);
      const { thread } = await forge.pullRequest(REPO, 1);
      assert.is(new Set(thread.map(({ id }) => id)).size, 250);
      for (let iid = 2; iid <= 120; iid += 1) project.mrs.push({ ...mr, iid, discussions: [] });
      assert.is((await forge.pullRequests(REPO)).length, 120);
      assert.is(server.seen.filter(({ path }) => path.endsWith('/merge_requests')).length, 2);
    }),
  );
}

test(
  'the same list asked for again is answered by "not modified" while it stays the same',
  on(async ({ forge, server }) => {
    const lists = [await forge.pullRequests(REPO), await forge.pullRequests(REPO)];
    assert.equal(lists[0], lists[1]);
    assert.equal(
      server.seen.map(({ status }) => status),
      [200, 304],
    );
  }),
);

test(
  'whether it can be merged is unknown while GitLab is finding out; what is missing for a merge makes it false',
  on(async ({ forge, server, project }) => {
    const mergeable = async () => (await forge.pullRequest(REPO, 1)).mergeable;
    server.state.checkMs = 3_600_000;
    assert.is(await mergeable(), null);
    server.state.checkMs = 0;
    server.state.commit(project, 'main', { 'other.txt': 'other\n' });
    assert.is(await mergeable(), true);
    project.demandedApprovals = 1;
    assert.is(await mergeable(), false);
  }),
);

test(
  'a project is found by any spelling of its path, and named as GitLab writes it; it has one mirror',
  on(async ({ forge, server }) => {
    const { prId, repo } = await forge.pullRequest('Acme/WEB/shop', 1);
    assert.equal(prId, `gitlab:${REPO}#1`);
    assert.equal(repo, REPO);
    const [one, two] = [
      await forge.source('Acme/WEB/shop', { fresh: true }),
      await forge.source(REPO, { fresh: true }),
    ];
    assert.is(one?.path, two?.path);
    assert.ok(server.seen.every(({ path }) => /^\/projects\/acme%2Fweb%2Fshop\//i.test(path)));
  }),
);

test(
  'after a write whose answer was lost it is found under its own id, as soon as GitLab shows it, and under no other',
  on(async ({ forge, server: { state } }, mr) => {
    const comment = note(state, mr, 'ann', 'Please.');
    const by = (operationId: string) => ({ author: 'svc:job', at: Date.now(), operationId });
    const creation = {
      repo: REPO,
      head: 'second',
      base: 'main',
      title: 'T',
      body: '',
      checkoutDir: '',
      workItem: null,
    };
    state.commit(state.project(REPO), 'second', { 'second.txt': 'new\n' });
    const one = { repo: REPO, number: 1 };
    const runOperation = async <K extends ForgeOperation>(
      operation: K,
      args: ForgeOperations[K],
    ) => {
      assert.is(await forge.find(operation, args, by(operation)), null, operation);
      const { result } = await forge.write(operation, args, by(operation));
      const match = await forge.find(operation, args, by(operation));
      assert.equal(match?.result, result, operation);
      assert.is(await forge.find(operation, args, by('another')), null, operation);
    };
    await runOperation('create_pr', creation);
    await runOperation('create_repo', { repo: 'acme/web/new', description: 'New', private: true });
    await runOperation('post_pr_comment', { ...one, body: 'Hello.' });
    await runOperation('reply_to_comment', {
      ...one,
      commentId: `note-${comment.id}`,
      body: 'Done.',
    });

    state.lagMs = 3_600_000;
    await forge.write('post_pr_comment', { ...one, body: 'Late.' }, by('late'));
    assert.is(await forge.find('post_pr_comment', { ...one, body: 'Late.' }, by('late')), null);
  }),
);

test(
  "a mark that another user has copied is not svc's own write",
  on(async ({ forge, server: { state } }, mr) => {
    note(state, mr, 'ann', `Hello.\n\n${formatMark('op')}`);
    const comment = { repo: REPO, number: 1, body: 'Hello.' };
    assert.is(
      await forge.find('post_pr_comment', comment, {
        author: 'svc:job',
        at: Date.now(),
        operationId: 'op',
      }),
      null,
    );
  }),
);

test(
  'an existing project is not created again, and the message says that it exists',
  on(async ({ forge }) => {
    const by = { author: 'svc:job', at: Date.now(), operationId: 'op' };
    const { result } = await forge.write(
      'create_repo',
      { repo: 'acme/fresh', description: '', private: true },
      by,
    );
    assert.equal(result.repo, 'acme/fresh');
    assert.equal(result.defaultBranch, 'main');
    assert.equal(result.private, true);
    try {
      await forge.write(
        'create_repo',
        { repo: 'acme/fresh', description: '', private: true },
        { ...by, operationId: 'two' },
      );
      assert.unreachable();
    } catch (error) {
      assert.match(String(error), /acme\/fresh already exists/);
    }
  }),
);

test(
  'an older server that ignores the pipeline shows results of earlier ones: they do not count',
  on(async ({ forge, server, project }) => {
    report(server.state, project, 'feature', 'flaky', 'failed');
    const [first] = project.pipelines;
    if (!first) throw new Error('a report makes a pipeline');
    // The same commit once more, without that job.
    const statuses = [
      { id: server.state.id(), name: 'test', status: 'success', allowFailure: false, at: 0 },
    ];
    project.pipelines.push({ ...first, id: server.state.id(), statuses });
    project.ignoresPipeline = true;
    const { checks, checksState } = await forge.pullRequest(REPO, 1);
    assert.equal(
      checks.map(({ name, state }) => [name, state]),
      [['test', 'passed']],
    );
    assert.equal(checksState.state, 'green');
  }),
);

test.run();
