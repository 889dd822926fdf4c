import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DatabaseSync } from '@photostructure/sqlite';
import { openStore } from '../../../src/jobs/store/openStore.ts';

const test = suite('a state that is closed while it is copied');

/** Enough pages for many steps. */
const ROWS = 3_000;

function openLarge(dir: string) {
  const store = openStore({ file: join(dir, 'state.db'), pid: process.pid, now: 0 });
  store.db.exec('CREATE TABLE large (text TEXT NOT NULL) STRICT');
  store.db.transaction(() => {
    for (let n = 0; n < ROWS; n++) store.db.run('INSERT INTO large VALUES (?)', 'x'.repeat(8_000));
  });
  return store;
}

const countRows = (file: string): number => {
  const db = new DatabaseSync(file, { readOnly: true });
  const { n } = db.prepare('SELECT count(*) AS n FROM large').get() as { n: number };
  db.close();
  return n;
};

for (const way of ['close', 'release'] as const)
  test(`${way}: the copy ends, and the file is free after it`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'svc-copied-'));
    const store = openLarge(dir);
    const copy = join(dir, 'copy.db');
    const copying = store.db.copyOpenTo(copy);
    const ending = store[way]();
    await copying;
    await ending;
    await store.db.waitForCopies();
    assert.is(countRows(copy), ROWS);
    assert.is(countRows(join(dir, 'state.db')), ROWS);
    rmSync(dir, { recursive: true });
  });

test.run();
