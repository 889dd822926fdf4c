import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { FakeGithub } from '../support/forges/fakeGithub/fakeGithub.ts';
import { mergePr } from '../support/forges/fakeGithub/pulls.ts';
import { story } from '../support/story.ts';

const test = suite('stories: closed, merged, reopened and gone at GitHub');

const TOKEN = 'ghp_closed';
const REPO = 'acme/shop';

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
  - { name: testing, agent: agents/tester.md, status: testing }
`;

/** Opens two pull requests, and a third one when one of them was closed. */
const CODER = `
const open = (head) => {
  git('switch', '-q', '-c', head);
  git('commit', '-q', '--allow-empty', '-m', head);
  tool('github_create_pr', { head, title: head });
};
if (session.visit === 1) for (const head of ['first', 'second']) open(head);
if (kickoff.includes('closed on')) open('third');
tool('await_event', {});
`;

test('a close leads back, an open pull request holds the merge of another one back, a reopening is derived, and a repository that is gone is reported once (EVT-4)', async () => {
  const github = new FakeGithub();
  const { state } = github;
  state.addUser(TOKEN, 'svc-robot');
  const repo = state.addRepo(REPO);
  await github.start();
  const settings = { token: TOKEN, baseUrl: github.url, pollSeconds: 1 };
  const config = { plugins: { installed: { github: { config: settings } } } };
  const programs = { coder: CODER, tester: "console.log('tested')" };
  try {
    await story({ workflow: WORKFLOW, programs, config }, async (it) => {
      const id = await it.job({ repoSlug: REPO, gitProvider: 'github' });
      const waits = (visit: number) => (job: Job) =>
        job.parked?.kind === 'event' && job.visit >= visit;
      const phases = (job: Job) => job.phases.map(({ phase }) => phase);
      const problems = async () =>
        (await it.client.journal(id)).filter(({ event }) => event.type === 'pr.problems').length;
      const polled = async (times: number) => {
        const polls = async () =>
          (await it.client.forges()).find((one) => one.id === 'github')?.polls ?? 0;
        const from = await polls();
        await it.settled(async () => (await polls()) >= from + times);
      };
      const put = (number: number, change: object) =>
        Object.assign(state.pr(REPO, number), change, { updatedAt: Date.now() + 1000 });

      await it.until(id, waits(1));
      mergePr(state, repo, state.pr(REPO, 1), 'ann', 'Merged');
      const parkedJob = await it.until(id, waits(2));
      assert.equal(phases(parkedJob), ['coding', 'coding'], 'the second one is open');

      put(2, { state: 'CLOSED', closedAt: Date.now(), closedBy: 'ann' });
      const back = await it.until(id, waits(3));
      assert.equal(phases(back), ['coding', 'coding', 'coding'], 'a close leads back');
      assert.equal(
        back.prMappings.map((pr) => pr.state),
        ['merged', 'closed', 'open'],
      );

      put(2, { state: 'OPEN', closedAt: null, closedBy: null });
      const again = await it.until(id, waits(4));
      assert.equal(
        again.prMappings.map((pr) => pr.state),
        ['merged', 'open', 'open'],
      );
      assert.is(phases(again).at(-1), 'coding');

      assert.is(await problems(), 0);
      state.repos.splice(state.repos.indexOf(repo), 1);
      const vanishedPrJob = await it.until(id, ({ parked }) => parked?.needsPerson === true);
      assert.match(vanishedPrJob.parked?.reason ?? '', /github no longer shows it/);
      assert.equal(
        vanishedPrJob.prMappings.map(({ problem = null }) => problem !== null),
        [false, true, true],
      );
      assert.match(JSON.stringify(await it.client.why(id)), /github no longer shows it/);
      await polled(3);
      assert.is(await problems(), 1, 'reported once for both');

      state.repos.push(repo);
      const visible = await it.until(id, ({ parked }) => parked?.needsPerson !== true);
      assert.not.match(visible.parked?.reason ?? '', /no longer shows/);
      await polled(3);
      assert.is(await problems(), 2, 'and once more when it is visible again');
      await it.client.cancel(id);
      await it.until(id, ({ ended }) => ended);
      const log = await it.log(id);
      const lines = (text: RegExp) => log.filter((line) => text.test(line)).length;
      assert.equal(
        [lines(/#[23]: github no longer shows it/), lines(/#[23]: no longer so/)],
        [2, 2],
      );
    })();
  } finally {
    await github.stop();
  }
});

test.run();
