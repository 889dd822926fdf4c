import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { FakeGithub } from '../support/forges/fakeGithub/fakeGithub.ts';
import { story } from '../support/story.ts';

const test = suite('stories: a program whose forge refuses it');

const TOKEN = 'ghp_refused';
const REPO = 'acme/shop';

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
`;

/** It reports a refused call by a tool of its job, then ends with an exit code of its own. */
const CODER = `
if (git('branch', '--list', 'change') === '') git('switch', '-q', '-c', 'change');
git('commit', '-q', '--allow-empty', '-m', 'x');
const failed = refused('github_create_pr', { head: 'change', title: 'change' });
if (failed !== '') {
  tool('log', { message: 'no pull request' });
  throw new Error('no pull request');
}
tool('await_event', {});
`;

test('its job waits for a person while the token is refused, and continues when it is resumed', async () => {
  const github = new FakeGithub();
  github.state.addUser(TOKEN, 'svc-robot');
  github.state.addRepo(REPO);
  await github.start();
  const settings = { token: TOKEN, baseUrl: github.url, pollSeconds: 1 };
  const config = { plugins: { installed: { github: { config: settings } } } };
  const refuse = { status: 401, body: { message: 'Bad credentials' } };
  const isSettled = (job: Job) => job.ended || job.parked !== null;
  try {
    await story({ workflow: WORKFLOW, programs: { coder: CODER }, config }, async (it) => {
      github.fault = ({ method, path }) =>
        method === 'POST' && path.endsWith('/pulls') ? refuse : null;
      const id = await it.job({ repoSlug: REPO, gitProvider: 'github' });
      const refused = await it.until(id, isSettled);
      assert.equal([refused.ended, refused.parked?.kind], [false, 'developer']);
      github.fault = () => null;
      await it.client.resume(id, {});
      const waits = await it.until(id, (job) => job.parked?.kind === 'event');
      assert.is(waits.prMappings.length, 1);
    })();
  } finally {
    await github.stop();
  }
});

test.run();
