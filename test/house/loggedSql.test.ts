import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectFiles, read } from '../../scripts/checks/projectFiles.ts';
import { Database } from '../../src/kernel/sqlite/database.ts';
import { migrate } from '../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../src/jobs/store/migrations/migrations.ts';

const test = suite('house: statements of batches give the same rows when they are replayed');

/** What differs from one machine, moment or file to the next. */
const DIFFERS: readonly [what: string, pattern: RegExp][] = [
  ['randomness', /\brandom(?:blob)?\s*\(/i],
  ['the time', /'now'|\bcurrent_(?:time|date|timestamp)\b/i],
  ['the time, left out', /\b(?:date|time|datetime|julianday|unixepoch)\s*\(\s*\)/i],
  ['the time, left out', /\bstrftime\s*\(\s*'[^']*'\s*\)/i],
  ['what ran before on this connection', /\b(?:last_insert_rowid|changes|total_changes)\s*\(/i],
  ['the program', /\bsqlite_(?:version|source_id)\s*\(/i],
  [
    'numbers of rows that no one gives',
    /(?<!\bwithout )\b(?:rowid|_rowid_|oid)\b|\bautoincrement\b/i,
  ],
  ['a function of the program', /\b(?:folded|first_line)\s*\(/i],
];

const findDifferences = (sql: string): string[] =>
  DIFFERS.filter(([, pattern]) => pattern.test(sql)).map(([what]) => what);

/** Statements that change rows. */
const CHANGES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/i;

/**
 * Files whose statements are in no batch, and why the log does without them. `checkpointDue` brings
 * to the control plane what changes rows of features.
 */
const OUTSIDE: Readonly<Record<string, string>> = {
  'src/kernel/sqlite/sqliteStore.ts': 'the claim: the generation is that of the control plane',
  'src/kernel/sqlite/commits.ts': 'the transaction of a batch without a log',
  'src/kernel/sqlite/log/': 'the log itself',
  'src/kernel/sqlite/migrate.ts': 'migration',
  'src/kernel/sqlite/takeOverState.ts': 'the release, in meta',
  'src/kernel/sqlite/archive/archiver.ts': 'archive',
  'src/kernel/sqlite/database.ts': 'space given back',
  'src/kernel/sqlite/openConnection.ts': 'an empty file',
  'src/kernel/sqlite/inspectStore.ts': 'a question that writes nothing',
  'src/kernel/sqlite/openKernelStore.ts': 'space given back',
  'src/kernel/sqlite/openToRead.ts': 'what was not committed, taken back',
  'src/kernel/sqlite/pair/': 'the stamp of the file',
  'src/kernel/sqlite/thread/': 'the transaction of a batch without a log',
  'src/jobs/store/migrations/': 'migration',
  'src/jobs/store/repair/repairState.ts': 'repair',
  'src/jobs/store/clearCarriedState.ts': 'a state that came from elsewhere, before it is used',
  'src/jobs/store/copiedState.ts': 'a copy',
  'src/host/start/homes/leaveStoppedHome.ts': 'the log itself',
  'src/host/start/homes/reseedHome.ts': 'the log itself',
};

const isOutside = (file: string): boolean =>
  Object.keys(OUTSIDE).some((place) => file.startsWith(place));

const sources = projectFiles().filter(
  (file) => /^src\/(?!cloud\/|cloudLink\/).*\.ts$/.test(file) && !file.endsWith('.d.ts'),
);

/** Texts of strings and templates; what is put into a template is a question mark. */
function listTexts(file: string): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push(
        [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('?'),
      );
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

const inventory = (() => {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  const schema = db.all(
    'SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL',
  );
  const keys = db.all(`SELECT m.name AS name, count(*) FILTER (WHERE c.pk > 0) AS columns,
      max(c.pk > 0 AND upper(c.type) = 'INTEGER') AS isNumber, max(m.sql LIKE '%WITHOUT ROWID%') AS isPlain
    FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' GROUP BY m.name`);
  db.close();
  return { schema, keys };
})();

test('the patterns know what they look for, and leave alone what is given', () => {
  const bad = [
    'INSERT INTO a VALUES (random())',
    "UPDATE a SET at = unixepoch('now')",
    'INSERT INTO a VALUES (CURRENT_TIMESTAMP)',
    'UPDATE a SET at = unixepoch()',
    "UPDATE a SET at = strftime('%s')",
    'INSERT INTO a VALUES (last_insert_rowid())',
    'DELETE FROM a WHERE rowid < 5',
    'CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT)',
  ];
  assert.equal(
    bad.filter((sql) => findDifferences(sql).length === 0),
    [],
  );
  assert.equal(findDifferences("UPDATE a SET day = date(at / 1000, 'unixepoch'), changes = 1"), []);
});

test('no trigger, view, index or default gives another row when it runs again', () => {
  assert.ok(inventory.schema.filter(({ type }) => type === 'trigger').length > 20);
  assert.equal(
    inventory.schema.flatMap(({ name, sql }) =>
      findDifferences(String(sql)).map((what) => `${name}: ${what}`),
    ),
    [],
  );
});

test('no statement that changes rows does either', () => {
  const statements = sources
    .filter((file) => !file.startsWith('src/jobs/store/migrations/'))
    .filter((file) => /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/.test(read(file)))
    .flatMap((file) =>
      listTexts(file)
        .filter((text) => CHANGES.test(text))
        .map((sql) => ({ file, sql })),
    );
  assert.ok(statements.length > 30, `only ${statements.length} statements`);
  assert.ok(statements.some(({ file }) => file === 'src/kernel/sqlite/batchWrites.ts'));
  assert.equal(
    statements.flatMap(({ file, sql }) =>
      findDifferences(sql).map((what) => `${file}: ${what}: ${sql.slice(0, 80)}`),
    ),
    [],
  );
});

/**
 * Tables whose key may be left out: SQLite then takes one more than the largest. `quarantined_rows` is
 * written by repairs alone, after which a checkpoint is due.
 */
const NUMBERED: Readonly<Record<string, 'given' | 'next' | 'repair'>> = {
  audit_entries: 'given',
  log_outgoing: 'given',
  quarantined_rows: 'repair',
  retention_runs: 'given',
  // Only batches write them, so the largest is the same.
  usage_hours: 'next',
  usage_place_days: 'next',
  usage_subject_days: 'next',
};

test('the tables in which SQLite may choose a key are known', () => {
  assert.ok(inventory.keys.length > 40);
  const chosen = inventory.keys
    .filter(({ columns, isNumber, isPlain }) => columns === 1 && isNumber === 1 && isPlain === 0)
    .map(({ name }) => String(name));
  assert.equal(chosen.sort(), Object.keys(NUMBERED));
});

test('every file that writes to the state outside of batches is known, with what the control plane gets instead', () => {
  const writes = /\bdb\.(?:run|exec|transaction)\(|\bcopy\.exec\(/;
  const writers = sources.filter((file) => writes.test(read(file)));
  assert.ok(writers.length > 5);
  assert.equal(
    writers.filter((file) => !isOutside(file)),
    [],
  );
  const stale = Object.keys(OUTSIDE).filter(
    (place) => !sources.some((file) => file.startsWith(place)),
  );
  assert.equal(stale, []);
});

test.run();
