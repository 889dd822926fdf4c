import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes that reach the disk together, or not at all. */
const PAGE_BYTES = 4_096;
/** Numbers before the bytes of an entry: offset, bytes kept, size of the file before, a spare one. */
const HEAD_BYTES = 32;
/** A sync takes so much longer that a kill at random falls into one now and then. */
const SYNC_MS = 15;
const FILES = ['state.db', 'state.db-wal'];

/** What of the writes that were not synced a loss of power takes: all of them, or each page by chance. */
export type Loss = 'all' | 'some';

/**
 * The library that keeps what a loss of power would take, built in the folder. Throws where this
 * machine has no C compiler or is not Linux.
 */
export function buildUnsyncedWrites(dir: string): string {
  const library = join(dir, 'unsyncedWrites.so');
  const source = join(import.meta.dirname, 'unsyncedWrites.c');
  const { status, stderr, error } = spawnSync(
    'cc',
    ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread'],
    { encoding: 'utf8' },
  );
  if (process.platform !== 'linux' || status !== 0)
    throw new Error(
      `A loss of power is played on Linux with a C compiler called cc (Debian: apt-get install gcc libc6-dev). ${error?.message ?? stderr}`,
    );
  return library;
}

/** A disk below a home that loses what was not synced. */
export class UnsyncedDisk {
  readonly #home: string;
  readonly #kept: string;
  readonly #library: string;

  constructor(home: string, keptFolder: string, library: string) {
    this.#home = home;
    this.#kept = keptFolder;
    this.#library = library;
    mkdirSync(keptFolder, { recursive: true });
  }

  /** Environment of a runner on it. `killAtSync`: it dies instead of that sync; 0 = at none. */
  env(killAtSync: number): Record<string, string> {
    return {
      LD_PRELOAD: this.#library,
      UNSYNCED_DIR: this.#kept,
      SYNC_MS: String(SYNC_MS),
      ...(killAtSync > 0 && { KILL_AT_SYNC: String(killAtSync) }),
    };
  }

  /** Takes what a loss of power could take now, after the runner was killed. Answers how many writes were not synced. */
  losePower(loss: Loss, chance: () => number): number {
    let writes = 0;
    for (const name of FILES) {
      const list = join(this.#kept, name);
      const file = join(this.#home, name);
      const entries = existsSync(list) ? parseEntries(readFileSync(list)) : [];
      if (entries.length === 0 || !existsSync(file)) continue;
      writes += entries.length;
      const now = readFileSync(file);
      const synced = restoreSynced(now, entries);
      writeFileSync(file, loss === 'all' ? synced : mixPages(synced, now, chance));
      writeFileSync(list, '');
    }
    return writes;
  }
}

interface Entry {
  offset: number;
  sizeBefore: number;
  bytes: Buffer;
}

/** An entry that the kill has cut belongs to a write that was not begun. */
function parseEntries(list: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + HEAD_BYTES <= list.length; ) {
    const [offset, byteCount, sizeBefore] = [0, 8, 16].map((n) =>
      Number(list.readBigUInt64LE(at + n)),
    );
    const end = at + HEAD_BYTES + (byteCount ?? 0);
    if (end > list.length) break;
    entries.push({
      offset: offset ?? 0,
      sizeBefore: sizeBefore ?? 0,
      bytes: list.subarray(at + HEAD_BYTES, end),
    });
    at = end;
  }
  return entries;
}

function restoreSynced(now: Buffer, entries: readonly Entry[]): Buffer {
  const most = Math.max(now.length, ...entries.map(({ sizeBefore }) => sizeBefore));
  const image = Buffer.concat([now, Buffer.alloc(most - now.length)]);
  for (const { offset, bytes } of entries.toReversed()) bytes.copy(image, offset);
  return image.subarray(0, entries[0]?.sizeBefore ?? now.length);
}

/** Each page, and the size, as at the last sync or as it is now, by chance. */
function mixPages(synced: Buffer, now: Buffer, chance: () => number): Buffer {
  const size = chance() < 0.5 ? synced.length : now.length;
  const mixed = Buffer.alloc(size);
  for (let at = 0; at < size; at += PAGE_BYTES) {
    const from = chance() < 0.5 ? synced : now;
    mixed.set(from.subarray(at, at + PAGE_BYTES).subarray(0, size - at), at);
  }
  return mixed;
}
