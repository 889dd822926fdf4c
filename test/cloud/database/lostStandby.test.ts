import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';

// Runs in a process of its own: it ends the servers of its databases.
const test = suite('cloud: the synchronous standby of the database is away');
const dbTest = defineDatabaseTests(test);

/** More than a node has connections. */
const MANY = 25;

dbTest(
  'commits wait without an end, and the node still reads and answers GET /health',
  async () => {
    const node = await startTeamNode();
    const before = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
    const name = new URL(node.databaseUrl).pathname.slice(1);
    // For connections that are made from now on: the server of tests does not wait for its disk.
    await before.sql`alter database ${before.sql(name)} set synchronous_commit = 'on'`;
    const database = await openDatabase(node.databaseUrl, { log: silentLog });
    const { sql } = before;
    await sql.unsafe("alter system set synchronous_standby_names = 'gone'");
    await sql`select pg_reload_conf()`;
    await waitUntil(async () => {
      const [row] = await sql`select current_setting('synchronous_standby_names') as names`;
      return row?.names === 'gone';
    });
    let confirmed = 0;
    const commits = Array.from({ length: MANY }, (_, index) =>
      database
        .confirm(() => database.sql`update users set name = ${`name ${index}`} where id = 'ada'`)
        .then(() => {
          confirmed += 1;
        }),
    );
    // When an assertion fails, they end with the database, and would hide it.
    for (const commit of commits) commit.catch(() => undefined);
    try {
      await waitUntil(async () => {
        const [row] = await database.sql`
        select count(*) as waiting from pg_stat_activity where wait_event = 'SyncRep'`;
        return Number(row?.waiting) > 0;
      });
      assert.is(confirmed, 0);
      const [read] = await database.sql`select count(*) as users from users`;
      assert.ok(Number(read?.users) > 0);

      // Writes of other kinds may take all connections that the commits leave.
      const writes = Array.from({ length: MANY }, () =>
        database.sql`update users set name = 'Ada' where id = 'ada'`.catch(() => undefined),
      );
      const [firstRow] = await database.look`select 1 as answer`;
      assert.is(firstRow?.answer, 1);
      // A look that finds a busy machine may take longer than GET /health waits for it.
      await waitUntil(async () => (await (await node.ask('/health')).json()).databaseReachable);
      await database.look.unsafe("alter system set synchronous_standby_names = ''");
      await database.look`select pg_reload_conf()`;
      await Promise.all([...commits, ...writes]);
      assert.is(confirmed, MANY);
    } finally {
      await before.close();
      await database.close();
      await node.stop();
    }
  },
);

test.run();
