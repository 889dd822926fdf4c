import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KernelError } from '../../../src/kernel/contract.ts';
import { toSurfaceError } from '../../../src/jobs/commands/refusals.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';

const test = suite('a store whose disk is full');

/** A file that may not grow, as on a full disk; `free` gives it room. */
const stage = () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-full-'));
  const file = join(dir, 'state.db');
  const db = new Database(file);
  db.exec('CREATE TABLE notes (text TEXT)');
  db.run('INSERT INTO notes VALUES (?)', 'acknowledged');
  const pages = Number(db.get('PRAGMA page_count')?.page_count);
  db.get(`PRAGMA max_page_count = ${pages}`);
  return {
    db,
    file,
    write: (text: string) => db.transaction(() => db.run('INSERT INTO notes VALUES (?)', text)),
    texts: () => db.all('SELECT text FROM notes').map(({ text }) => String(text).slice(0, 12)),
    free: () => db.get(`PRAGMA max_page_count = ${pages + 1000}`),
    end() {
      db.close();
      rmSync(dir, { recursive: true });
    },
  };
};

const LONG = `too long ${'x'.repeat(100_000)}`;

test('a write fails with the file and what to do, and what was acknowledged stays', () => {
  const { file, write, texts, end } = stage();
  assert.throws(
    () => write(LONG),
    (error: Error) =>
      error.message ===
      `Could not write ${file}: database or disk is full. The disk is full; nothing was written. Acknowledged changes are kept. Free some space; the runner continues by itself`,
  );
  assert.equal(texts(), ['acknowledged']);
  end();
});

test('the same connection writes again once there is room', () => {
  const { write, texts, free, end } = stage();
  assert.throws(() => write(LONG));
  free();
  write(LONG);
  assert.equal(texts(), ['acknowledged', 'too long xxx']);
  end();
});

test('who has sent a command is given the reason', () => {
  const full = new KernelError('commit-failed', 'Could not write: database or disk is full');
  assert.match(
    String(toSurfaceError('job-1', full)),
    'The state could not be saved: its disk is full. Free some space; the runner continues by itself.',
  );
  const other = new KernelError('commit-failed', 'Could not write: readonly');
  assert.match(String(toSurfaceError('job-1', other)), 'The state could not be saved. Send');
});

test.run();
