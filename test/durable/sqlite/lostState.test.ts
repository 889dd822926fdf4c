import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/durable/sqlite/database.ts';
import { lostState } from '../../../src/durable/sqlite/lostState.ts';
import { openStore } from '../../../src/durable/sqlite/openStore.ts';

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
  assert.is(lostState(file, work), null);
  const store = openStore({ file, pid: 1, now: 0 });
  job(work);
  const killed = join(dir, 'killed.db');
  copyFileSync(file, killed);
  copyFileSync(`${file}-wal`, `${killed}-wal`);
  assert.is(lostState(killed, work), null);
  store.close();
  assert.is(lostState(file, work), null);
});

test('a state.db that is missing or empty beside folders of jobs is all of the state', ({
  file,
  work,
}) => {
  job(work);
  assert.match(
    lostState(file, work)?.detail ?? '',
    'state.db is missing or empty beside the folders of 1 job',
  );
  writeFileSync(file, '');
  const lost = lostState(file, work);
  assert.is(lost?.all, true);
  assert.match(lost?.fix ?? '', `move ${work} away`);
});

test('a WAL that is missing after a kill is noticed, and looking changes nothing', ({
  file,
  work,
  dir,
}) => {
  const store = openStore({ file, pid: 1, now: 0 });
  const alone = join(dir, 'alone.db');
  copyFileSync(file, alone);
  store.close();
  assert.is(lostState(alone, work), null, 'a home without jobs has lost nothing');
  job(work);
  for (const _ of [1, 2]) {
    const lost = lostState(alone, work);
    assert.is(lost?.all, true);
    assert.match(lost?.detail ?? '', 'alone.db-wal is missing');
  }
});

test('jobs of a state whose WAL is missing are found without a copy, which may have 18 GB', ({
  file,
  work,
  dir,
}) => {
  openStore({ file, pid: 1, now: 0 }).close();
  const db = new Database(file);
  db.run(
    `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
     VALUES ('shop-job-1', 'job', 1, '{}', 1, 1, 1, 'coding', 'job', 0, 'parked', 1, 1, 1)`,
  );
  db.emptyWal();
  const alone = join(dir, 'alone.db');
  copyFileSync(file, alone);
  db.close();
  const { TMPDIR } = process.env;
  process.env.TMPDIR = join(dir, 'no-room');
  try {
    assert.is(lostState(alone, work)?.all, false);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
});

test('folders that are no jobs say nothing', ({ file, work }) => {
  mkdirSync(join(work, 'notes'), { recursive: true });
  assert.is(lostState(file, work), null);
});

test.run();
