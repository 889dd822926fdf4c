import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../../src/base/system/log/log.ts';
import { defineDatabaseTests } from '../../../support/cloud/openTestDatabase.ts';
import { SignOnStage } from '../../../support/cloud/signOnStage.ts';
import {
  startTestControlPlane,
  TEST_CLOUD_KEY,
} from '../../../support/cloud/startTestControlPlane.ts';

const test = suite("cloud: a node without the key of the company's issuer");
const dbTest = defineDatabaseTests(test);

/** The issuers that a node with this key names as lost. */
async function listLost(stage: SignOnStage, cloudKey: string | null): Promise<unknown[]> {
  const lostIssuers: unknown[] = [];
  const log = {
    ...silentLog,
    error(facts: unknown) {
      if (typeof facts === 'object' && facts !== null && 'issuer' in facts)
        lostIssuers.push(facts.issuer);
    },
  };
  const { databaseUrl } = stage.people.cloud;
  const node = await startTestControlPlane({ databaseUrl, cloudKey, log });
  await node.stop();
  return lostIssuers;
}

dbTest('its log names the issuer whose secret it cannot open (CLD-2)', async () => {
  const stage = await SignOnStage.open();
  try {
    const otherKey = Buffer.alloc(32, 9).toString('base64');
    assert.equal(await listLost(stage, otherKey), [], 'people log in with passwords');
    await stage.setIssuer();
    assert.equal(await listLost(stage, TEST_CLOUD_KEY), []);
    assert.equal(await listLost(stage, otherKey), [stage.issuer.url]);
    assert.equal(await listLost(stage, null), [stage.issuer.url]);
  } finally {
    await stage.close();
  }
});

test.run();
