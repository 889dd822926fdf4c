import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAIN_START } from '../../../src/base/system/homes/chainEntryHash.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { storeEntries } from '../../../src/cloud/homes/storeEntries.ts';
import { checkHistory, type HistoryLine } from '../../crash/homes/checkHistory.ts';
import { findLogProblems, readStoredLog } from '../../crash/homes/readHomeRows.ts';
import { HomeRunner, TestChain } from '../../support/cloud/homeRunner.ts';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: entries of a runner that wakes up after a takeover');
const dbTest = defineDatabaseTests(test);

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

type Writer = Pick<Database, 'sql' | 'transaction' | 'confirm'>;

/** Where the statement of a commit compares the generation. */
const FENCE = ' and generation = ';
/** The same place, with a comparison that every generation passes. */
const NO_FENCE = ' and 0 < ';

/** A database whose commits are not fenced. `removed`: from how many statements the fence was taken out. */
function createUnfencedDatabase(): Writer & { removed: number } {
  const unfenced = {
    removed: 0,
    transaction: database.transaction,
    confirm: database.confirm,
    sql: Object.assign((texts: TemplateStringsArray, ...values: never[]) => {
      const changed = texts.map((text) => text.replace(FENCE, NO_FENCE));
      if (changed.join() !== texts.join()) unfenced.removed += 1;
      return database.sql(Object.assign(changed, { raw: changed }), ...values);
    }, database.sql) as Database['sql'],
  };
  return unfenced;
}

/**
 * A runner is stopped with an entry that it has not sent; another process claims its home; the first one wakes up and
 * sends its entry, and then the other one its own.
 */
async function wakeZombie(writer: Writer) {
  homes += 1;
  const homeId = `zombie${homes}`;
  const zombie = await HomeRunner.open(node, { homeId, name: homeId });
  const { runnerId } = zombie;
  const store = (place: { n: number; hash: string }, entry: ReturnType<HomeRunner['add']>) =>
    storeEntries(writer, runnerId, place, [entry], new Date());
  const lines: HistoryLine[] = [{ pid: 1, at: 0, claimed: zombie.generation, claimedAt: 0 }];
  const first = zombie.add();
  await store({ n: 0, hash: CHAIN_START }, first);
  lines.push({ pid: 1, at: 1, acknowledged: 1, generation: zombie.generation, begun: 1 });
  const late = zombie.add();

  const successor = new HomeRunner(node, zombie);
  successor.generation = zombie.generation;
  successor.chain = new TestChain(first.n, first.hash);
  await successor.claim();
  lines.push({ pid: 2, at: 2, claimed: successor.generation, claimedAt: 2 });

  const outcome = await store(first, late);
  if (outcome.kind === 'stored')
    lines.push({ pid: 1, at: 3, acknowledged: 2, generation: zombie.generation, begun: 3 });
  const answer = await store(first, successor.add());
  if (answer.kind === 'stored')
    lines.push({ pid: 2, at: 4, acknowledged: 2, generation: successor.generation, begun: 4 });
  const log = await readStoredLog(node.databaseUrl, homeId);
  return {
    zombie: outcome.kind === 'refused' ? outcome.reason : outcome.kind,
    successor: answer.kind === 'refused' ? answer.reason : answer.kind,
    problems: [...checkHistory(lines, log), ...findLogProblems(log)],
  };
}

dbTest('its entry is refused, and the log continues with the other process (RUN-5)', async () => {
  assert.equal(await wakeZombie(database), { zombie: 'fenced', successor: 'stored', problems: [] });
});

dbTest('without the fence the same is seen to lose the other process’s entry (RUN-5)', async () => {
  const unfenced = createUnfencedDatabase();
  assert.equal(await wakeZombie(unfenced), {
    zombie: 'stored',
    successor: 'gap',
    problems: ['entry 2 of generation 1 was begun after the claim of 2 and acknowledged'],
  });
  assert.ok(unfenced.removed > 0);
});

test.run();
