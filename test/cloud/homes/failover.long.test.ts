import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import { pause } from '../../../src/base/time/pause.ts';
import { HomeRunner } from '../../support/cloud/homeRunner.ts';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { ServerPair } from '../../support/cloud/serverPair.ts';
import { seedTeams, waitUntil, testCredentials } from '../../support/cloud/testTeam.ts';
import { startTestControlPlane } from '../../support/cloud/startTestControlPlane.ts';

const test = suite('cloud: failover of the database');
const dbTest = defineDatabaseTests(test);

const ENTRIES = 20;
/** How long entries are sent while nothing is replicated, ms: a primary alone acknowledges them in much less. */
const CUT_MS = 2_000;

/**
 * The primary is killed while its replication is cut. Gives how many entries were acknowledged by then, and how many of
 * these the new primary does not have.
 */
async function loseThePrimary(isSynchronous: boolean) {
  const [program] = postgresPrograms;
  if (program === undefined) throw new Error('PostgreSQL is missing');
  const pair = await ServerPair.open(program, isSynchronous);
  const node = await startTestControlPlane({
    databaseUrl: pair.url,
    credentials: testCredentials,
  });
  try {
    await seedTeams(pair.url);
    const runner = await HomeRunner.open(node);
    const socket = await runner.connect();
    for (let n = 0; n < ENTRIES; n += 1) socket.commit(runner.add());
    await socket.awaitCommitted(ENTRIES);
    await pair.caughtUp();
    await pair.cutReplication();
    for (let n = 0; n < ENTRIES; n += 1) socket.commit(runner.add());
    await pause(systemClock, CUT_MS);
    const acknowledged = socket.committed;
    pair.killPrimary();
    await pair.failOver();
    await waitUntil(async () => (await runner.ask('GET', '/home')).status === 200, 60_000);
    const survivingHashes = new Set((await runner.readEntries(0)).map(({ hash }) => hash));
    const lost = runner.chain.entries
      .slice(0, acknowledged)
      .filter(({ hash }) => !survivingHashes.has(hash));
    if (isSynchronous) await socket.awaitCommitted(2 * ENTRIES);
    const all = (await runner.readEntries(0)).map(({ n }) => n);
    socket.close();
    return { acknowledged, lost: lost.length, all };
  } finally {
    await node.stop();
    pair.close();
  }
}

dbTest('with a synchronous standby nothing that was acknowledged is lost (RUN-5)', async () => {
  const { acknowledged, lost, all } = await loseThePrimary(true);
  assert.equal({ acknowledged, lost }, { acknowledged: ENTRIES, lost: 0 });
  // What was not acknowledged was stored again by the node itself, each once.
  assert.equal(
    all,
    Array.from({ length: 2 * ENTRIES }, (_, index) => index + 1),
  );
});

dbTest('without one the same failover loses entries: this test can see it (RUN-5)', async () => {
  const { acknowledged, lost } = await loseThePrimary(false);
  assert.is(acknowledged, 2 * ENTRIES);
  assert.is(lost, ENTRIES);
});

test.run();
