import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../../src/kernel/sqlite/database.ts';
import { decodeEntry, encodeEntry } from '../../../../src/kernel/sqlite/log/entry.ts';
import {
  RecordedStatements,
  runRecorded,
} from '../../../../src/kernel/sqlite/log/recordedStatements.ts';
import type { SqlValue } from '../../../../src/kernel/sqlite/toSqlValue.ts';
import { CHAIN_START, chainEntryHash } from '../../../../src/base/system/homes/chainEntryHash.ts';

const test = suite("entries of a home's log");

const PUT = 'INSERT INTO notes (value) VALUES (?)';

const packed = (content: unknown): Uint8Array => gzipSync(JSON.stringify(content));

const catchCode = (body: Uint8Array): string => {
  try {
    decodeEntry(body);
    return 'read';
  } catch (error) {
    return String(Reflect.get(Object(error), 'code'));
  }
};

/** What SQLite has of values that were bound to statements. */
function storedAfter(write: (db: Database) => void): unknown[] {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE notes (value)');
  write(db);
  const rows = db.all('SELECT quote(value) AS value, typeof(value) AS type FROM notes');
  db.close();
  return rows.map((row) => ({ ...row }));
}

test('an entry stores every kind of value as the batch itself does', () => {
  const values: SqlValue[] = [
    null,
    '',
    'text with \0, "quotes" and \u{1f600}',
    '\ud800 alone',
    0,
    -0,
    1.5,
    -2,
    Number.MAX_SAFE_INTEGER,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    2n ** 62n,
    -5n,
  ];
  const recorded = new RecordedStatements();
  for (const value of values) recorded.run(PUT, value);
  const direct = storedAfter((db) => {
    for (const value of values) db.run(PUT, value);
  });
  const replayed = storedAfter((db) => runRecorded(decodeEntry(encodeEntry(recorded)), db));
  assert.is(direct.length, values.length);
  assert.equal(replayed, direct);
});

test('a text that is used again is in an entry once', () => {
  const recorded = new RecordedStatements();
  recorded.run(PUT, 1);
  recorded.run('DELETE FROM notes WHERE value = ? AND value < ?', 1, 2);
  recorded.run(PUT, 2);
  assert.equal(decodeEntry(encodeEntry(recorded)), {
    texts: [PUT, 'DELETE FROM notes WHERE value = ? AND value < ?'],
    calls: [0, 1, 1, 1, 2, 1, 2, 0, 1, 2],
  });
});

for (const sql of [
  'PRAGMA user_version = 99',
  "ATTACH '/tmp/other.db' AS other",
  'DROP TABLE notes',
  'CREATE TABLE more (a)',
  "UPDATE meta SET value = '99'",
  'DELETE FROM log_outgoing',
  'INSERT INTO "meta" (key) VALUES (1)',
  'COMMIT',
  'SELECT 1',
])
  test(`no entry runs ${sql}`, () => {
    assert.is(catchCode(packed({ texts: [sql], calls: [0, 0] })), 'store-failed');
  });

test('only the first statement of a text is run', () => {
  const body = packed({ texts: [`${PUT}; DROP TABLE notes`], calls: [0, 1, 'kept'] });
  assert.equal(
    storedAfter((db) => runRecorded(decodeEntry(body), db)),
    [{ value: "'kept'", type: 'text' }],
  );
});

for (const [what, body] of [
  ['no gzip', Buffer.from('{}')],
  ['a cut body', packed({ texts: [PUT], calls: [0, 1, 'a'] }).subarray(0, 20)],
  ['no JSON', gzipSync('{')],
  ['no statements', packed({ calls: [] })],
  ['a call of a statement that is not there', packed({ texts: [PUT], calls: [1, 0] })],
  ['a cut call', packed({ texts: [PUT], calls: [0, 2, 'a'] })],
  ['a count below zero', packed({ texts: [PUT], calls: [0, -2] })],
  ['an object as a value', packed({ texts: [PUT], calls: [0, 1, { a: 1 }] })],
] as const)
  test(`${what} is refused`, () => {
    assert.is(catchCode(body), 'store-failed');
  });

test('a body that would fill the memory is not unpacked', () => {
  const body = packed({ texts: [PUT], calls: [0, 1, ' '.repeat(10_000)] });
  assert.ok(body.length < 200);
  assert.is(decodeEntry(body, 11_000).calls.length, 3);
  assert.throws(() => decodeEntry(body, 10_000));
});

test('the hash of an entry changes with each part and with the history', () => {
  const body = Buffer.from('body');
  const hash = chainEntryHash(CHAIN_START, { n: 1, generation: 2, body });
  assert.match(hash, /^[0-9a-f]{64}$/);
  const others = [
    chainEntryHash(hash, { n: 1, generation: 2, body }),
    chainEntryHash(CHAIN_START, { n: 2, generation: 2, body }),
    chainEntryHash(CHAIN_START, { n: 1, generation: 3, body }),
    chainEntryHash(CHAIN_START, { n: 12, generation: 2, body: Buffer.from('ody') }),
    chainEntryHash(CHAIN_START, { n: 1, generation: 2, body: Buffer.from('bodY') }),
  ];
  assert.is(new Set([hash, ...others]).size, 6);
});

test.run();
