import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { compareReleases } from '../../base/settings/compareReleases.ts';
import { copyApart, measureFileBytes } from '../../base/system/files/copyApart.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { IN_MEMORY } from './openConnection.ts';
import type { Database } from './database.ts';
import type { Tell } from './migrate.ts';
import { FORMAT_AT, WITHOUT_LOG } from './pair/readDatabaseHead.ts';
import { readStateRelease } from './takeOverState.ts';
import { resolveCopyPath, isCopyCurrent } from './stateCopies.ts';

/** How often the progress of a copy is reported, ms. */
const TELL_MS = 5_000;
const MIB = 1_048_576;

const toMebibytes = (bytes: number): number => Math.round(bytes / MIB);

export interface TakeOver {
  release: string;
  /** The newest schema version that this release reads. */
  known: number;
  /** When the file was last written before opening, epoch ms. */
  writtenAt: number;
  tell: Tell;
}

/**
 * Copies an older release's state beside itself, as `takeOverState` would, but at disk speed and
 * without blocking this process: a store of a million actors has 18 GB, minutes with SQLite's own
 * copy. Other states are left to the opening, which may refuse them.
 */
export async function copyOlderState(
  db: Database,
  { release, known, writtenAt, tell }: TakeOver,
): Promise<void> {
  const version = Number(db.get('PRAGMA user_version')?.user_version);
  const last = readStateRelease(db);
  const isNewer = last !== null && compareReleases(release, last) < 0;
  const copy = resolveCopyPath(db.file, { last, version }, { release, known });
  if (isNewer || db.file === IN_MEMORY || copy === null || isCopyCurrent(copy, writtenAt)) return;
  db.emptyWal();
  const bytes = measureFileBytes(db.file);
  const draft = `${copy}.draft`;
  rmSync(draft, { force: true });
  // Only the owner may read it, from the first byte on.
  closeSync(openSync(draft, 'wx', 0o600));
  const facts = { from: last, to: release, copy, mib: toMebibytes(bytes) };
  tell(facts, 'the state of an older release is copied first');
  try {
    const result = await copyApart(db.file, draft, {
      everyMs: TELL_MS,
      tell: (copiedBytes) =>
        tell(
          { copy, mib: toMebibytes(copiedBytes), of: toMebibytes(bytes) },
          'the state is being copied',
        ),
    });
    if (result === 'no space')
      throw new SvcError(
        'store-failed',
        `The state ${db.file} is copied before a newer svc runs on it, and the disk has no room for the ${toMebibytes(bytes)} MiB. It is as it was. Free as much, and start again.`,
      );
    if (result === 'failed') return;
    const descriptor = openSync(draft, 'r+');
    // The header names a log, which is empty: put back alone, the copy would seem to lack one.
    writeSync(descriptor, WITHOUT_LOG, 0, WITHOUT_LOG.length, FORMAT_AT);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(draft, copy);
    tell({ copy }, 'the state was copied');
  } finally {
    rmSync(draft, { force: true });
  }
}
