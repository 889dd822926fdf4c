import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { Checkpoints, makeLogSpace } from '../../../src/kernel/sqlite/checkpoints.ts';
import { CHECKPOINT_PAGES } from '../../../src/kernel/sqlite/pair/pairRecorder.ts';

const test = suite('the log is made longer while nothing is written');

const MIB = 1 << 20;
const ROW = 'x'.repeat(7_000);

function stage() {
  const dir = mkdtempSync(join(tmpdir(), 'svc-log-space-'));
  const file = join(dir, 'state.db');
  const db = new Database(file);
  db.exec('CREATE TABLE t (text TEXT)');
  let idle = () => {};
  const checkpoints = new Checkpoints(db, (run) => {
    idle = run;
    return () => {};
  });
  const write = (rows: number) => {
    db.transaction(() => {
      for (let n = 0; n < rows; n++) db.run('INSERT INTO t VALUES (?)', ROW);
    });
    checkpoints.noteWrite();
  };
  /** Twice: the first look sees that there was a commit. */
  const rests = () => {
    idle();
    idle();
  };
  const logSize = () => statSync(`${file}-wal`).size;
  const close = () => {
    checkpoints.stop();
    db.close();
    rmSync(dir, { recursive: true });
  };
  return { dir, file, db, write, rests, logSize, close };
}

test('to twice of what is used, so that the next commits find their place', () => {
  const { db, write, rests, logSize, close } = stage();
  write(200);
  const used = logSize();
  rests();
  assert.is(logSize(), 2 * db.logBytes(db.logPages().all));
  assert.ok(logSize() > used);
  const before = logSize();
  write(20);
  assert.is(logSize(), before);
  close();
});

test('a runner that dies then loses nothing: the zeros are the end of its log', () => {
  const { dir, file, write, rests, close } = stage();
  write(200);
  rests();
  write(20);
  const copy = join(dir, 'copy.db');
  cpSync(file, copy);
  cpSync(`${file}-wal`, `${copy}-wal`);
  const again = new Database(copy);
  assert.is(again.get('SELECT count(*) AS rows FROM t')?.rows, 220);
  assert.is(again.get('PRAGMA integrity_check')?.integrity_check, 'ok');
  again.close();
  close();
});

test('not below 1 MiB, and not beyond what the log may grow to', () => {
  const { db, file, write, rests, logSize, close } = stage();
  write(20);
  const small = logSize();
  rests();
  assert.is(logSize(), small);
  const limit = db.logBytes(CHECKPOINT_PAGES);
  assert.ok(limit > 46 * MIB && limit < 50 * MIB);
  makeLogSpace(file, 40 * MIB, limit);
  assert.is(logSize(), limit);
  close();
});

test('a log that is longer already stays as it is', () => {
  const { dir, close } = stage();
  const other = join(dir, 'other.db');
  writeFileSync(`${other}-wal`, Buffer.alloc(5 * MIB));
  makeLogSpace(other, 2 * MIB, 48 * MIB);
  assert.is(statSync(`${other}-wal`).size, 5 * MIB);
  close();
});

test.run();
