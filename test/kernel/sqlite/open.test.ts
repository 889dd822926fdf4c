import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AnyTables } from '../../../src/kernel/rowChange.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { TypedRows } from '../../../src/kernel/typedRows.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import type { StoreCondition } from '../../../src/kernel/sqlite/inspectStore.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS, STORE_VERSION } from '../../../src/jobs/store/migrations/migrations.ts';
import { type OpenStore, openStore, type StoreOptions } from '../../../src/jobs/store/openStore.ts';
import { finalSchema } from '../../support/memoryStore.ts';

const test = suite('store open');
const now = Date.UTC(2026, 0, 1);
const home = () => mkdtempSync(join(tmpdir(), 'svc-store-'));
const mode = (file: string) => (statSync(file).mode & 0o777).toString(8);
const refusal = (options: Partial<StoreOptions> & { file: string }): SvcError => {
  try {
    openStore({ pid: 1, now, ...options }).close();
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  throw new Error('the store was opened');
};

test('the folder is 0700 and every file in it 0600, whatever the umask', () => {
  const dir = join(home(), '.svc');
  const umask = process.umask(0);
  const store = openStore({ file: join(dir, 'state.db'), pid: 7, now });
  process.umask(umask);
  assert.is(mode(dir), '700');
  assert.equal(
    readdirSync(dir)
      .sort()
      .map((name) => [name, mode(join(dir, name))]),
    [
      ['runner.lock.json', '600'],
      ['state.db', '600'],
      ['state.db-manifest', '600'],
      ['state.db-wal', '600'],
    ],
  );
  assert.equal(JSON.parse(readFileSync(join(dir, 'runner.lock.json'), 'utf8')), {
    pid: 7,
    startedAt: '2026-01-01T00:00:00.000Z',
  });
  store.close();
  assert.equal(readdirSync(dir).sort(), ['state.db', 'state.db-manifest']);
  rmSync(dir, { recursive: true });
});

test('a file that was too open is closed to others', () => {
  const dir = home();
  const file = join(dir, 'state.db');
  openStore({ file, pid: 1, now }).close();
  chmodSync(file, 0o644);
  openStore({ file, pid: 1, now }).close();
  assert.is(mode(file), '600');
  rmSync(dir, { recursive: true });
});

/** A runner in another process that holds the file until it is killed. */
async function otherRunner(file: string): Promise<{ pid: number; kill(): Promise<void> }> {
  const module = new URL('../../../src/jobs/store/openStore.ts', import.meta.url).href;
  const code = `import { openStore } from '${module}';
    const store = openStore({ file: ${JSON.stringify(file)}, pid: process.pid, now: ${now} });
    store.durable.claim();
    console.log('open');
    setInterval(() => store, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: child.stdout }), 'line');
  return {
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** What `svc doctor` sees: a process of its own, which is gone when the runner starts. */
function readCondition(file: string): StoreCondition {
  const inspect = fileURLToPath(
    new URL('../../../src/kernel/sqlite/inspectStore.ts', import.meta.url),
  );
  const code = `const { inspectStore } = await import(${JSON.stringify(inspect)});
    console.log(JSON.stringify(inspectStore(${JSON.stringify(file)})));`;
  const argv = ['--import', 'tsx', '--input-type=module', '-e', code];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }));
}

test('looked at after kill -9, with the index that this leaves beside it, the file opens like any other (CLI-4)', async () => {
  const dir = home();
  const file = join(dir, 'state.db');
  const first = await otherRunner(file);
  assert.equal(readCondition(file), { held: true });
  await first.kill();
  assert.equal(readCondition(file), {
    held: false,
    problems: [],
    version: STORE_VERSION,
    release: null,
  });
  assert.equal(readdirSync(dir).sort(), [
    'runner.lock.json',
    'state.db',
    'state.db-manifest',
    'state.db-shm',
    'state.db-wal',
  ]);
  const store = openStore({ file, pid: 1, now });
  assert.equal(store.durable.claim(), 2, 'the claim of the one that was killed is the first');
  assert.equal(store.integrity(), [], 'the claim of the one that was killed is the first');
  // While it is open others are refused, whatever lies beside it.
  assert.equal(refusal({ file }).code, 'locked');
  assert.equal(readCondition(file), { held: true });
  store.close();
  assert.equal(readCondition(file), {
    held: false,
    problems: [],
    version: STORE_VERSION,
    release: null,
  });
  rmSync(dir, { recursive: true });
});

test('a second runner on the same home is refused immediately with the name of the first; after kill -9 the file is free', async () => {
  const dir = home();
  const file = join(dir, 'state.db');
  const first = await otherRunner(file);
  const error = refusal({ file });
  assert.is(error.code, 'locked');
  assert.equal(error.data, { pid: first.pid, startedAt: '2026-01-01T00:00:00.000Z' });
  assert.is(
    error.message,
    `${file} is in use by the runner with pid ${first.pid}, started at 2026-01-01T00:00:00.000Z. Stop it first, or choose another home.`,
  );
  await first.kill();
  assert.ok(existsSync(join(dir, 'runner.lock.json')));
  const store = openStore({ file, pid: 9, now });
  assert.equal(store.durable.claim(), 2);
  assert.equal(store.integrity(), []);
  store.close();
  rmSync(dir, { recursive: true });
});

test('a second store in the same process is refused too, and a closed one gives the file free', () => {
  const dir = home();
  const file = join(dir, 'state.db');
  const first = openStore({ file, pid: 1, now });
  first.durable.claim();
  assert.is(refusal({ file }).code, 'locked');
  assert.is(first.durable.claim(), 2);
  first.close();
  const second = openStore({ file, pid: 1, now });
  assert.is(second.durable.claim(), 3);
  second.close();
  rmSync(dir, { recursive: true });
});

const older = [
  'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID; CREATE TABLE things (id TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT',
];
const newer = [...older, "ALTER TABLE things ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'"];
/** Rows of a store with these tables, which are none of svc's. */
const things = ({ rows }: OpenStore): TypedRows<AnyTables> =>
  rows as object as TypedRows<AnyTables>;

test('an older store is copied beside itself and brought up to date', () => {
  const dir = home();
  const file = join(dir, 'state.db');
  const before = openStore({ file, pid: 1, now, migrations: older });
  assert.equal(things(before).all('things'), []);
  before.close();
  const after = openStore({ file, pid: 1, now, migrations: newer });
  assert.equal(things(after).count('things', { colour: 'red' }), 0);
  after.close();
  assert.is(mode(`${file}.v1`), '600');
  const copy = openStore({ file: `${file}.v1`, pid: 1, now, migrations: older });
  assert.throws(() => things(copy).count('things', { colour: 'red' }), /no column colour/);
  copy.close();
  rmSync(dir, { recursive: true });
});

test('a migration that fails leaves the store as it was', () => {
  const dir = home();
  const file = join(dir, 'state.db');
  openStore({ file, pid: 1, now, migrations: older }).close();
  assert.is(refusal({ file, migrations: [...newer, 'NO SQL'] }).code, 'store-failed');
  const again = openStore({ file, pid: 1, now, migrations: older });
  assert.throws(() => things(again).count('things', { colour: 'red' }), /no column colour/);
  again.close();
  rmSync(dir, { recursive: true });
});

test("a store of a newer release, another program's database and a broken file are refused with advice", () => {
  const dir = home();
  const file = join(dir, 'state.db');
  openStore({ file, pid: 1, now, migrations: newer }).close();
  assert.is(
    refusal({ file, migrations: older }).message,
    `${file} has version 2, this release reads up to 1: start the newer release, or restore a backup of this release`,
  );
  const foreign = join(dir, 'foreign.db');
  const theirs = new Database(foreign);
  theirs.exec('CREATE TABLE theirs (id TEXT)');
  theirs.close();
  assert.is(
    refusal({ file: foreign }).message,
    `${foreign} is not a database of svc: move it away or choose another home`,
  );
  const broken = join(dir, 'broken.db');
  writeFileSync(
    broken,
    'not a database at all, and long enough to be read as a header of one'.repeat(20),
  );
  assert.match(
    refusal({ file: broken }).message,
    /^Could not open .*broken\.db: file is not a database\. It is damaged or not an svc store\. It was not changed\./,
  );
  rmSync(dir, { recursive: true });
});

test('the stores that tests make by the hundred have the tables that the migrations lead to', () => {
  const tables = (migrations: readonly string[]) => {
    const db = new Database(':memory:');
    migrate(db, migrations);
    const all = db.all('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name');
    db.close();
    return all;
  };
  assert.equal(tables([finalSchema()]), tables(MIGRATIONS));
});

test('a store in memory needs no file', () => {
  const store = openStore({ file: ':memory:', pid: 1, now });
  assert.equal(store.durable.claim(), 1);
  assert.equal(store.rows.count('insights'), 0);
  assert.equal(store.integrity(), []);
  assert.equal(STORE_VERSION, 49);
  store.close();
});

test.run();
