import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { connectDouble, type DoubleRunner } from '../../support/cloud/doubleRunner.ts';
import { HomeRunner } from '../../support/cloud/homeRunner.ts';
import { asUser, waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';
import {
  CLOUD_METRICS,
  toCloudScrapeName,
} from '../../../src/cloud/server/metrics/cloudMetricTable.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';

// Runs in a process of its own: the connections of other files move the figures that it compares.
const test = suite('cloud: health of a node');
const dbTest = defineDatabaseTests(test);

const TOKEN = 'a-token-of-monitors';
const MONITOR = { Authorization: `Bearer ${TOKEN}` };

let node: TestControlPlane;
let runner: DoubleRunner;
test.after(async () => {
  runner?.close();
  await node?.stop();
});

const scrape = async (): Promise<string> =>
  (await node.ask('/metrics', { headers: MONITOR })).text();

/** The value of a series; null = it is not there. */
async function readValue(series: string): Promise<number | null> {
  const line = (await scrape())
    .split('\n')
    .find((one) => one.startsWith(`${toCloudScrapeName(series)} `));
  return line === undefined ? null : Number(line.split(' ')[1]);
}

dbTest('a node says its version, its database and how safe a commit is (CLD-1)', async () => {
  node = await startTeamNode({ metricsToken: TOKEN });
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
});

dbTest('a node that may get requests is ready (CLD-1)', async () => {
  const reply = await node.ask('/ready');
  assert.equal([reply.status, await reply.json()], [200, { nodeId: node.nodeId, status: 'ready' }]);
});

dbTest('metrics are for the token of monitors alone', async () => {
  for (const headers of [{}, { Authorization: 'Bearer another-token-of-monitors' }, asUser('ada')])
    assert.is((await node.ask('/metrics', { headers })).status, 401);
  assert.is((await node.ask('/teams', { headers: MONITOR })).status, 401);
  assert.match(
    (await node.ask('/metrics', { headers: MONITOR })).headers.get('content-type') ?? '',
    /^text\/plain/,
  );
});

dbTest('dispatches that wait are counted by their reason without its detail', async () => {
  const body = JSON.stringify({
    type: 'job',
    workflowPath: 'workflows/job.md',
    params: {},
    labels: ['gpu'],
  });
  const reply = node.ask('/teams/acme/jobs', { method: 'POST', headers: asUser('ada'), body });
  await waitUntil(async () => (await readValue('dispatches_waiting{reason="no-runner"}')) === 1);
  ({ runner } = await connectDouble(node, { homeId: 'home1', hello: { labels: ['cpu'] } }));
  await waitUntil(async () => (await readValue('dispatches_waiting{reason="no-label"}')) === 1);
  assert.is(await readValue('dispatches_waiting{reason="no-runner"}'), null);
  assert.is(await readValue('node_runners_connected'), 1);
  runner.close();
  ({ runner } = await connectDouble(node, { homeId: 'home2', hello: { labels: ['gpu'] } }));
  assert.is((await reply).status, 201);
  assert.is(await readValue('dispatch_seconds_count'), 1);
});

dbTest('entries of homes and the time of their commits are counted', async () => {
  const home = await HomeRunner.open(node, { homeId: 'home3', name: 'm3' });
  const socket = await home.connect();
  socket.commit(home.add());
  await socket.bare.find('committed');
  assert.equal([await readValue('entries_total'), await readValue('commit_seconds_count')], [1, 1]);
  socket.bare.socket.close();
});

dbTest('the scrape has every metric of the table', async () => {
  const text = await scrape();
  const missing = Object.keys(CLOUD_METRICS).filter(
    (name) => !text.includes(`# TYPE ${toCloudScrapeName(name)} `),
  );
  assert.equal(missing, []);
  assert.equal(
    [
      await readValue('database_up'),
      await readValue('ready'),
      await readValue('runners_connected'),
    ],
    [1, 1, 1],
  );
});

dbTest('a token that could be guessed is refused', async () => {
  const code = await startTeamNode({ metricsToken: 'short' }).then(
    () => null,
    (error) => error.code,
  );
  assert.is(code, 'bad-argument');
});

test.run();
