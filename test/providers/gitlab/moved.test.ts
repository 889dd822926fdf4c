import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMr } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import { GitlabStage, REPO } from '../../support/forges/gitlabStage.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm gitlab: a project that was moved');

const OLD = 'acme/old/shop';
const by = () => ({ author: 'svc:job', at: Date.now(), operationId: 'op' });

const on = (run: (stage: GitlabStage) => Promise<void>) => async () => {
  const stage = await GitlabStage.open();
  const { server, project } = stage;
  server.state.commit(project, 'feature', { 'feature.txt': 'new\n' });
  openMr(server.state, project, {
    title: 'A feature',
    description: '',
    source: 'feature',
    target: 'main',
    author: 'svc-robot',
  });
  project.formerPaths.push(OLD);
  await run(stage).finally(() => stage.end());
};

test(
  'reads and writes under its former path are done at its present one, once, and are reported under it',
  on(async ({ forge, server, project }) => {
    const at = { repo: OLD, number: 1 };
    assert.is((await forge.pullRequest(OLD, 1)).repo, REPO);
    const comment = await forge.write('post_pr_comment', { ...at, body: 'Hello' }, by());
    assert.is(comment.result.prId, `gitlab:${REPO}#1`);
    assert.is((await forge.write('merge_pr', at, by())).result.state, 'merged');
    assert.equal(project.mrs[0]?.state, 'merged');
    assert.equal(project.mrs[0]?.discussions.length, 1);
    assert.is(server.writes(/\/notes$|\/merge$/), 2);
  }),
);

test(
  'git follows it too',
  on(async ({ forge }) => {
    assert.is((await forge.source(OLD, { fresh: true }))?.defaultBranch, 'main');
  }),
);

test(
  'a write that is refused as moved, of a project that cannot be found, stays refused',
  on(async ({ forge, server }) => {
    server.fault = ({ method, path }) =>
      method === 'GET' && /^\/projects\/[^/]+$/.test(path) ? { status: 404 } : null;
    const args = { repo: OLD, number: 1, body: 'Hello' };
    const { code, message } = await catchRefusal(() => forge.write('post_pr_comment', args, by()));
    assert.is(code, 'conflict');
    assert.match(message, 'not allowed for moved projects');
  }),
);

test.run();
