import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedTests } from '../../support/cloud/openTestDatabase.ts';
import { startTestControlPlane } from '../../support/cloud/startTestControlPlane.ts';

const test = suite('cloud: health of a node');
const stored = storedTests(test);

stored('a node says its version, its database and how safe a commit is (CLD-1)', async () => {
  const node = await startTestControlPlane();
  const reply = await node.ask('/health');
  const health = await reply.json();
  assert.is(reply.status, 200);
  assert.is(health.status, 'up');
  assert.is(health.version, '0.0.0-test');
  assert.is(health.durability, 'single');
  assert.is(health.database, 'given');
  assert.is(health.databaseReachable, true);
  assert.is(health.runnersConnected, 0);
  assert.is(health.nodeId, node.nodeId);
  await node.stop();
});

test.run();
