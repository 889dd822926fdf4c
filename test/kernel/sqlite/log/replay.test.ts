import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../../src/kernel/sqlite/database.ts';
import type { LogEntry } from '../../../../src/kernel/sqlite/log/homeLog.ts';
import { encodeEntry } from '../../../../src/kernel/sqlite/log/entry.ts';
import { readLogPosition } from '../../../../src/kernel/sqlite/log/outgoing.ts';
import { RecordedStatements } from '../../../../src/kernel/sqlite/log/recordedStatements.ts';
import { replayEntries } from '../../../../src/kernel/sqlite/log/replay.ts';
import { migrate } from '../../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../../src/jobs/store/migrations/migrations.ts';
import { CHAIN_START, chainEntryHash } from '../../../../src/base/system/homes/chainEntryHash.ts';
import { copyHome, newHomeFolder } from '../../../support/log/logStage.ts';
import { removeHome } from '../../../support/charts/orderStage.ts';

const test = suite("replaying a home's log");

/** Entries that add one insight each. */
function insights(count: number, generations: (n: number) => number = () => 1): LogEntry[] {
  const entries: LogEntry[] = [];
  let previous = CHAIN_START;
  for (let n = 1; n <= count; n++) {
    const recorded = new RecordedStatements();
    recorded.run(
      `INSERT INTO insights (job_id, id, at, phase, category, text) VALUES ('a', ?, ?, 'p', 'c', 't')`,
      `insight ${n}`,
      n,
    );
    const link = { n, generation: generations(n), body: encodeEntry(recorded) };
    previous = chainEntryHash(previous, link);
    entries.push({ ...link, hash: previous });
  }
  return entries;
}

function stage() {
  const dir = newHomeFolder();
  const open = (from = dir) => {
    const db = new Database(join(from, 'state.db'));
    migrate(db, MIGRATIONS);
    return db;
  };
  return { dir, open };
}

const countInsights = (db: Database): number =>
  Number(db.get('SELECT count(*) AS n FROM insights')?.n);

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'replayed',
    (error) => Object(error).data?.why ?? String(error),
  );

test('entries come in transactions of 200, and the position with them', async () => {
  const { dir, open } = stage();
  const db = open();
  const positions: (number | undefined)[] = [];
  const transaction = db.transaction.bind(db);
  db.transaction = (write) => {
    transaction(write);
    positions.push(readLogPosition(db)?.n);
  };
  const entries = insights(450);
  assert.equal(await replayEntries(db, entries), { n: 450, hash: entries.at(-1)?.hash });
  assert.equal(positions, [200, 400, 450]);
  assert.is(countInsights(db), 450);
  db.close();
  removeHome(dir);
});

test('killed between two transactions, it continues with what follows', async () => {
  const { dir, open } = stage();
  const db = open();
  const entries = insights(450);
  const crashes: string[] = [];
  async function* source() {
    for (const entry of entries) {
      if (entry.n % 150 === 0) crashes.push(copyHome(dir, join(dir, `crash-${entry.n}`)));
      yield entry;
    }
  }
  await replayEntries(db, source());
  db.close();
  assert.is(crashes.length, 3);
  for (const crash of crashes) {
    const again = open(crash);
    const at = readLogPosition(again)?.n ?? 0;
    assert.is(countInsights(again), at);
    await replayEntries(again, entries.slice(at));
    assert.is(countInsights(again), 450);
    again.close();
  }
  removeHome(dir);
});

for (const [what, why, change] of [
  ['a missing entry', 'gap', (all: LogEntry[]) => all.filter(({ n }) => n !== 230)],
  ['a doubled entry', 'gap', (all: LogEntry[]) => all.toSpliced(230, 0, ...all.slice(229, 230))],
  [
    'a changed byte',
    'hash',
    (all: LogEntry[]) =>
      all.map((one) =>
        one.n === 230 ? { ...one, body: Uint8Array.from(one.body).fill(7, 20, 21) } : one,
      ),
  ],
  [
    'another hash',
    'hash',
    (all: LogEntry[]) => all.map((one) => (one.n === 230 ? { ...one, hash: CHAIN_START } : one)),
  ],
] as const)
  test(`${what} ends the replay behind what came before`, async () => {
    const { dir, open } = stage();
    const db = open();
    assert.is(await refusal(replayEntries(db, change(insights(250)))), why);
    const at = readLogPosition(db)?.n;
    assert.is(at, why === 'gap' && what === 'a doubled entry' ? 230 : 229);
    assert.is(countInsights(db), at);
    db.close();
    removeHome(dir);
  });

test('an entry of an earlier claim than the one before it is refused', async () => {
  const { dir, open } = stage();
  const db = open();
  const entries = insights(10, (n) => (n === 7 ? 1 : n > 4 ? 2 : 1));
  assert.is(await refusal(replayEntries(db, entries)), 'generation');
  assert.is(readLogPosition(db)?.n, 6);
  db.close();
  removeHome(dir);
});

test('an entry that the tables refuse changes nothing of its transaction', async () => {
  const { dir, open } = stage();
  const db = open();
  const recorded = new RecordedStatements();
  recorded.run(`INSERT INTO insights (job_id, id, at) VALUES ('a', 'b', 'no number')`);
  const link = { n: 1, generation: 1, body: encodeEntry(recorded) };
  const entry = { ...link, hash: chainEntryHash(CHAIN_START, link) };
  assert.match(String(await refusal(replayEntries(db, [entry]))), 'Could not write');
  assert.is(readLogPosition(db), null);
  db.close();
  removeHome(dir);
});

test.run();
