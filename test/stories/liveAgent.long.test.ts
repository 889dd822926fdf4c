import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Play } from '../../demo/model/script.ts';
import { type AgentStory, agentStory } from '../support/agents/agentStory.ts';
import { isAlive } from '../support/agents/sessionRequest.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: an agent with a process of its own is ended while it works');
const long = longLane(test);

const GO_ON = 'You may end it.';

/** Says who it is, and then speaks without end until a developer lets it end. */
const worker: Play = function* ({ said }) {
  yield { shell: 'echo $PPID > who && mv who pid' };
  return said.some((text) => text.includes(GO_ON))
    ? 'It is done.'
    : { say: 'I think and think.', hang: 'midway' };
};

/** The process of the agent, in the middle of its answer. */
async function atWork({ model, written }: AgentStory): Promise<number> {
  const pid = Number(await written('pid'));
  await model.requests.until(
    ({ body, outcome }) => outcome === null && JSON.stringify(body).includes('tool_result'),
  );
  assert.is(await isAlive(pid), true);
  return pid;
}

const isWritten = async ({ it, jobId }: AgentStory): Promise<boolean> => {
  const { params } = await it.client.job(jobId);
  return existsSync(join(String(params.repoCheckoutAbsDir), 'pid'));
};

/** The agent's message ends the job. */
async function ends({ it, jobId }: AgentStory): Promise<void> {
  await it.until(jobId, ({ ended }) => ended);
  const [receipt] = (await it.client.messages(jobId)).messages;
  assert.equal((await it.client.job(jobId)).status, 'complete');
  assert.equal(receipt?.state, 'acknowledged');
}

test('a pause leaves no process behind and the checkout as it is; a message resumes the job, and the agent reads it (JOB-9)', () =>
  agentStory('acp', worker, async (story) => {
    const { it, jobId } = story;
    const pid = await atWork(story);
    await it.client.pause(jobId);
    await it.until(jobId, ({ parked }) => parked?.kind === 'paused');
    assert.equal(await isAlive(pid), false);
    assert.equal(await isWritten(story), true);
    await it.client.message(jobId, { message: GO_ON });
    await ends(story);
  }));

long('a cancel leaves no process behind (JOB-9)', () =>
  agentStory('acp', worker, async (story) => {
    const { it, jobId } = story;
    const pid = await atWork(story);
    await it.client.cancel(jobId);
    await it.until(jobId, ({ status }) => status === 'cancelled');
    assert.is(await isAlive(pid), false);
  }),
);

test('a stopping runner stops its agent, and the next start continues its session (JOB-9 RUN-6)', () =>
  agentStory('acp', worker, async (story) => {
    const { it, jobId, model } = story;
    const pid = await atWork(story);
    await it.runner.stop();
    assert.is(await isAlive(pid), false);
    const before = model.requests.all.length;
    await it.runner.start();
    await model.requests.until(({ number, outcome }) => number > before && outcome === null);
    await it.client.message(jobId, { message: GO_ON });
    await ends(story);
    assert.match(
      JSON.stringify(model.requests.played.at(-1)?.body),
      /The runner was restarted while you worked/,
    );
  }));

test.run();
