import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { HomeRunner } from '../../support/cloud/homeRunner.ts';
import {
  createTestDatabase,
  postgresPrograms,
  defineDatabaseTests,
} from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { seedTeams, waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';

// Runs in a process of its own: it cuts connections to its database.
const test = suite('cloud: a commit whose outcome is not known');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let watcher: Database;

/** Commits wait for a standby that does not exist, or no longer do. */
async function waitForStandby(waits: boolean): Promise<void> {
  await watcher.sql.unsafe(
    `alter system set synchronous_standby_names = ${waits ? `'missing'` : 'default'}`,
  );
  await watcher.sql`select pg_reload_conf()`;
  await waitUntil(async () => {
    const [row] = await watcher.sql`select current_setting('synchronous_standby_names') as names`;
    return row?.names === (waits ? 'missing' : '');
  });
}

/** Backends whose commit waits for it. */
const listWaiting = () => watcher.sql`
  select pid, query from pg_stat_activity where wait_event = 'SyncRep' and datname = current_database()`;

/** The one that has stored the entry. */
async function findCommit(): Promise<number> {
  let pid = 0;
  await waitUntil(async () => {
    const row = (await listWaiting()).find(({ query }) => query.includes('with moved as'));
    pid = Number(row?.pid ?? 0);
    return pid !== 0;
  });
  return pid;
}

if (postgresPrograms.length > 0)
  test.before(async () => {
    const databaseUrl = await createTestDatabase();
    watcher = await openDatabase(databaseUrl, { log: silentLog, max: 1 });
    // What a database is set to comes before the arguments of the server.
    await watcher.sql.unsafe(
      `alter database ${new URL(databaseUrl).pathname.slice(1)} set synchronous_commit = 'on'`,
    );
    await seedTeams(databaseUrl);
    node = await startTeamNode({ databaseUrl });
  });
test.after(async () => {
  await node?.stop();
  await watcher?.close();
});

dbTest('a wait that was cancelled is reported as undecided, not as done (RUN-5)', async () => {
  const { sql, confirm, close } = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
  await waitForStandby(true);
  const write = confirm(() => sql`update teams set name = name where id = 'other'`).then(
    () => 'done',
    (error: unknown) => (error instanceof SvcError ? error.code : String(error)),
  );
  let pid = 0;
  await waitUntil(async () => {
    const row = (await listWaiting()).find(({ query }) => query.includes('update teams'));
    pid = Number(row?.pid ?? 0);
    return pid !== 0;
  });
  await watcher.sql`select pg_cancel_backend(${pid})`;
  assert.is(await write, 'undecided');
  await waitForStandby(false);
  await close();
});

for (const [how, end] of [
  ['cancelled', 'pg_cancel_backend'],
  ['ended with its connection', 'pg_terminate_backend'],
] as const)
  dbTest(`an entry whose wait was ${how} is acknowledged when it is safe (RUN-5)`, async () => {
    const runner = await HomeRunner.open(node, { homeId: end.slice(3, 9), name: end });
    const socket = await runner.connect();
    await waitForStandby(true);
    const entry = runner.add(new TextEncoder().encode(how));
    socket.commit(entry);
    await watcher.sql.unsafe(`select ${end}(${await findCommit()})`);
    // It is in the log of this server, and may be in no other.
    await waitUntil(async () => {
      const [row] = await watcher.sql`select from commits where hash = ${entry.hash}`;
      return row !== undefined;
    });
    // The node asks again, by a statement that waits in its turn.
    await waitUntil(async () =>
      (await listWaiting()).some(({ query }) => query.includes('set head = head')),
    );
    assert.is(socket.committed, 0);
    await waitForStandby(false);
    await socket.awaitCommitted(1);
    const [row] = await watcher.sql`
      select count(*) as rows from commits where hash = ${entry.hash}`;
    assert.is(Number(row?.rows), 1);
    socket.close();
  });

test.run();
