import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectDouble, toJsonReply, toRow } from '../../support/cloud/doubleRunner.ts';
import { openStatementCounter } from '../../support/cloud/openStatementCounter.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { asUser, startTeamNode, waitUntil } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: statements of requests to a runner');
const dbTest = defineDatabaseTests(test);

const READS = 100;

/** Texts that were run about once for each read, and how often; a node runs others by itself. */
function listFrequent(statements: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const text of statements) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts.values()].filter((count) => count >= READS / 2);
}

dbTest('a read of a job runs one statement: the check of who may read it (CLD-2)', async () => {
  const seeded = await startTeamNode();
  const counter = await openStatementCounter(seeded.databaseUrl);
  const node = await startTeamNode({ databaseUrl: counter.url });
  const { runner } = await connectDouble(node, {
    homeId: 'h1',
    hello: { name: 'mac-ada' },
    answer: ({ path }) => toJsonReply(200, { path }),
  });
  try {
    runner.sendJobs([toRow('mine')]);
    const ask = async (path: string) => {
      const reply = await node.ask(`/teams/acme${path}`, { headers: asUser('ada') });
      return { status: reply.status, body: await reply.json() };
    };
    await waitUntil(async () => (await ask('/jobs')).body.length === 1);
    assert.is((await ask('/jobs/mine')).status, 200);
    counter.take();
    for (let n = 0; n < READS; n += 1) assert.is((await ask('/jobs/mine')).status, 200);
    assert.equal(listFrequent(counter.take()), [READS]);
    // Twice as many statements would be seen: the list of a team is read from the database too.
    for (let n = 0; n < READS; n += 1) assert.is((await ask('/jobs')).status, 200);
    assert.ok(listFrequent(counter.take()).length > 1);
  } finally {
    runner.close();
    await node.stop();
    await counter.close();
    await seeded.stop();
  }
});

test.run();
