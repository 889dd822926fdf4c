import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isProcessAlive } from '../../../src/base/system/process/isProcessAlive.ts';
import { inLongLane } from '../../support/longLane.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { TakeoverStage, type TeamRunner } from '../../support/cloud/takeoverStage.ts';

const test = suite('cloud: another runner continues the home of one that is lost');
const dbTest = defineDatabaseTests(test);
const longDbTest: typeof dbTest = inLongLane ? dbTest : () => undefined;

/** A job whose agent has opened its pull request and does not end its turn yet. */
async function beginJob({ story }: TeamRunner): Promise<string> {
  const jobId = await story.job();
  await story.until(jobId, ({ prMappings }) => prMappings.length === 1);
  return jobId;
}

/** Two runners; `one` has a job in a session. */
async function openTwo(
  options: { one?: Parameters<TakeoverStage['addRunner']>[1]; two?: Record<string, unknown> } = {},
) {
  const stage = await TakeoverStage.open();
  const one = await stage.addRunner('one', options.one);
  const two = await stage.addRunner('two', options.two);
  await stage.logged(one);
  const jobId = await beginJob(one);
  return { stage, one, two, jobId, [Symbol.asyncDispose]: () => stage.close() };
}

dbTest(
  'a runner killed in a session: its job completes at the other one, with one pull request (RUN-5)',
  async () => {
    await using it = await openTwo();
    const { stage, one, two, jobId } = it;
    await stage.setPolicy(one, 'auto');
    await one.story.runner.kill();

    const adopted = await stage.adopted(two);
    assert.equal(adopted.runner, { id: one.id, name: 'one' });
    assert.ok(Number(new URL(adopted.url).port) > 0);
    assert.is.not(adopted.url, two.story.runner.url);
    const client = stage.client(two, adopted);
    const { visit, phase } = await client.job(jobId);
    assert.equal([visit, phase], [1, 'work'], 'the same visit');
    await stage.settled(async () => (await stage.adopted(two)).jobs[0]?.id === jobId);
    assert.equal(await stage.pullRequests(client), [1]);
    const refused = await client
      .createJob({ type: 'job', workflowPath: 'workflows/story.md', params: { repoSlug: 'repo' } })
      .catch(({ code }: { code: string }) => code);
    assert.is(refused, 'not-possible-now');

    stage.letAgentsEnd();
    await stage.settled(() => stage.isComplete(jobId));
    // Nothing is left to continue: the slot is free, and the first machine may have its home again.
    await stage.settled(async () => (await stage.home(one)).state === 'released');
    await stage.settled(async () => (await two.story.client.health()).cloud?.adopted === undefined);
    await one.story.runner.start();
    const job = await one.story.client.job(jobId);
    assert.equal(
      job.prMappings.map(({ number }) => number),
      [1],
    );
    const log = await one.story.log(jobId);
    assert.match(log.join('\n'), 'taken over from another machine');
    assert.match(log.join('\n'), 'begins at the branch fix');
  },
);

longDbTest('svc runner release hands the jobs over at once (RUN-5)', async () => {
  await using it = await openTwo();
  const { stage, one, two, jobId } = it;
  const startedAt = Date.now();
  const reply = JSON.parse(await one.story.runner.command('runner', 'release', '--json'));
  assert.is(reply.released, true);
  await stage.adopted(two);
  console.log(`handed over in ${Date.now() - startedAt} ms`);
  stage.letAgentsEnd();
  await stage.settled(() => stage.isComplete(jobId));
});

longDbTest(
  'SIGTERM of a runner of the pool hands its jobs over; one of a person keeps them',
  async () => {
    await using it = await openTwo({ one: { isOfPool: true }, two: { accept: 'team' } });
    const { stage, one, two, jobId } = it;
    await one.story.runner.stop();
    await stage.adopted(two);
    stage.letAgentsEnd();
    await stage.settled(() => stage.isComplete(jobId));
    await two.story.runner.stop();
    assert.is((await stage.home(two)).state, 'open');
  },
);

longDbTest(
  'a runner that was frozen for longer than its window ends when it wakes up, and writes nothing',
  async () => {
    await using it = await openTwo();
    const { stage, one, two, jobId } = it;
    await stage.setPolicy(one, 'auto');
    const { pid } = one.story.runner;
    process.kill(pid, 'SIGSTOP');
    await stage.adopted(two);
    stage.letAgentsEnd();
    await stage.settled(() => stage.isComplete(jobId));
    await stage.settled(async () => (await stage.home(one)).state === 'released');
    const before = await stage.position(one);
    process.kill(pid, 'SIGCONT');
    await stage.settled(async () => !isProcessAlive(pid));
    assert.equal(await stage.position(one), before);
    assert.is((await stage.home(one)).state, 'released', 'it has not claimed its home again');
  },
);

longDbTest('an adopter that is killed continues the home when it starts again', async () => {
  await using it = await openTwo();
  const { stage, one, two, jobId } = it;
  await stage.setPolicy(one, 'auto');
  await one.story.runner.kill();
  const { homeId } = await stage.adopted(two);
  await two.story.runner.kill();
  await two.story.runner.start();
  const again = await stage.adopted(two);
  assert.is(again.homeId, homeId);
  stage.letAgentsEnd();
  await stage.settled(() => stage.isComplete(jobId));
});

for (const [policy, wait] of [
  ['never', 'never'],
  ['parked', 'in-session'],
] as const)
  longDbTest(
    `with the policy ${policy} the job waits (${wait}) until a person says otherwise`,
    async () => {
      await using it = await openTwo();
      const { stage, one, two, jobId } = it;
      await stage.setPolicy(one, policy);
      await one.story.runner.kill();
      await stage.settled(async () => (await stage.home(one)).wait === wait);
      assert.is((await two.story.client.health()).cloud?.adopted, undefined);
      await stage.release(one);
      await stage.adopted(two);
      stage.letAgentsEnd();
      await stage.settled(() => stage.isComplete(jobId));
    },
  );

longDbTest(
  'with cloud.lostWork ask the job parks and says what is lost, and a resume continues it',
  async () => {
    await using it = await openTwo({ two: { lostWork: 'ask' } });
    const { stage, one, two, jobId } = it;
    await stage.setPolicy(one, 'auto');
    await one.story.runner.kill();
    const client = stage.client(two, await stage.adopted(two));
    await stage.settled(async () => (await client.job(jobId)).parked?.kind === 'developer');
    assert.match((await client.job(jobId)).parked?.reason ?? '', 'cloud.lostWork');
    await client.resume(jobId, { eventKey: 'go-on' });
    stage.letAgentsEnd();
    await stage.settled(() => stage.isComplete(jobId));
  },
);

test.run();
