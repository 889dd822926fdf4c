import { statSync } from 'node:fs';
import { compareReleases } from '../../base/settings/compareReleases.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { IN_MEMORY } from './openConnection.ts';
import type { Database } from './database.ts';
import { migrate, RELEASE, type Tell, writeRelease } from './migrate.ts';
import { resolveCopyPath, isCopyCurrent, pruneCopies, findReadableCopy } from './stateCopies.ts';

/** The release that last ran on the state; null = unknown or none. */
export function readStateRelease(db: Pick<Database, 'get'>): string | null {
  const hasMeta = db.get("SELECT 1 AS yes FROM sqlite_master WHERE name = 'meta'") !== undefined;
  const row = hasMeta ? db.get('SELECT value FROM meta WHERE key = ?', RELEASE) : undefined;
  return row === undefined ? null : String(row.value);
}

export function describeNewerRelease(
  file: string,
  last: string,
  release: string,
  knownVersion: number,
): string {
  const copy = findReadableCopy(file, release, knownVersion);
  const back =
    copy === null
      ? 'restore a backup of that release'
      : `put the copy ${copy} back in its place (later changes are lost)`;
  return `svc ${last} has run on ${file}, and this is svc ${release}, which may not understand what it wrote. Start svc ${last} or a newer one; to go back, ${back}.`;
}

/** When the file was last written, epoch ms; 0 = it does not exist. Call before opening it. */
export const readLastWriteTime = (file: string): number =>
  file === IN_MEMORY ? 0 : (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/**
 * Brings the state to `release`. An older release's state is copied first (`state.db.<older
 * release>`) as a way back, even if the schema stays. `writtenAt`: see {@link readLastWriteTime}.
 * Throws SvcError `store-failed` for a newer release's state, unchanged.
 */
export function takeOverState(
  db: Database,
  migrations: readonly string[],
  release: string,
  writtenAt: number,
  tell?: Tell,
): void {
  const last = readStateRelease(db);
  const version = Number(db.get('PRAGMA user_version')?.user_version);
  // The schema first: its message names both versions.
  if (version <= migrations.length && last !== null && compareReleases(release, last) < 0)
    throw new SvcError(
      'store-failed',
      describeNewerRelease(db.file, last, release, migrations.length),
    );
  const copy = resolveCopyPath(db.file, { last, version }, { release, known: migrations.length });
  if (copy !== null && db.file !== IN_MEMORY) {
    if (!isCopyCurrent(copy, writtenAt)) db.copyTo(copy);
    pruneCopies(db.file);
  }
  migrate(db, migrations, { release, copied: copy !== null, tell });
  if (readStateRelease(db) !== release) writeRelease(db, release);
}
