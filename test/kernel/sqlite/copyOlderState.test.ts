import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { isStateHeld } from '../../../src/kernel/sqlite/inspectStore.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { openStore, openStoreOfRunner } from '../../../src/jobs/store/openStore.ts';
import { readStateRelease } from '../../../src/kernel/sqlite/takeOverState.ts';

const test = suite('store: a runner takes over the state of an older release');

let dir: string;
let file: string;
test.before.each(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-older-'));
  file = join(dir, 'state.db');
});
test.after.each(() => rmSync(dir, { recursive: true, force: true }));

const older = (migrations = MIGRATIONS) =>
  openStore({ file, pid: 1, now: 0, release: '0.2.0', migrations }).close();

/** What is told while the newer release opens the state. */
async function copyAndListLines(during: (line: string) => void = () => {}): Promise<string[]> {
  const lines: string[] = [];
  const tell = (_facts: object, text: string) => {
    during(text);
    lines.push(text);
  };
  const store = await openStoreOfRunner({ file, pid: 1, now: 0, release: '0.2.1', tell });
  store.close();
  return lines;
}

test('the copy is what the older release left', async () => {
  older();
  await copyAndListLines();
  const copy = new Database(`${file}.0.2.0`);
  assert.is(readStateRelease(copy), '0.2.0');
  copy.close();
});

test('what a killed runner has left in the write-ahead log is in the copy', async () => {
  older();
  const killed = join(dir, 'killed');
  mkdirSync(killed);
  const db = new Database(file);
  db.run("INSERT INTO meta (key, value) VALUES ('late', '1')");
  for (const name of ['state.db', 'state.db-wal']) cpSync(join(dir, name), join(killed, name));
  db.close();
  file = join(killed, 'state.db');
  await copyAndListLines();
  const copy = new Database(`${file}.0.2.0`);
  assert.is(copy.get("SELECT value FROM meta WHERE key = 'late'")?.value, '1');
  copy.close();
});

test('the copy is reported before it begins and when it is complete', async () => {
  older();
  assert.equal(await copyAndListLines(), [
    'the state of an older release is copied first',
    'the state was copied',
  ]);
});

test('a new version of the schema is reported too, before and after it is written', async () => {
  older(MIGRATIONS.slice(0, -1));
  assert.equal((await copyAndListLines()).slice(2), [
    'the state is brought to a newer version',
    'the state has the newer version',
  ]);
});

test('the state of an older schema is copied by its version, where the release is the same', async () => {
  openStore({
    file,
    pid: 1,
    now: 0,
    release: '0.2.1',
    migrations: MIGRATIONS.slice(0, -1),
  }).close();
  await copyAndListLines();
  assert.equal(
    readdirSync(dir).filter((name) => name.startsWith('state.db.')),
    [`state.db.v${MIGRATIONS.length - 1}`],
  );
});

test('a start on the state of the same release reports nothing', async () => {
  older();
  await copyAndListLines();
  assert.equal(await copyAndListLines(), []);
});

test('the state of a newer release is refused and not copied', async () => {
  openStore({ file, pid: 1, now: 0, release: '0.3.0' }).close();
  await copyAndListLines().catch(() => undefined);
  assert.equal(
    readdirSync(dir).filter((name) => name.startsWith('state.db.')),
    [],
  );
});

test('no other process can have the state while it is copied', async () => {
  older();
  const lockStates: boolean[] = [];
  await copyAndListLines(() => void lockStates.push(isStateHeld(file)));
  assert.equal(lockStates, [true, true]);
});

test('only its owner may read the copy', async () => {
  older();
  await copyAndListLines();
  assert.is(statSync(`${file}.0.2.0`).mode & 0o777, 0o600);
});

test('a copy that was made since the last write is not made again', async () => {
  older();
  await copyAndListLines();
  const db = new Database(file);
  db.run("UPDATE meta SET value = '0.2.0' WHERE key = 'release'");
  db.close();
  const later = Date.now() / 1000 + 60;
  utimesSync(`${file}.0.2.0`, later, later);
  assert.equal(await copyAndListLines(), []);
});

test('what an earlier copy left unfinished is gone', async () => {
  older();
  writeFileSync(`${file}.0.2.0.draft`, 'half of it');
  await copyAndListLines();
  assert.equal(
    readdirSync(dir).filter((name) => name.includes('draft')),
    [],
  );
});

test.run();
