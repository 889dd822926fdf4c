import { SvcError } from '../../base/errors/errors.ts';
import { IN_MEMORY } from './openConnection.ts';
import type { Database } from './database.ts';
import { toVersionCopyPath, findReadableCopy } from './stateCopies.ts';

export function describeNewerStore(
  file: string,
  version: number,
  knownVersion: number,
  release = '',
): string {
  const copy = findReadableCopy(file, release, knownVersion);
  const fix = copy === null ? 'restore a backup of this release' : `restore the copy ${copy}`;
  return `${file} has version ${version}, this release reads up to ${knownVersion}: start the newer release, or ${fix}`;
}

/** Receives log lines about long one-time work during opening. */
export type Tell = (facts: Readonly<Record<string, unknown>>, text: string) => void;

export interface MigrateOptions {
  /** The release that takes the state over, written in the same transaction. */
  release?: string;
  /** The caller already has a copy; default false. */
  copied?: boolean;
  /** Default: nothing is reported. */
  tell?: Tell | undefined;
}

/** Key in `meta` of the release that last ran on the state. */
export const RELEASE = 'release';

/**
 * Migrates the database in one transaction. Copies an older one beside itself first
 * (`<file>.v<version>`) unless the caller has. Throws SvcError `store-failed` for a newer or
 * foreign file.
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
  // With very many actors this may take minutes, in which nothing else runs.
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
 * Migrations read snapshots as JSON, on which SQLite fails if invalid. Such a snapshot is an empty
 * object meanwhile, and is shown as broken afterwards.
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
