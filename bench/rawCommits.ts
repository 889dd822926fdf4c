import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

const ROW_BYTES = 4_096;

/** B: commits a second of one UPDATE of one 4 KB row each, WAL and synchronous=FULL, for `ms`. */
export function rawCommitRate(ms: number): number {
  const dir = mkdtempSync(join(tmpdir(), 'svc-bench-raw-'));
  const db = new DatabaseSync(join(dir, 'raw.db'));
  try {
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)',
    );
    // SQLite skips an overwrite with the same bytes.
    const bodies = ['a'.repeat(ROW_BYTES), 'b'.repeat(ROW_BYTES)];
    db.prepare('INSERT INTO rows VALUES (1, ?)').run(bodies[0]);
    const update = db.prepare('UPDATE rows SET body = ? WHERE id = 1');
    let commits = 0;
    const start = performance.now();
    let spent = 0;
    while (spent < ms) {
      for (let i = 0; i < 50; i++) update.run(bodies[++commits % 2]);
      spent = performance.now() - start;
    }
    return (commits / spent) * 1_000;
  } finally {
    db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
