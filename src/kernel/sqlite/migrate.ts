import { SvcError } from '../../shared/errors/errors.ts';
import { IN_MEMORY } from './openConnection.ts';
import type { Database } from './database.ts';
import { toVersionCopyPath, findReadableCopy } from './stateCopies.ts';

/** What is wrong with a database of a newer release, and how to fix it. */
export function describeNewerStore(
  file: string,
  version: number,
  known: number,
  release = '',
): string {
  const copy = findReadableCopy(file, release, known);
  const fix = copy === null ? 'restore a backup of this release' : `restore the copy ${copy}`;
  return `${file} has version ${version}, this release reads up to ${known}: start the newer release, or ${fix}`;
}

/** Takes a line about what an opening does once and takes long: one for the runner's log. */
export type Tell = (facts: Readonly<Record<string, unknown>>, text: string) => void;

export interface MigrateOptions {
  /** The release of svc that takes the state over, written into it in the same transaction. */
  release?: string;
  /** The caller has a copy of the state; default false. */
  copied?: boolean;
  /** Default: nothing is reported. */
  tell?: Tell | undefined;
}

/** Key of `meta` under which the release that last ran on the state is kept. */
export const RELEASE = 'release';

/**
 * Brings the database to the version that `migrations` lead to, all in one transaction. An older
 * database is copied beside itself first (`<file>.v<version>`), unless the caller has a copy. Throws
 * SvcError `store-failed` for a newer one and for a file of others.
 */
export function migrate(
  db: Database,
  migrations: readonly string[],
  { release, copied = false, tell }: MigrateOptions = {},
): void {
  const version = Number(db.get('PRAGMA user_version')?.user_version);
  if (version > migrations.length) {
    throw new SvcError(
      'store-failed',
      describeNewerStore(db.file, version, migrations.length, release),
    );
  }
  if (version === migrations.length) return;
  if (version === 0 && db.get('SELECT name FROM sqlite_master LIMIT 1')) {
    throw new SvcError(
      'store-failed',
      `${db.file} is not a database of svc: move it away or choose another home`,
    );
  }
  if (version > 0 && db.file !== IN_MEMORY && !copied)
    db.copyTo(toVersionCopyPath(db.file, version));
  const facts = { from: version, to: migrations.length };
  // In a store of very many actors this may take minutes, in which nothing else is done.
  if (version > 0) tell?.(facts, 'the state is brought to a newer version');
  db.transaction(() => {
    migrateAroundBrokenSnapshots(db, () => {
      for (const sql of migrations.slice(version)) db.exec(sql);
    });
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    if (release !== undefined) writeRelease(db, release);
  });
  if (version > 0) tell?.(facts, 'the state has the newer version');
}

/**
 * Migrations read snapshots as JSON, and SQLite fails on invalid JSON: such a snapshot is an empty object
 * meanwhile. It is shown as broken afterwards, and keeps nothing from starting.
 */
function migrateAroundBrokenSnapshots(db: Database, migrateAll: () => void): void {
  // A new store has no actors yet.
  if (!hasSchemaTable(db, 'actors')) {
    migrateAll();
    return;
  }
  db.exec(
    `CREATE TEMP TABLE broken_snapshots AS SELECT id, snapshot FROM actors WHERE NOT json_valid(snapshot);
     UPDATE actors SET snapshot = '{}' WHERE id IN (SELECT id FROM broken_snapshots)`,
  );
  migrateAll();
  db.exec(
    `UPDATE actors SET snapshot = (SELECT b.snapshot FROM broken_snapshots b WHERE b.id = actors.id)
       WHERE id IN (SELECT id FROM broken_snapshots);
     DROP TABLE temp.broken_snapshots`,
  );
}

const hasSchemaTable = (db: Database, name: string): boolean =>
  db.get("SELECT 1 AS one FROM sqlite_master WHERE type = 'table' AND name = ?", name) !==
  undefined;

export const writeRelease = (db: Database, release: string): void =>
  void db.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', RELEASE, release);
