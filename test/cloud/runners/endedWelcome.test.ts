import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import {
  BareRunner,
  HELLO,
  pairHome,
  startTeamNode,
  waitUntil,
} from '../../support/cloud/testTeam.ts';

const test = suite('cloud: a runner that is gone before it was welcome');
const dbTest = defineDatabaseTests(test);

dbTest('it does not count as connected, so its home can be continued (RUN-5)', async () => {
  const node = await startTeamNode();
  const { body } = await pairHome(node);
  const { sql, transaction, close } = await openDatabase(node.databaseUrl, {
    log: silentLog,
    max: 2,
  });
  const isHeld = createDeferred<undefined>();
  const isGone = createDeferred<undefined>();
  const holding = transaction(async (own) => {
    await own`select from runners where id = ${body.runnerId} for update`;
    isHeld.resolve(undefined);
    await isGone.promise;
  });
  await isHeld.promise;
  const runner = new BareRunner(node, body.token);
  await runner.open();
  runner.send(HELLO);
  await waitUntil(async () => {
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting.length === 1;
  });
  runner.socket.terminate();
  await runner.closed;
  // The node has read the end of the socket before it answers what came after.
  await node.ask('/health');
  isGone.resolve(undefined);
  await holding;
  const isLost = async (): Promise<boolean> => {
    const [row] = await sql`select lost_at from runner_sessions where runner_id = ${body.runnerId}`;
    return row?.lost_at instanceof Date;
  };
  await waitUntil(isLost, 5_000);
  assert.is(await isLost(), true);
  await close();
  await node.stop();
});

test.run();
