import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { noteRestore } from '../../../src/cloud/homes/noteRestore.ts';
import { HomeRunner } from '../../support/cloud/homeRunner.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: homes after a restore of the database');
const dbTest = defineDatabaseTests(test);

/** A home with an entry, in a database whose rows say that they were written in another one. */
async function openRestored() {
  const node = await startTeamNode();
  const runner = await HomeRunner.open(node);
  const socket = await runner.connect();
  socket.commit(runner.add());
  await socket.awaitCommitted(1);
  socket.close();
  const database = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
  await database.sql`update database_origin set origin = 'another'`;
  await noteRestore({ database, log: silentLog });
  return {
    runner,
    database,
    readAhead: async () => (await database.sql`select ahead from homes`)[0]?.ahead,
    async [Symbol.asyncDispose]() {
      await database.close();
      await node.stop();
    },
  };
}

dbTest('a database that is the same holds no home back (CLD-3)', async () => {
  await using it = await openRestored();
  await it.database.sql`update homes set ahead = null`;
  await noteRestore({ database: it.database, log: silentLog });
  assert.is(await it.readAhead(), null);
});

dbTest('a home is held back until its runner connects with what the log has (CLD-3)', async () => {
  await using it = await openRestored();
  assert.equal(await it.readAhead(), { isRestored: true });
  const socket = await it.runner.connect();
  assert.is(await it.readAhead(), null);
  socket.close();
});

dbTest('a runner that connects with more keeps it held back (CLD-3)', async () => {
  await using it = await openRestored();
  it.runner.add();
  const socket = await it.runner.connect();
  assert.equal(await it.readAhead(), { isRestored: true });
  socket.close();
});

dbTest(
  'a machine whose state does not fit the log reports it, and is held back (CLD-3)',
  async () => {
    await using it = await openRestored();
    const socket = await it.runner.connect();
    socket.close();
    const reply = await it.runner.send('POST', '/runner/home/diverged', {
      body: JSON.stringify({ n: 7 }),
      headers: { 'content-type': 'application/json' },
    });
    assert.is(reply.status, 204);
    assert.equal(await it.readAhead(), { n: 7 });
  },
);

dbTest('a deleted row counts as another database (CLD-3)', async () => {
  await using it = await openRestored();
  await it.database.sql`update homes set ahead = null`;
  await it.database.sql`delete from database_origin`;
  await noteRestore({ database: it.database, log: silentLog });
  assert.equal(await it.readAhead(), { isRestored: true });
});

test.run();
