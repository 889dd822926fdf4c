import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isProcessAlive } from '../../../src/base/system/process/isProcessAlive.ts';
import {
  findTestServer,
  openTestDatabase,
  postgresPrograms,
  defineDatabaseTests,
} from '../../support/cloud/openTestDatabase.ts';
import { longLane } from '../../support/longLane.ts';
import { serveRoutes, toRoute } from '../../support/cloud/serveRoutes.ts';
import { startTestControlPlane } from '../../support/cloud/startTestControlPlane.ts';

// Runs in a process of its own: it ends the server of its database.
const test = suite('cloud: the database is away');
const dbTest = defineDatabaseTests(test);
const long = postgresPrograms.length > 0 ? longLane(test) : () => undefined;

long(
  'a database that no longer says anything is noticed by requests that wait (CLD-6)',
  async () => {
    const database = await openTestDatabase();
    const served = await serveRoutes(database, [toRoute('/slow')], async () => {
      await database.sql`select pg_sleep(120)`;
      return {};
    });
    const answer = served.ask('/slow');
    while (
      (await database.sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'`).length === 0
    );
    const { pid } = await findTestServer();
    const list = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    const all = [pid, ...list.trim().split(/\s+/).map(Number)];
    for (const one of all) process.kill(one, 'SIGSTOP');
    const reply = await answer;
    assert.is(reply.status, 503);
    assert.is((await reply.json()).reason, 'database-away');
    for (const one of all) process.kill(one, 'SIGCONT');
    await served.close();
    await database.close();
  },
);

dbTest(
  'requests get 503 and no part of an answer, and health says why (CLD-1, CLD-6)',
  async () => {
    const node = await startTestControlPlane();
    const database = await openTestDatabase();
    const { ask, close } = await serveRoutes(
      database,
      [toRoute('/slow'), toRoute('/quick')],
      async ({ path }) => {
        if (path === '/slow') await database.sql`select pg_sleep(60)`;
        return { rows: await database.sql`select 1 as one` };
      },
    );
    assert.is((await ask('/quick')).status, 200);
    const underWay = ask('/slow');
    // The statement has to have begun.
    while (
      (await database.sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'`).length === 0
    );
    const { pid } = await findTestServer();
    process.kill(pid, 'SIGINT');
    const cut = await underWay;
    assert.is(cut.status, 503);
    const problem = await cut.json();
    assert.is(problem.code, 'temporarily-unavailable');
    assert.is(problem.reason, 'database-away');
    assert.is(cut.headers.get('retry-after'), '1');
    while (isProcessAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
    const after = await ask('/quick');
    assert.is(after.status, 503);
    assert.is((await after.json()).reason, 'database-away');
    const reply = await node.ask('/health');
    const health = await reply.json();
    assert.is(reply.status, 503);
    assert.is(health.status, 'no-database');
    assert.is(health.databaseReachable, false);
    assert.is(health.durability, 'unknown');
    assert.is(health.runnersConnected, null);
    await close();
    await Promise.all([node.stop(), database.close()]);
  },
);

test.run();
