import { readFileSync, renameSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Play } from '../../demo/model/script.ts';
import { agentStory } from '../support/agents/agentStory.ts';
import { type Story, story } from '../support/story.ts';

const test = suite('stories: the disk is low');

const MB = 1024 * 1024;
const IS_LOW = /^the disk of .* has [\d,]+ MB free; sessions start by themselves once it has /;

/** Sets the limit of a running runner so that its disk is low, or has room. */
function limit(it: Story, to: 'low' | 'room'): void {
  const file = join(it.home, 'config.json');
  const { bavail, bsize } = statfsSync(it.home);
  // Low, and far from urgent.
  const minFreeDiskMb = to === 'low' ? Math.ceil((bavail * bsize * 2) / MB) : 0;
  const config = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(
    `${file}.new`,
    JSON.stringify({ ...config, runner: { ...config.runner, minFreeDiskMb } }),
  );
  renameSync(`${file}.new`, file);
}

const isTold = (it: Story, text: string) => it.settled(async () => it.runner.said.includes(text));

const WORKFLOW = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

test(
  'a job waits queued with the reason, can be cancelled meanwhile, and starts by itself (RUN-6)',
  story({ workflow: WORKFLOW, programs: { worker: "console.log('worked');" } }, async (it) => {
    limit(it, 'low');
    await isTold(it, 'the disk is low');
    const created = await it.client.createJob({
      type: 'job',
      workflowPath: 'workflows/story.md',
      params: { repoSlug: 'repo', description: 'a story' },
    });
    assert.match(created.warnings?.join() ?? '', /^The job waits: the disk of /);
    const first = created.jobId;
    const second = await it.job();
    const waiting = await it.until(first, (job) => job.reason !== null);
    assert.equal(waiting.state, ['queued']);
    assert.match(waiting.reason ?? '', IS_LOW);
    const why = await it.client.why(first);
    assert.equal(why.waitsFor.length, 1);
    assert.match(why.waitsFor[0] ?? '', IS_LOW);
    const [summary] = (await it.client.jobs({ status: waiting.status })).jobs;
    assert.match(summary?.reason ?? '', IS_LOW);
    await it.client.cancel(second, {});
    assert.is((await it.until(second, (job) => job.ended)).status, 'cancelled');

    limit(it, 'room');
    const endedJob = await it.until(first, (job) => job.ended);
    assert.is(endedJob.status, 'complete');
    assert.not.match(endedJob.reason ?? '', IS_LOW);
    assert.match(it.runner.said, /the disk has room again/);
  }),
);

/** In a command until the file `go` exists, then in the next. */
const TWO_COMMANDS: Play = function* () {
  yield { shell: 'while [ ! -e go ]; do sleep 0.05; done; echo once >> first' };
  yield { shell: 'echo once >> second' };
  return 'Done.';
};

test('a running session ends after its command, queues again in the same visit, and its conversation continues', () =>
  agentStory('builtin', TWO_COMMANDS, async ({ it, model, jobId }) => {
    const { params } = await it.until(jobId, (job) => job.state.includes('working.inSession'));
    const checkout = String(params.repoCheckoutAbsDir);
    await model.requests.until(({ script, outcome }) => script !== null && outcome !== null);
    limit(it, 'low');
    await isTold(it, 'the disk is low');
    assert.equal((await it.client.job(jobId)).state, ['working.inSession']);
    it.write(join(checkout, 'go'), '');
    const waiting = await it.until(jobId, (job) => job.state.includes('queued'));
    assert.is(waiting.visit, 1);
    assert.match(waiting.reason ?? '', IS_LOW);
    assert.is(readFileSync(join(checkout, 'first'), 'utf8'), 'once\n');

    limit(it, 'room');
    const endedJob = await it.until(jobId, (job) => job.ended);
    assert.is(endedJob.status, 'complete');
    assert.equal(
      endedJob.phases.map(({ visit, sessions }) => [visit, sessions]),
      [[1, 2]],
    );
    assert.is(readFileSync(join(checkout, 'first'), 'utf8'), 'once\n');
    assert.is(readFileSync(join(checkout, 'second'), 'utf8'), 'once\n');
    assert.match(
      JSON.stringify(model.requests.played.at(-1)?.body),
      /\[disk\] Your session was ended because the disk of the runner was almost full/,
    );
    const log = await it.log(jobId);
    assert.is(
      log.filter((line) => /^\[control\] the session was ended: the disk of/.test(line)).length,
      1,
    );
  }));

test(
  'a program that only calls tools of svc ends after the answer of one; a restart while the disk is low starts no session (RUN-4)',
  story(
    {
      workflow: WORKFLOW,
      programs: {
        worker: `
for (let n = 0; session.session === 1; n += 1) tool('add_insight', { category: 'convention', text: 'number ' + n });
`,
      },
    },
    async (it) => {
      const id = await it.job();
      await it.settled(async () => (await it.client.insights(id)).length > 2);
      limit(it, 'low');
      await it.until(id, (job) => job.state.includes('queued'));
      await it.runner.kill();
      await it.runner.start();
      const waiting = await it.client.job(id);
      assert.equal(waiting.state, ['queued']);
      assert.match(waiting.reason ?? '', IS_LOW);
      limit(it, 'room');
      const endedJob = await it.until(id, (job) => job.ended);
      assert.is(endedJob.status, 'complete');
      assert.equal(
        endedJob.phases.map(({ visit, sessions }) => [visit, sessions]),
        [[1, 2]],
      );
    },
  ),
);

test.run();
