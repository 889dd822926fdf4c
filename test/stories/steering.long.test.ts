import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Play } from '../../demo/model/script.ts';
import { type AgentStory, agentStory } from '../support/agents/agentStory.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('story: talking to an agent while it works');
const long = longLane(test);

/** Talks without end until a developer sends a message, and then does what it says. */
const talker: Play = function* ({ said }) {
  if (!said.some((text) => text.includes('[DEVELOPER MESSAGE]')))
    return { say: 'I think and think and think.', hang: 'midway' };
  yield { svc: 'add_insight', args: { category: 'convention', text: 'The developer was heard.' } };
  return 'Done as you said.';
};

/** A job whose only agent is the builtin one, in the middle of its first answer. */
const scene = (tell: (story: AgentStory) => Promise<void>): Promise<void> =>
  agentStory('builtin', talker, async (story) => {
    await story.model.requests.until(({ script, outcome }) => script !== null && outcome === null);
    await tell(story);
  });

const timesAsked = ({ model }: AgentStory, text: string): number =>
  Math.max(...model.requests.played.map(({ body }) => JSON.stringify(body).split(text).length - 1));

test('a message interrupts the answer, is read once, and its receipt says all of it (STR-1 STR-2)', () =>
  scene(async (at) => {
    const { it, jobId } = at;
    const reply = await it.client.message(jobId, { message: 'Use the existing client.' });
    assert.is(reply.receipt?.state, 'queued');
    const [receipt] = await at.receipts(([one]) => one?.state === 'acknowledged');
    assert.is(receipt?.id, reply.receipt?.id);
    assert.equal(
      receipt?.offers.map(({ phase, visit, session, attempt, how, interrupted }) => [
        phase,
        visit,
        session,
        attempt,
        how,
        interrupted,
      ]),
      [['work', 1, 1, 1, 'interrupt', 'its answer']],
    );
    await it.until(jobId, ({ ended }) => ended);
    assert.is((await it.client.job(jobId)).status, 'complete');
    assert.is(timesAsked(at, 'Use the existing client.'), 1);
    assert.is(timesAsked(at, 'Heed it, then continue with the phase'), 1);
    const log = await it.log(jobId);
    assert.ok(log.includes('[control] the agent is interrupted for a message'), log.join('\n'));
    assert.equal(
      (await it.client.insights(jobId)).map(({ text }) => text),
      ['The developer was heard.'],
    );
  }));

test('a message that waits when the runner is killed reaches the next run of the session, once (STR-1 RUN-4)', () =>
  scene(async (at) => {
    const { it, model, jobId } = at;
    await it.client.message(jobId, { message: 'Survive this.' });
    await it.runner.kill();
    await it.runner.start();
    const [receipt] = await at.receipts(([one]) => one?.state === 'acknowledged');
    await it.until(jobId, ({ ended }) => ended);
    const read = receipt?.offers.filter(({ acknowledgedAt }) => acknowledgedAt !== null).length;
    assert.is(read, 1, JSON.stringify(receipt));
    const last = model.requests.played.at(-1);
    assert.is(JSON.stringify(last?.body).split('Survive this.').length - 1, 1);
  }));

long(
  'a pause ends the live session, frees the slot and leaves no request open; a message resumes the job, and is read (JOB-9)',
  () =>
    scene(async ({ it, model, jobId }) => {
      await it.client.pause(jobId);
      const parked = await it.until(jobId, ({ parked }) => parked?.kind === 'paused');
      assert.is(parked.status, 'coding');
      await model.requests.until(
        ({ script, outcome }) => script !== null && outcome === 'disconnected',
      );
      await it.client.message(jobId, { message: 'While it was paused.' });
      await it.until(jobId, ({ ended }) => ended);
      const [receipt] = (await it.client.messages(jobId)).messages;
      assert.equal(receipt?.state, 'acknowledged');
      assert.equal(
        receipt?.offers.map(({ how }) => how),
        ['kickoff'],
      );
    }),
);

test('a runner that is stopped cleanly continues the same conversation at its next start (RUN-6)', () =>
  scene(async (at) => {
    const { it, model, jobId } = at;
    await it.runner.stop();
    const before = model.requests.all.length;
    await it.runner.start();
    await model.requests.until(({ number, script }) => number > before && script !== null);
    await it.client.message(jobId, { message: 'Now end it.' });
    await it.until(jobId, ({ ended }) => ended);
    assert.is((await it.client.job(jobId)).status, 'complete');
    const words = JSON.stringify(model.requests.played.at(-1)?.body);
    assert.match(
      words,
      /The runner was restarted while you worked/,
      'the agent knows what it was at',
    );
    assert.is(words.split('Now end it.').length - 1, 1);
  }));

/** Works, meets a limit of its endpoint once, and is done. */
const limited: Play = function* () {
  yield { shell: 'echo kept > kept' };
  return {
    say: 'It is done.',
    fail: { status: 429, times: 1, retryAfter: '10800', message: 'Slow down' },
  };
};

long(
  'a job waits for the quota of its model with its time; a message waits with it and can be replaced; resume continues the conversation (JOB-12 STR-1)',
  () =>
    agentStory('builtin', limited, async ({ it, model, jobId }) => {
      const { parked, status, visit } = await it.until(
        jobId,
        (job) => job.parked?.kind === 'quota',
      );
      const waits = Date.parse(parked?.until ?? '') - Date.parse(parked?.since ?? '');
      assert.ok(waits > 10_700_000 && waits <= 10_800_000, `3 h, not ${waits} ms`);
      assert.equal(status, 'coding');
      assert.equal(visit, 1);
      assert.match(parked?.reason ?? '', /continues by itself at .*\(429\): Slow down/);
      await it.runner.kill();
      await it.runner.start();
      const why = await it.client.why(jobId);
      assert.equal(why.state, ['parked.quota']);
      // The account of the model waits, and wakes its jobs.
      const [pool] = await it.client.accounts();
      assert.is(pool?.state, 'exhausted');
      assert.is(pool?.limit?.until, parked?.until);
      assert.is(pool?.waiting, 1);
      const first = await it.client.message(jobId, { message: 'Use tabs.' });
      const second = await it.client.message(jobId, {
        message: 'Use spaces.',
        replaces: first.receipt?.id ?? '',
      });
      const [old, fresh] = (await it.client.messages(jobId)).messages;
      assert.equal(old?.state, 'superseded');
      assert.equal(old?.supersededBy, second.receipt?.id);
      assert.equal(fresh?.state, 'queued');
      await it.client.resume(jobId, { eventKey: 'go' });
      const endedJob = await it.until(jobId, ({ ended }) => ended);
      assert.equal(endedJob.status, 'complete');
      assert.equal(endedJob.visit, 1);
      assert.equal(endedJob.phases[0]?.sessions, 2);
      const words = JSON.stringify(model.requests.played.at(-1)?.body);
      assert.match(words, /echo kept > kept/, 'the agent has its conversation');
      assert.match(words, /\[quota\] The model's endpoint took no requests for a while/);
      assert.is(words.split('Use spaces.').length - 1, 1);
      const again = await it.client
        .message(jobId, { message: 'Too late.', replaces: second.receipt?.id ?? '' })
        .then(
          () => 'taken',
          (error: Error) => error.message,
        );
      assert.match(again, /has already been given to an agent/);
      const prompts = readFileSync(`${it.home}/work/${jobId}/_sessions/1.2/kickoff.md`, 'utf8');
      assert.match(prompts, /Use spaces\./);
      assert.not.match(prompts, /Use tabs\./);
    }),
);

test.run();
