import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Play } from '../../demo/model/script.ts';
import type { MessageReceipt } from '../../src/contract/schema/session/message.ts';
import { type AgentStory, agentStory } from '../support/agents/agentStory.ts';
import { isAlive } from '../support/agents/sessionRequest.ts';

const test = suite('stories: an agent that is frozen');

const MESSAGE = 'Use the existing client.';
const TIMEOUT =
  '[control] timeout: no acknowledgement of the interrupt within 10 s; the message stays queued';

/** Says who it is, and then speaks without end until a developer says something. */
const worker: Play = function* ({ said }) {
  yield { shell: 'echo $PPID > who && mv who pid' };
  if (!said.some((text) => text.includes(MESSAGE)))
    return { say: 'I think and think and think.', hang: 'midway' };
  yield { svc: 'add_insight', args: { category: 'convention', text: 'The developer was heard.' } };
  return 'Done as you said.';
};

/**
 * Stops the agent in the middle of its answer and writes to it; resolves when the runner has given
 * up on the interrupt.
 */
async function freezeAndWrite({ it, model, jobId, written }: AgentStory): Promise<number> {
  const pid = Number(await written('pid'));
  await model.requests.until(
    ({ script, outcome, body }) => script !== null && outcome === null && inAnswer(body),
  );
  process.kill(pid, 'SIGSTOP');
  const { receipt } = await it.client.message(jobId, { message: MESSAGE });
  assert.is(receipt?.state, 'queued');
  await it.firstLines(jobId, 'within 10 s; the message stays queued');
  const [waiting] = (await it.client.messages(jobId)).messages;
  assert.equal(waiting?.state, 'queued');
  assert.equal(waiting?.offers, []);
  return pid;
}
const inAnswer = (body: unknown) => JSON.stringify(body).includes('tool_result');

const listOffers = (receipt: MessageReceipt | undefined) =>
  receipt?.offers.map(({ session, attempt, how, interrupted, acknowledgedAt }) => [
    session,
    attempt,
    how,
    interrupted,
    acknowledgedAt !== null,
  ]);
const timesAsked = ({ model }: AgentStory) =>
  JSON.stringify(model.requests.played.at(-1)?.body).split(MESSAGE).length - 1;
const controls = (log: readonly string[]) => log.filter((line) => line.startsWith('[control]'));

test('after 10 s the log reports it and the message stays queued; when the agent continues it reads it, once (STR-1 STR-4)', () =>
  agentStory('acp', worker, async (story) => {
    const { it, jobId } = story;
    const pid = await freezeAndWrite(story);
    process.kill(pid, 'SIGCONT');
    const [receipt] = await story.receipts(([one]) => one?.state === 'acknowledged');
    assert.equal(listOffers(receipt), [[1, 1, 'interrupt', 'its answer', true]]);
    await it.until(jobId, ({ ended }) => ended);
    assert.is((await it.client.job(jobId)).status, 'complete');
    assert.is(timesAsked(story), 1);
    assert.is(
      story.model.requests.played.filter(({ body }) => JSON.stringify(body).includes(MESSAGE))
        .length,
      2,
    );
    assert.equal(controls(await it.log(jobId)), [
      '[control] the agent is interrupted for a message',
      '[control] no acknowledgement of the interrupt within 5 s; asked again',
      TIMEOUT,
    ]);
    assert.is(await isAlive(pid), false);
  }));

test('a message for an agent that never comes back is given to the next session, once (STR-1 STR-4 JOB-9)', () =>
  agentStory('acp', worker, async (story) => {
    const { it, jobId } = story;
    const pid = await freezeAndWrite(story);
    process.kill(pid, 'SIGKILL');
    const [receipt] = await story.receipts(([one]) => one?.state === 'acknowledged');
    const job = await it.until(jobId, ({ ended }) => ended);
    assert.equal(job.status, 'complete');
    assert.equal(job.visit, 1);
    assert.equal(listOffers(receipt), [[2, 1, 'kickoff', null, true]]);
    assert.is(timesAsked(story), 1);
  }));

test.run();
