import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { compareReleases } from '../../domain/releases.ts';
import { SvcError } from '../../lib/errors.ts';
import { type Database, IN_MEMORY } from './database.ts';
import type { Tell } from './migrate.ts';
import { releaseOf } from './release.ts';
import { copyBefore, isCurrent } from './stateCopies.ts';

/** How often it is reported how far a copy is, ms. */
const TELL_MS = 5_000;
const MIB = 1_048_576;

/**
 * Where the file system can, both files share their blocks: a large state is copied at once. It ends
 * with the process that waits for it, however that ends.
 */
const COPY = `const { constants, copyFile } = require('node:fs');
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();
copyFile(process.argv[1], process.argv[2], constants.COPYFILE_FICLONE, (error) =>
  process.exit(error === null ? 0 : error.code === 'ENOSPC' ? 28 : 1));`;
const NO_SPACE = 28;

const mib = (bytes: number): number => Math.round(bytes / MIB);
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Copies the bytes in a process of its own: opening and closing the file in this one would end the
 * locks that it has on it. Answers whether that worked. Throws SvcError `store-failed` where the disk
 * is full.
 */
async function copyBytes(from: string, to: string): Promise<boolean> {
  const child = spawn(process.execPath, ['-e', COPY, from, to], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  const [code] = (await once(child, 'close').catch(() => [1])) as [number | null];
  if (code !== NO_SPACE) return code === 0;
  throw new SvcError(
    'store-failed',
    `The state ${from} is copied before a newer svc runs on it, and the disk has no room for the ${mib(sizeOf(from))} MiB. It is as it was. Free as much, and start again.`,
  );
}

export interface TakeOver {
  release: string;
  /** The newest version of the schema that it reads. */
  known: number;
  /** When the file was last written before it was opened, epoch ms. */
  writtenAt: number;
  tell: Tell;
}

/**
 * Copies the state of an older release beside itself, as `takeOverState` would, as fast as the disk
 * is and without holding up this process: a home of a million jobs has 18 GB, which SQLite's own copy
 * takes minutes for. What is not of an older release is left to the opening, which may refuse it.
 */
export async function copyOlderState(
  db: Database,
  { release, known, writtenAt, tell }: TakeOver,
): Promise<void> {
  const version = Number(db.get('PRAGMA user_version')?.user_version);
  const last = releaseOf(db);
  const isNewer = last !== null && compareReleases(release, last) < 0;
  const copy = copyBefore(db.file, { last, version }, { release, known });
  if (isNewer || db.file === IN_MEMORY || copy === null || isCurrent(copy, writtenAt)) return;
  db.emptyWal();
  const bytes = sizeOf(db.file);
  const draft = `${copy}.draft`;
  rmSync(draft, { force: true });
  // Only its owner may read it, from its first byte on.
  closeSync(openSync(draft, 'wx', 0o600));
  const facts = { from: last, to: release, copy, mib: mib(bytes) };
  tell(facts, 'the state of an older release is copied first');
  const progress = setInterval(
    () => tell({ copy, mib: mib(sizeOf(draft)), of: mib(bytes) }, 'the state is being copied'),
    TELL_MS,
  );
  try {
    if (!(await copyBytes(db.file, draft))) return;
    const descriptor = openSync(draft, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(draft, copy);
    tell({ copy }, 'the state was copied');
  } finally {
    clearInterval(progress);
    rmSync(draft, { force: true });
  }
}
