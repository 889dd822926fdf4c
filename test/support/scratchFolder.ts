import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const MEMORY_DISK = '/dev/shm';
/** Least that must be free there, and in memory at all; a run needs less than a quarter of it. */
const LEAST_FREE_BYTES = 4 * 1024 ** 3;
/** What `statfs` says of a file system in memory. */
const TMPFS_MAGIC = 0x01021994;
const PREFIX = 'svc-tests-';
/** Age from which a folder that no process owns any more is taken for a left-over, ms. */
const LEFT_OVER_MS = 3_600_000;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What runs left that were killed: in memory nothing else would ever remove it. */
function removeLeftOver(disk: string, now: number): void {
  for (const name of readdirSync(disk)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? 0);
    const folder = join(disk, name);
    if (pid === 0 || isAlive(pid) || now - statSync(folder).mtimeMs < LEFT_OVER_MS) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tests run programs from their folders, which a container may forbid there. */
function canExecute(folder: string): boolean {
  const program = join(folder, 'probe');
  writeFileSync(program, '#!/bin/sh\nexit 0\n');
  chmodSync(program, 0o700);
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

function memoryFolder(disk: string): string | undefined {
  try {
    const { type, bavail, bsize } = statfsSync(disk);
    if (type !== TMPFS_MAGIC || bavail * bsize < LEAST_FREE_BYTES) return undefined;
    if (process.availableMemory() < LEAST_FREE_BYTES) return undefined;
    removeLeftOver(disk, Date.now());
    const folder = mkdtempSync(join(disk, `${PREFIX}${process.pid}-`));
    // As the folder for temporary files is: whether others can read a home is the home's affair.
    chmodSync(folder, 0o755);
    if (canExecute(folder)) return folder;
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // No such place, or not for this user: the disk does as well, only slower.
  }
  return undefined;
}

/**
 * A folder of its own for everything that the tests of a run write: in memory where that is
 * possible, because tests wait for a disk longer than for anything else that they call, otherwise
 * below the folder for temporary files. A TMPDIR that was set is respected.
 */
export function scratchFolder(env: NodeJS.ProcessEnv, disk = MEMORY_DISK): string {
  const inMemory = env['TMPDIR'] === undefined ? memoryFolder(disk) : undefined;
  return inMemory ?? mkdtempSync(join(tmpdir(), PREFIX));
}
