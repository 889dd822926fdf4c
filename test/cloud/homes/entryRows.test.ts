import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAIN_START } from '../../../src/base/system/homes/chainEntryHash.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { storeEntries } from '../../../src/cloud/homes/storeEntries.ts';
import { storeJobs } from '../../../src/cloud/jobs/list/storeJobs.ts';
import { toRow } from '../../support/cloud/doubleRunner.ts';
import { HomeRunner, TestChain, type TestEntry } from '../../support/cloud/homeRunner.ts';
import { openStatementCounter } from '../../support/cloud/openStatementCounter.ts';
import { defineDatabaseTests, postgresPrograms } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { startTeamNode, waitUntil } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: the rows of the list that come with an entry');
const dbTest = defineDatabaseTests(test);

const START = { n: 0, hash: CHAIN_START };

let node: TestControlPlane;
let database: Database;
let homes = 0;

if (postgresPrograms.length > 0)
  test.before(async () => {
    node = await startTeamNode();
    database = await openDatabase(node.databaseUrl, { log: silentLog, max: 4 });
  });
test.after(async () => {
  await database?.close();
  await node?.stop();
});

const openHome = (): Promise<HomeRunner> => {
  homes += 1;
  return HomeRunner.open(node, { homeId: `home${homes}`, name: `mac${homes}` });
};

const store = (
  { runnerId }: HomeRunner,
  place: { n: number; hash: string },
  entries: readonly (TestEntry & { jobs?: ReturnType<typeof toRow>[] })[],
) => storeEntries(database, runnerId, place, entries, new Date());

/** As a frame of the list brings it; `entry`: that the row was read at. */
const sendRow = ({ runnerId }: HomeRunner, row: ReturnType<typeof toRow>, entry: number | null) =>
  storeJobs(database, { teamId: 'acme', runnerId, rows: [{ row, entry }] });

const readStates = async ({ runnerId }: HomeRunner): Promise<string[]> => {
  const rows = await database.sql`
    select job_id, status from jobs where runner_id = ${runnerId} order by job_id`;
  return rows.map(({ job_id: id, status }) => `${id} ${status}`);
};

const readChange = async ({ runnerId }: HomeRunner): Promise<number> => {
  const [row] = await database.sql`select change from jobs where runner_id = ${runnerId}`;
  return Number(row?.change);
};

dbTest('they are in the list as soon as the entry is in the log (RUN-5)', async () => {
  const runner = await openHome();
  await store(runner, START, [{ ...runner.add(), jobs: [toRow('a'), toRow('b')] }]);
  assert.equal(await readStates(runner), ['a queued', 'b queued']);
});

dbTest('of entries that are joined, the last row of a job counts (RUN-5)', async () => {
  const runner = await openHome();
  const first = { ...runner.add(), jobs: [toRow('a')] };
  const second = { ...runner.add(), jobs: [toRow('a', { status: 'working' })] };
  await store(runner, START, [first, second, { ...runner.add(), jobs: [] }]);
  assert.equal(await readStates(runner), ['a working']);
});

dbTest('an entry that comes again changes nothing in the list (RUN-5)', async () => {
  const runner = await openHome();
  const first = { ...runner.add(), jobs: [toRow('a')] };
  const second = { ...runner.add(), jobs: [toRow('a', { status: 'working' })] };
  await store(runner, START, [first]);
  await store(runner, first, [second]);
  assert.equal(await store(runner, START, [first]), { kind: 'stored' });
  assert.equal(await readStates(runner), ['a working']);
});

dbTest('an entry of an older claim writes no row (RUN-5)', async () => {
  const runner = await openHome();
  const late = { ...runner.add(), jobs: [toRow('a')] };
  runner.chain = new TestChain();
  await runner.claim();
  assert.is((await store(runner, START, [late])).kind, 'refused');
  assert.equal(await readStates(runner), []);
});

dbTest('an entry that does not follow the head writes no row (RUN-5)', async () => {
  const runner = await openHome();
  const place = runner.add();
  await store(runner, place, [{ ...runner.add(), jobs: [toRow('a')] }]);
  assert.equal(await readStates(runner), []);
});

dbTest('an entry too large for a row of the log brings its rows too (RUN-5)', async () => {
  const runner = await openHome();
  const entry = runner.add(Buffer.alloc(9 * 1024 * 1024, 'svc'));
  await store(runner, START, [{ ...entry, jobs: [toRow('a')] }]);
  assert.equal(await readStates(runner), ['a queued']);
});

dbTest(
  'a row that was read before an entry does not replace that of the entry (RUN-5)',
  async () => {
    const runner = await openHome();
    const first = { ...runner.add(), jobs: [toRow('a')] };
    await store(runner, START, [first]);
    await store(runner, first, [{ ...runner.add(), jobs: [toRow('a', { status: 'working' })] }]);
    await sendRow(runner, toRow('a', { status: 'stale' }), 1);
    assert.equal(await readStates(runner), ['a working']);
    await sendRow(runner, toRow('a', { status: 'complete' }), 2);
    assert.equal(await readStates(runner), ['a complete']);
  },
);

dbTest('an entry does not replace a row that was read after it (RUN-5)', async () => {
  const runner = await openHome();
  const [first, second] = [runner.add(), runner.add()];
  await store(runner, START, [{ ...first, jobs: [] }]);
  await sendRow(runner, toRow('a', { status: 'newer' }), 3);
  await store(runner, first, [{ ...second, jobs: [toRow('a')] }]);
  assert.equal(await readStates(runner), ['a newer']);
});

dbTest(
  'a runner of the version before, which names no entry, replaces any row (CLD-6)',
  async () => {
    const runner = await openHome();
    await store(runner, START, [{ ...runner.add(), jobs: [toRow('a')] }]);
    await sendRow(runner, toRow('a', { status: 'working' }), null);
    assert.equal(await readStates(runner), ['a working']);
  },
);

dbTest('a log that begins again counts from its own entries (RUN-5)', async () => {
  const runner = await openHome();
  const first = { ...runner.add(), jobs: [] };
  await store(runner, START, [first]);
  await store(runner, first, [{ ...runner.add(), jobs: [toRow('a')] }]);
  await database.sql`
    update homes set log_id = nextval('home_logs'), head = 0 where runner_id = ${runner.runnerId}`;
  await sendRow(runner, toRow('a', { status: 'seeded' }), 1);
  assert.equal(await readStates(runner), ['a seeded']);
});

dbTest('its row gets a number of the list when the runner sends it once more (CLD-2)', async () => {
  const runner = await openHome();
  const row = toRow('a');
  await store(runner, START, [{ ...runner.add(), jobs: [row] }]);
  assert.is(await readChange(runner), 0);
  await sendRow(runner, row, 1);
  const change = await readChange(runner);
  assert.ok(change > 0);
  await sendRow(runner, row, 1);
  assert.is(await readChange(runner), change);
});

dbTest(
  'over a socket: a row that cannot be stored does not keep its entry out (RUN-5)',
  async () => {
    const runner = await openHome();
    const socket = await runner.connect();
    // A year that JSON knows and PostgreSQL does not, and no row at all.
    socket.commit(runner.add(), [toRow('a', { createdAt: '0000-01-01T00:00:00.000Z' })]);
    socket.commit(runner.add(), [{ id: 'b' }, toRow('c')]);
    await socket.awaitCommitted(2);
    assert.equal(await readStates(runner), ['c queued']);
    socket.close();
  },
);

dbTest('a commit with rows is one statement (RUN-5)', async () => {
  const counter = await openStatementCounter(node.databaseUrl);
  const counted = await openDatabase(counter.url, { log: silentLog, max: 1 });
  const runner = await openHome();
  let place = START;
  const add = async (): Promise<string[]> => {
    const entry = { ...runner.add(), jobs: [toRow('a', { status: `at ${place.n}` })] };
    counter.take();
    await storeEntries(counted, runner.runnerId, place, [entry], new Date());
    place = entry;
    return counter.take();
  };
  await add();
  const statements = [...(await add()), ...(await add())];
  assert.is(statements.length, 2);
  assert.ok(statements.every((text) => text.trimStart().startsWith('with moved as')));
  assert.equal(await readStates(runner), ['a at 2']);
  await counted.close();
  await counter.close();
});

dbTest('rows of the list leave the updates of the home without an index (RUN-5)', async () => {
  const runner = await openHome();
  const stats = async () => {
    await database.sql`select pg_stat_force_next_flush()`;
    const [row] = await database.sql`
      select pg_stat_get_tuples_updated('homes'::regclass) - pg_stat_get_tuples_hot_updated('homes'::regclass) as cold`;
    return Number(row?.cold);
  };
  const before = await stats();
  const socket = await runner.connect();
  for (let n = 0; n < 20; n += 1) socket.commit(runner.add(), [toRow('a', { status: `at ${n}` })]);
  await socket.awaitCommitted(20);
  await waitUntil(async () => (await readStates(runner))[0] === 'a at 19');
  assert.is(await stats(), before);
  socket.close();
});

test.run();
