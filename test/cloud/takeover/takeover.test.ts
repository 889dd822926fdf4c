import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedTests } from '../../support/cloud/openTestDatabase.ts';
import { git } from '../../support/gitRepository.ts';
import { TakeoverStage } from '../../support/cloud/takeoverStage.ts';

const test = suite('cloud: another runner continues the home of one that is lost');
const stored = storedTests(test);

stored(
  'a runner killed in a session: its job completes at the other one, with one pull request (RUN-5)',
  async () => {
    const stage = await TakeoverStage.open();
    try {
      const one = await stage.addRunner('one');
      const two = await stage.addRunner('two');
      await stage.logged(one);
      await stage.setPolicy(one, 'auto');
      const jobId = await one.story.job();
      await one.story.until(jobId, ({ prMappings }) => prMappings.length === 1);
      await one.story.runner.kill();

      const adopted = await stage.adopted(two);
      assert.equal(adopted.runner, { id: one.id, name: 'one' });
      const client = stage.client(two, adopted);
      assert.is((await client.job(jobId)).id, jobId);
      stage.letAgentsEnd();
      await stage.settled(
        async () => (await stage.jobs()).find(({ id }) => id === jobId)?.status === 'complete',
      );
      assert.is(git(one.story.repository, ['branch', '--list', 'fix']).trim(), 'fix');
      await stage.settled(async () => (await stage.home(one)).state === 'released');
    } finally {
      await stage.close();
    }
  },
);

test.run();
