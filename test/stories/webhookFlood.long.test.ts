import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { floodWebhooks } from '../support/cloud/floodWebhooks.ts';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';

const test = suite('story: ten thousand webhooks of teams');
const dbTest = defineDatabaseTests(test);

const DELIVERIES = 10_000;

dbTest(
  'each is once in the journal of the right runner, over copies, kills and a runner that is away (EVT-3, CLD-4)',
  async () => {
    const { sent, journaled, copies } = await floodWebhooks({
      deliveries: DELIVERIES,
      nodeKills: 4,
      runnerKills: 2,
      seed: 48,
    });
    assert.is(sent.flat().length, DELIVERIES);
    assert.is(copies, DELIVERIES / 10);
    assert.equal(journaled, sent);
  },
);

test.run();
