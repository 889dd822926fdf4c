import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Checkpoints } from '../../../src/kernel/sqlite/checkpoints.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';

const test = suite('the log is copied while nothing is written');

/** More than are worth a copy, with a page each. */
const MANY = 1_100;
const ROW = 'x'.repeat(7_000);

function stage() {
  const dir = mkdtempSync(join(tmpdir(), 'svc-checkpoints-'));
  const db = new Database(join(dir, 'state.db'));
  db.exec('CREATE TABLE t (text TEXT)');
  const due: (() => void)[] = [];
  const checkpoints = new Checkpoints(db, (run) => {
    due.push(run);
    return () => due.splice(0);
  });
  const write = (rows: number) => {
    db.transaction(() => {
      for (let n = 0; n < rows; n++) db.run('INSERT INTO t VALUES (?)', ROW);
    });
    checkpoints.noteWrite();
  };
  const passes = () => due.shift()?.();
  const close = () => {
    checkpoints.stop();
    db.close();
    rmSync(dir, { recursive: true });
  };
  return { db, due, checkpoints, write, passes, close };
}

test('not while commits follow each other', () => {
  const { db, write, passes, close } = stage();
  write(MANY);
  passes();
  write(1);
  passes();
  assert.ok(db.logPages().left > MANY);
  close();
});

test('once none has come for a while, all of it', () => {
  const { db, due, write, passes, close } = stage();
  write(MANY);
  passes();
  passes();
  assert.is(db.logPages().left, 1, 'the log has begun again, with nothing but its stamp');
  assert.is(due.length, 0, 'nothing is waited for until the next commit');
  close();
});

test('a short log stays: the next commits may change the same pages', () => {
  const { db, write, passes, close } = stage();
  write(3);
  passes();
  passes();
  assert.ok(db.logPages().left > 0);
  close();
});

test('a store that is closed waits for nothing', () => {
  const { due, write, checkpoints, close } = stage();
  write(1);
  assert.is(due.length, 1);
  checkpoints.stop();
  assert.is(due.length, 0);
  close();
});

test('a disk that fails is the business of the next commit', () => {
  const { db, write, passes, close } = stage();
  write(MANY);
  const { checkpoint } = db;
  db.checkpoint = () => {
    throw new Error('disk full');
  };
  passes();
  passes();
  db.checkpoint = checkpoint;
  assert.ok(db.logPages().left > MANY);
  close();
});

test.run();
