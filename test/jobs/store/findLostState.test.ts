import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findLostState } from '../../../src/jobs/store/findLostState.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { setAside } from '../../../src/kernel/sqlite/pair/setAside.ts';

const test = suite<{ dir: string; file: string; work: string }>('lost state');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-lost-'));
  context.file = join(context.dir, 'state.db');
  context.work = join(context.dir, 'work');
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

const job = (work: string) => mkdirSync(join(work, 'shop-job-1', '_sessions'), { recursive: true });

test('a new home, and one whose runner has stopped or was killed, lacks nothing', ({
  file,
  work,
  dir,
}) => {
  assert.is(findLostState(file, work), null);
  const store = openStore({ file, pid: 1, now: 0 });
  job(work);
  const killed = join(dir, 'killed.db');
  copyFileSync(file, killed);
  copyFileSync(`${file}-wal`, `${killed}-wal`);
  assert.is(findLostState(killed, work), null);
  store.close();
  assert.is(findLostState(file, work), null);
});

test('a state.db that is missing or empty beside folders of jobs is all of the state', ({
  file,
  work,
}) => {
  job(work);
  assert.match(
    findLostState(file, work)?.detail ?? '',
    'state.db is missing or empty beside the folders of 1 job',
  );
  writeFileSync(file, '');
  const lost = findLostState(file, work);
  assert.match(lost?.fix ?? '', `move ${work} away`);
});

test('a WAL that is missing after a kill is noticed, and looking changes nothing', ({
  file,
  dir,
  work,
}) => {
  const store = openStore({ file, pid: 1, now: 0 });
  const alone = join(dir, 'alone.db');
  copyFileSync(file, alone);
  store.close();
  for (const _ of [1, 2])
    assert.match(findLostState(alone, work)?.detail ?? '', 'alone.db-wal, the log of');
  assert.equal(
    readdirSync(dir).filter((name) => name.startsWith('alone')),
    ['alone.db'],
  );
});

test('a state that its runner has written is not taken for a new one, whatever folders there are', ({
  file,
  work,
}) => {
  openStore({ file, pid: 1, now: 0 }).close();
  writeFileSync(file, '');
  assert.match(findLostState(file, work)?.detail ?? '', 'state.db is missing or empty');
  rmSync(`${file}-manifest`);
  assert.is(findLostState(file, work), null, 'nothing shows that it was written');
  writeFileSync(join(file, '../home.json'), '{"id":"h","path":"/"}');
  assert.match(findLostState(file, work)?.detail ?? '', 'state.db is missing or empty');
});

test('accepted, the loss leaves state.db as it is without its log, and every other file', ({
  file,
  dir,
  work,
}) => {
  const store = openStore({ file, pid: 1, now: 0 });
  store.durable.claim();
  const killed = join(dir, 'killed.db');
  for (const end of ['', '-wal', '-manifest']) copyFileSync(`${file}${end}`, `${killed}${end}`);
  store.close();
  writeFileSync(killed, '');
  writeFileSync(join(dir, 'home.json'), '{"id":"h","path":"/"}');
  assert.equal(
    setAside(killed, 0).map((path) => basename(path)),
    ['-manifest', '-wal', ''].map((end) => `killed.db${end}.set-aside-1970-01-01T000000000Z`),
  );
  assert.is(findLostState(killed, work), null);
  openStore({ file: killed, pid: 1, now: 0 }).close();
});

test('folders that are no jobs say nothing', ({ file, work }) => {
  mkdirSync(join(work, 'notes'), { recursive: true });
  assert.is(findLostState(file, work), null);
});

test('a log that is a folder is named itself, and not state.db', ({ file }) => {
  openStore({ file, pid: 1, now: 0 }).close();
  mkdirSync(`${file}-wal`);
  assert.throws(
    () => openStore({ file, pid: 1, now: 0 }),
    (error: Error) => error.message.startsWith(`Could not read ${file}-wal: it is a folder`),
  );
});

test.run();
