import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../../src/jobs/store/migrations/migrations.ts';
import { CHAIN_START, chainEntryHash } from '../../../../src/base/system/homes/chainEntryHash.ts';
import type { LogEntry } from '../../../../src/kernel/sqlite/log/homeLog.ts';
import {
  compareWithHead,
  renewOutgoing,
} from '../../../../src/kernel/sqlite/log/compareWithHead.ts';
import {
  readOutgoing,
  writeLogPosition,
  writeOutgoing,
} from '../../../../src/kernel/sqlite/log/outgoing.ts';

const test = suite('a state beside the head of the control plane');

const chain = (count: number, name = ''): LogEntry[] => {
  const entries: LogEntry[] = [];
  for (let n = 1; n <= count; n++) {
    const link = { n, generation: 1, body: Buffer.from(`entry ${n}${name}`) };
    const hash = chainEntryHash(entries.at(-1)?.hash ?? CHAIN_START, link);
    entries.push({ ...link, hash });
  }
  return entries;
};

const ENTRIES = chain(7);
const FIRST = { n: 0, hash: CHAIN_START };
const entry = (n: number): LogEntry => {
  const logEntry = ENTRIES[n - 1];
  if (logEntry === undefined) throw new Error(`no entry ${n}`);
  return logEntry;
};

/** A state at entry 5 that keeps the entries after `acknowledged`. */
function stage(acknowledged = 3): Database {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  db.transaction(() => {
    for (const one of ENTRIES.slice(acknowledged, 5)) writeOutgoing(db, one, acknowledged);
    writeLogPosition(db, entry(5));
  });
  return db;
}

test('a state without a log has none, whatever the head', () => {
  const db = new Database(':memory:');
  assert.is(compareWithHead(db, FIRST), 'none');
  migrate(db, MIGRATIONS);
  assert.is(compareWithHead(db, entry(5)), 'none');
  db.close();
});

for (const [head, compared] of [
  [entry(7), 'behind'],
  [entry(5), 'same'],
  [entry(4), 'ahead'],
  [entry(3), 'ahead'],
  // The entries in between are not kept any more: a control plane that was put back.
  [entry(2), 'diverged'],
  [FIRST, 'diverged'],
] as const)
  test(`at entry 5, and the head at ${head.n}, it is ${compared}`, () => {
    const db = stage();
    assert.is(compareWithHead(db, head), compared);
    db.close();
  });

for (const n of [3, 4, 5])
  test(`it has diverged from a head at ${n} with another history`, () => {
    const db = stage();
    const [other] = chain(n, ' of another').slice(-1);
    assert.is(compareWithHead(db, other ?? FIRST), 'diverged');
    db.close();
  });

test('entries that wait are made again under the new claim, and follow the head', () => {
  const db = stage();
  const { at, entries } = renewOutgoing(db, entry(4), 9);
  assert.equal(
    entries.map(({ n, generation, body }) => [n, generation, Buffer.from(body).toString()]),
    [[5, 9, 'entry 5']],
  );
  assert.is(entries[0]?.hash, chainEntryHash(entry(4).hash, { ...entry(5), generation: 9 }));
  assert.equal(at, { n: 5, hash: entries[0]?.hash });
  assert.is(compareWithHead(db, at), 'same');
  assert.is(compareWithHead(db, entry(4)), 'ahead');
  assert.equal(
    readOutgoing(db).map(({ n, hash }) => [n, hash]),
    [[5, at.hash]],
  );
  db.close();
});

test.run();
