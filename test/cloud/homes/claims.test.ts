import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAIN_START } from '../../../src/base/system/homes/chainEntryHash.ts';
import { CLOSE_CODES } from '../../../src/contract/channel/closeCodes.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { HomeRunner, TestChain } from '../../support/cloud/homeRunner.ts';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { BareRunner, HELLO, waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: claims of a home');
const dbTest = defineDatabaseTests(test);

/** Short enough to wait for, long enough for a busy machine to be within it. */
const WINDOW_MS = 2_500;

let node: TestControlPlane;
let database: Database;
let homes = 0;

if (postgresPrograms.length > 0)
  test.before(async () => {
    node = await startTeamNode({ takeover: { windowMs: WINDOW_MS, quietMs: 3_600_000 } });
    database = await openDatabase(node.databaseUrl, { log: silentLog, max: 2 });
  });
test.after(async () => {
  await database?.close();
  await node?.stop();
});

const toOptions = () => {
  homes += 1;
  return { homeId: `home${homes}`, name: `mac${homes}` };
};
const openHome = () => HomeRunner.open(node, toOptions());

/** Entries over a socket, which is closed again. */
async function write(runner: HomeRunner, count: number): Promise<void> {
  const socket = await runner.connect();
  for (let n = 0; n < count; n += 1) socket.commit(runner.add());
  await socket.awaitCommitted(runner.chain.n);
  socket.close();
  await leave(runner);
}

const leave = ({ runnerId }: HomeRunner): Promise<void> =>
  waitUntil(async () => {
    const [row] = await database.sql`
      select lost_at from runner_sessions where runner_id = ${runnerId}`;
    return row?.lost_at !== null;
  });

dbTest('a home without a log is not found (RUN-5)', async () => {
  const runner = await HomeRunner.pair(node, toOptions());
  const { status, body } = await runner.ask('GET', '/home');
  assert.equal([status, body.code], [404, 'not-found']);
});

dbTest('a log begins once; the same request again is answered as the first (RUN-5)', async () => {
  const runner = await HomeRunner.pair(node, toOptions());
  const { status, body } = await runner.create();
  assert.is(status, 201);
  assert.equal([body.state, body.head, body.hash], ['open', 0, CHAIN_START]);
  assert.is((await runner.create()).status, 201);
  const other = await runner.create({ n: 7, hash: '1'.repeat(64) });
  assert.equal([other.status, other.body.code], [409, 'conflict']);
});

dbTest('a log is not begun for another home than that of the token (RUN-5)', async () => {
  const runner = await HomeRunner.pair(node, toOptions());
  assert.is((await runner.create({ homeId: 'other' })).status, 409);
});

dbTest('a claim gets the next generation, after that of the store (RUN-5)', async () => {
  const runner = await HomeRunner.pair(node, toOptions());
  await runner.create({ generation: 57 });
  runner.generation = 57;
  const { status, body } = await runner.claim();
  assert.equal([status, body], [200, { generation: 58, takeoverMs: WINDOW_MS }]);
});

dbTest('of two claims at once one gets the home (RUN-5)', async () => {
  const runner = await openHome();
  const claims = await Promise.all(['a', 'b'].map((instance) => runner.claim({ instance })));
  assert.equal(claims.map(({ status }) => status).sort(), [200, 409]);
  assert.is(claims.find(({ status }) => status === 409)?.body.code, 'home-claimed');
});

dbTest('the same claim sent again gets the same generation (RUN-5)', async () => {
  const runner = await openHome();
  const { generation } = runner;
  const first = await runner.claim({ instance: 'same' });
  runner.generation = generation;
  const second = await runner.claim({ instance: 'same' });
  assert.equal(second, first);
});

dbTest('a claim at an older entry than the newest is refused (RUN-5)', async () => {
  const runner = await openHome();
  await write(runner, 2);
  const [first] = runner.chain.entries;
  const { status, body } = await runner.claim({ head: 1, hash: first?.hash ?? '' });
  assert.equal([status, body.code, body.head], [409, 'home-claimed', 2]);
});

dbTest('a folder of the newest claim does not wait for the lease (RUN-5)', async () => {
  const runner = await openHome();
  await write(runner, 1);
  assert.is((await runner.claim()).status, 200);
});

dbTest('an empty disk waits until the process before cannot act any more (RUN-5)', async () => {
  const runner = await openHome();
  await write(runner, 1);
  const { status, body } = await runner.claim({ file: null, instance: 'empty' });
  assert.equal([status, body.code], [409, 'lease-running']);
  assert.ok(Date.parse(String(body.until)) > Date.now());
  await waitUntil(
    async () => (await runner.claim({ file: null, instance: 'empty' })).status === 200,
  );
});

dbTest('while a process is connected, another disk gets no claim at all (RUN-5)', async () => {
  const runner = await openHome();
  const socket = await runner.connect();
  const { body } = await runner.claim({ file: null, instance: 'second' });
  assert.equal([body.code, body.until], ['lease-running', null]);
  socket.close();
});

dbTest('an older program does not get a home that a newer one has written (RUN-5)', async () => {
  const runner = await HomeRunner.pair(node, toOptions());
  await runner.create({ storeVersion: 9 });
  const { status, body } = await runner.claim({ storeVersion: 8 });
  assert.equal([status, body.code, body.storeVersion], [409, 'conflict', 9]);
});

dbTest('the socket of an older claim is closed as fenced (RUN-5)', async () => {
  const runner = await openHome();
  const { generation } = runner;
  await runner.claim({ instance: 'next' });
  const late = new BareRunner(node, runner.token);
  await late.open();
  const home = { generation, n: 0, hash: CHAIN_START };
  late.send({ ...HELLO, homeId: runner.homeId, home });
  assert.is((await late.closed).code, CLOSE_CODES.fenced);
});

dbTest('a welcome says how far the log is, and each answered beat is leased (RUN-5)', async () => {
  const runner = await openHome();
  await write(runner, 3);
  const socket = await runner.connect();
  const { home } = await socket.bare.find('welcome');
  const { generation, chain } = runner;
  assert.equal(home, {
    generation,
    head: 3,
    hash: chain.hash,
    takeoverMs: WINDOW_MS,
    takesRows: true,
  });
  socket.bare.send({ type: 'beat', n: 1 });
  assert.is((await socket.bare.find('beat')).lease, true);
  socket.close();
});

dbTest('after a release nothing more of that claim is written (RUN-5)', async () => {
  const runner = await openHome();
  const socket = await runner.connect();
  assert.is((await runner.release()).body.state, 'released');
  socket.commit(runner.add());
  await waitUntil(() => socket.refusal !== undefined);
  assert.is(socket.refusal?.reason, 'fenced');
  socket.close();
});

dbTest('a release is repeatable, and not of a claim that is over (RUN-5)', async () => {
  const runner = await openHome();
  await runner.release();
  assert.is((await runner.release()).status, 200);
  runner.generation += 1;
  assert.is((await runner.claim()).status, 200);
  runner.generation -= 1;
  assert.equal((await runner.release()).body.code, 'home-claimed');
});

dbTest('a home that was left has no log any more (RUN-5)', async () => {
  const runner = await openHome();
  await write(runner, 2);
  assert.is((await runner.ask('DELETE', '/home')).status, 204);
  assert.is((await runner.ask('GET', '/home')).status, 404);
});

dbTest(
  'a database restored to yesterday: the home is ahead, and that is noted (RUN-5)',
  async () => {
    const runner = await openHome();
    await write(runner, 4);
    const [second] = runner.chain.entries.slice(1);
    // As a backup of the time before the last two entries has it.
    await database.sql`
    delete from commits using homes
    where commits.log_id = homes.log_id and runner_id = ${runner.runnerId} and n > 2`;
    await database.sql`
    update homes set head = 2, hash = ${second?.hash ?? ''} where runner_id = ${runner.runnerId}`;
    const socket = await runner.connect();
    assert.is((await socket.bare.find('welcome')).home?.head, 2);
    // Entries 3 and 4 were acknowledged: the runner does not have them any more to be sent.
    socket.commit(runner.add());
    await waitUntil(() => socket.refusal !== undefined);
    assert.equal([socket.refusal?.reason, socket.refusal?.head], ['gap', 2]);
    await waitUntil(async () => {
      const [row] =
        await database.sql`select ahead from homes where runner_id = ${runner.runnerId}`;
      return row?.ahead?.n === 5;
    });
    socket.close();
  },
);

dbTest('a claim that the restored database does not know is noted too (RUN-5)', async () => {
  const runner = await openHome();
  await database.sql`
    update homes set generation = generation - 1 where runner_id = ${runner.runnerId}`;
  const { generation } = runner;
  const file = { generation, n: 0, hash: CHAIN_START };
  runner.generation -= 1;
  const { status, body } = await runner.claim({ file, instance: 'other' });
  assert.equal([status, body.code, body.reason], [409, 'conflict', 'ahead']);
  const [row] = await database.sql`select ahead from homes where runner_id = ${runner.runnerId}`;
  assert.is(row?.ahead.generation, generation);
});

dbTest('a file of another history is not taken for the home (RUN-5)', async () => {
  const runner = await openHome();
  await write(runner, 3);
  const other = new TestChain();
  other.add(runner.generation, new Uint8Array([7]));
  const file = { generation: runner.generation, n: 1, hash: other.hash };
  assert.is((await runner.claim({ file })).body.reason, 'ahead');
});

dbTest(
  'a log that begins again is that of the runner, and the old one is deleted (RUN-5)',
  async () => {
    const runner = await openHome();
    await write(runner, 3);
    const start = { n: 10, hash: '2'.repeat(64), generation: 9, storeVersion: 1 };
    const { body } = await runner.ask('POST', '/home/reseed', { ...start, reason: 'restored' });
    assert.equal([body.state, body.head, body.generation], ['seeding', 10, 9]);
    const [old] = await database.sql`
    select count(*) as left from commits where log_id in (select log_id from old_logs)`;
    assert.ok(Number(old?.left) >= 3);
  },
);

test.run();
