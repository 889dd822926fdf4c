import { existsSync } from 'node:fs';
import { SvcError } from '../../lib/errors.ts';
import { type Database, IN_MEMORY } from './database.ts';

/** What is wrong with a database of a newer release, and how to fix it. */
export function newerStore(file: string, version: number, known: number): string {
  const copy = `${file}.v${known}`;
  const fix = existsSync(copy) ? `put back the copy ${copy}` : 'restore a backup of this release';
  return `${file} has version ${version}, this release reads up to ${known}: start the newer release, or ${fix}`;
}

/**
 * Brings the database to the version that `migrations` lead to, all in one transaction. An older
 * database is copied beside itself first (`<file>.v<version>`). Throws SvcError `store-failed` for
 * a newer one and for a file of others.
 */
export function migrate(db: Database, migrations: readonly string[]): void {
  const version = Number(db.get('PRAGMA user_version')?.user_version);
  if (version > migrations.length) {
    throw new SvcError('store-failed', newerStore(db.file, version, migrations.length));
  }
  if (version === migrations.length) return;
  if (version === 0 && db.get('SELECT name FROM sqlite_master LIMIT 1')) {
    throw new SvcError(
      'store-failed',
      `${db.file} is not a database of svc: move it away or choose another home`,
    );
  }
  if (version > 0 && db.file !== IN_MEMORY) db.copyTo(`${db.file}.v${version}`);
  db.transaction(() => {
    for (const sql of migrations.slice(version)) db.exec(sql);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}
