import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAIN_START } from '../../../src/base/system/homes/chainEntryHash.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { storeEntries } from '../../../src/cloud/homes/storeEntries.ts';
import { HomeRunner, TestChain } from '../../support/cloud/homeRunner.ts';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: the commit of an entry');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let other: TestControlPlane;
let database: Database;
let homes = 0;

if (postgresPrograms.length > 0)
  test.before(async () => {
    node = await startTeamNode();
    other = await startTeamNode({ databaseUrl: node.databaseUrl });
    database = await openDatabase(node.databaseUrl, { log: silentLog, max: 4 });
  });
test.after(async () => {
  await database?.close();
  await other?.stop();
  await node?.stop();
});

const openHome = (): Promise<HomeRunner> => {
  homes += 1;
  return HomeRunner.open(node, { homeId: `home${homes}`, name: `mac${homes}` });
};

const store = (
  runner: HomeRunner,
  place: { n: number; hash: string },
  entries: HomeRunner['chain']['entries'],
) => storeEntries(database, runner.runnerId, place, entries, new Date());

const readLog = async ({ runnerId }: HomeRunner) => {
  const rows = await database.sql`
    select n, commits.hash from commits join homes using (log_id) where runner_id = ${runnerId} order by n`;
  return rows.map(({ n, hash }) => ({ n: Number(n), hash }));
};

dbTest('entries that follow the head are stored, and the head moves (RUN-5)', async () => {
  const runner = await openHome();
  const entries = [runner.add(), runner.add()];
  assert.equal(await store(runner, { n: 0, hash: CHAIN_START }, entries), { kind: 'stored' });
  assert.equal(
    await readLog(runner),
    entries.map(({ n, hash }) => ({ n, hash })),
  );
});

dbTest('the same entries again are acknowledged, and stored once (RUN-5)', async () => {
  const runner = await openHome();
  const entries = [runner.add(), runner.add()];
  const start = { n: 0, hash: CHAIN_START };
  await store(runner, start, entries);
  assert.equal(await store(runner, start, entries), { kind: 'stored' });
  assert.is((await readLog(runner)).length, 2);
});

dbTest('of two that come at the same time over two connections one counts (RUN-5)', async () => {
  const runner = await openHome();
  const start = { n: 0, hash: CHAIN_START };
  const entries = [runner.add()];
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => store(runner, start, entries)));
  assert.equal(
    outcomes.map(({ kind }) => kind),
    ['stored', 'stored', 'stored', 'stored'],
  );
  assert.is((await readLog(runner)).length, 1);
});

dbTest('another entry at a number that is taken is a gap (RUN-5)', async () => {
  const runner = await openHome();
  const start = { n: 0, hash: CHAIN_START };
  await store(runner, start, [runner.add()]);
  const twin = new TestChain().add(runner.generation, new Uint8Array([1]));
  const outcome = await store(runner, start, [twin]);
  assert.is(outcome.kind === 'refused' && outcome.reason, 'gap');
});

dbTest('an entry that skips one is a gap, and names the head (RUN-5)', async () => {
  const runner = await openHome();
  const first = runner.add();
  const second = runner.add();
  const home = { generation: runner.generation, head: 0, hash: CHAIN_START };
  for (const place of [first, { n: 0, hash: CHAIN_START }])
    assert.equal(await store(runner, place, [second]), {
      kind: 'refused',
      n: 2,
      reason: 'gap',
      home,
    });
  assert.equal(await readLog(runner), []);
});

dbTest('an entry of an older claim is fenced (RUN-5)', async () => {
  const runner = await openHome();
  const late = runner.add();
  runner.chain = new TestChain();
  await runner.claim();
  const outcome = await store(runner, { n: 0, hash: CHAIN_START }, [late]);
  assert.is(outcome.kind === 'refused' && outcome.reason, 'fenced');
});

dbTest('an entry of a claim that the database does not know is no fence (RUN-5)', async () => {
  const runner = await openHome();
  const entry = runner.chain.add(runner.generation + 1);
  const outcome = await store(runner, { n: 0, hash: CHAIN_START }, [entry]);
  assert.is(outcome.kind === 'refused' && outcome.reason, 'gap');
});

dbTest('of entries that are joined all are stored or none (RUN-5)', async () => {
  const runner = await openHome();
  const entries = [runner.add(), runner.add(), runner.add()];
  const moved = { n: 1, hash: entries[0]?.hash ?? '' };
  await store(runner, moved, entries.slice(1));
  assert.equal(await readLog(runner), []);
});

dbTest('over sockets and nodes, what was not acknowledged is sent again (RUN-5)', async () => {
  const runner = await openHome();
  const entries = [runner.add(), runner.add(), runner.add()];
  const start = { n: 0, hash: CHAIN_START };
  const first = await runner.connect({ home: { generation: runner.generation, ...start } });
  for (const entry of entries) first.commit(entry);
  await first.awaitCommitted(3);
  runner.node = other;
  const second = await runner.connect();
  for (const entry of entries) second.commit(entry);
  second.commit(runner.add());
  await second.awaitCommitted(4);
  assert.is((await readLog(runner)).length, 4);
  first.close();
  second.close();
});

dbTest('an entry with one changed byte is malformed (RUN-5)', async () => {
  const runner = await openHome();
  const socket = await runner.connect();
  const entry = runner.add();
  const body = Uint8Array.from(entry.body);
  body[0] = (body[0] ?? 0) ^ 1;
  socket.commit({ ...entry, body });
  await waitUntil(() => socket.refusal !== undefined);
  assert.is(socket.refusal?.reason, 'malformed');
  assert.equal(await readLog(runner), []);
  socket.close();
});

dbTest('after a refusal no later entry of the socket is taken (RUN-5)', async () => {
  const runner = await openHome();
  const socket = await runner.connect();
  runner.add();
  socket.commit(runner.add());
  socket.commit(new TestChain().add(runner.generation));
  await waitUntil(() => socket.refusal !== undefined);
  socket.bare.send({ type: 'beat', n: 1_000 });
  await waitUntil(() =>
    socket.bare.frames.some((frame) => frame.type === 'beat' && frame.n >= 1_000),
  );
  assert.equal(await readLog(runner), []);
  socket.close();
});

dbTest('an entry of 20 MiB comes in parts, and is read as it was sent (RUN-5)', async () => {
  const runner = await openHome();
  const socket = await runner.connect();
  const body = Buffer.alloc(20 * 1024 * 1024, 'svc');
  const entry = runner.add(body);
  socket.commit(entry);
  await socket.awaitCommitted(1);
  const [read] = await runner.readEntries(0);
  assert.is(Buffer.compare(read?.body ?? Buffer.alloc(0), body), 0);
  const [row] = await database.sql`
    select count(*) as parts from commit_parts join homes using (log_id) where runner_id = ${runner.runnerId}`;
  assert.is(Number(row?.parts), 3);
  socket.close();
});

dbTest('entries are read in order, as many as were asked for (RUN-5)', async () => {
  const runner = await openHome();
  const socket = await runner.connect();
  for (let n = 0; n < 10; n += 1) socket.commit(runner.add());
  await socket.awaitCommitted(10);
  const read = await runner.readEntries(3, 4);
  assert.equal(
    read.map(({ n, hash }) => ({ n, hash })),
    runner.chain.entries.slice(3, 7).map(({ n, hash }) => ({ n, hash })),
  );
  assert.equal(await runner.readEntries(10), []);
  socket.close();
});

dbTest('a home without a log takes no entries (RUN-5)', async () => {
  const runner = await HomeRunner.pair(node, { homeId: 'bare', name: 'bare' });
  const socket = await runner.connect();
  socket.commit(runner.chain.add(1));
  assert.is((await socket.bare.closed).code, 4400);
});

dbTest('every commit updates the row of the home without touching an index (RUN-5)', async () => {
  const runner = await openHome();
  const stats = async () => {
    const [row] = await database.sql`
      select pg_stat_get_tuples_updated('homes'::regclass) as updated,
        pg_stat_get_tuples_hot_updated('homes'::regclass) as hot, pg_stat_force_next_flush()`;
    return { updated: Number(row?.updated), hot: Number(row?.hot) };
  };
  await database.sql`select pg_stat_force_next_flush()`;
  const before = await stats();
  for (let n = 0; n < 300; n += 1) {
    const place = { n: runner.chain.n, hash: runner.chain.hash };
    await store(runner, place, [runner.add()]);
  }
  await waitUntil(async () => (await stats()).updated - before.updated >= 300);
  const after = await stats();
  assert.is(after.hot - before.hot, after.updated - before.updated);
});

test.run();
