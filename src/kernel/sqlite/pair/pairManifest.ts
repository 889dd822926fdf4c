import { sha256 } from '../../../base/system/ids/ids.ts';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Salts } from './readLog.ts';

/** Bytes of the file: one disk sector, which is written atomically. */
const FILE_BYTES = 512;
const REFUSED_ON_WINDOWS = new Set(['EPERM', 'EISDIR', 'EACCES']);
/** Most stamps kept, newest last. */
const MOST_STAMPS = 16;
/** Stamps go from 1 to this: SQLite's `application_id` without its sign. */
const MOST_STAMP = 0x7fff_ffff;
const MOST_ID_CHARS = 64;
/** Stamps of one home are nearer than this; only a message depends on it. */
const FAR = 1 << 16;

/**
 * `state.db-manifest`: which state.db and which log belong together, and how far the log was written.
 * It is one line of JSON of 512 bytes, overwritten after each commit, and on the disk before the log
 * begins again and after a clean stop.
 *
 * Each beginning of the log gives the state a new *stamp* (`application_id` in its header): one more
 * than the one before, from a random number on. So an earlier copy and the state of another home are
 * recognised by their first bytes.
 */
export interface Manifest {
  /** Id of the home (`home.json`); null = it had none yet. */
  home: string | null;
  /** Possible stamps of state.db. */
  stamps: readonly number[];
  /** The log and its frames on disk; null = none has begun. */
  log: { salts: Salts; frames: number } | null;
  /** state.db has everything in the log. */
  isComplete: boolean;
}

export const toManifestPath = (stateDb: string): string => `${stateDb}-manifest`;

export const computeNextStamp = (stamp: number): number => (stamp % MOST_STAMP) + 1;

/** Distance of a stamp from `from`, negative for an earlier one; null = another home's. */
export function countStampsSince(from: number, stamp: number): number | null {
  if (from === 0 || stamp === 0) return from === stamp ? 0 : null;
  const ahead = (stamp - from + MOST_STAMP) % MOST_STAMP;
  if (ahead < FAR) return ahead;
  return MOST_STAMP - ahead < FAR ? ahead - MOST_STAMP : null;
}

const computeManifestCheck = (text: string): string => sha256(text).slice(0, 16);

export function encodeManifest({ home, stamps, log, isComplete }: Manifest): Buffer {
  const id = home !== null && home.length <= MOST_ID_CHARS ? home : null;
  const values = JSON.stringify({ home: id, stamps: stamps.slice(-MOST_STAMPS), log, isComplete });
  const line = `{"check":"${computeManifestCheck(values)}","manifest":${values}}`;
  return Buffer.from(`${line.padEnd(FILE_BYTES - 1)}\n`);
}

const isManifestCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** null = cut, changed or no manifest. */
export function parsePairManifest(text: string): Manifest | null {
  const match = /^\{"check":"([0-9a-f]{16})","manifest":(\{.*\})\} *\n$/.exec(text);
  const [, check, values = ''] = match ?? [];
  if (check !== computeManifestCheck(values)) return null;
  const { home, stamps, log, isComplete } = Object(JSON.parse(values));
  const [first, second] = Array.isArray(log?.salts) ? log.salts : [];
  const isLog =
    log === null ||
    (isManifestCount(first) && isManifestCount(second) && isManifestCount(log.frames));
  const isReadable =
    (home === null || typeof home === 'string') &&
    Array.isArray(stamps) &&
    stamps.every(isManifestCount) &&
    isLog &&
    typeof isComplete === 'boolean';
  if (!isReadable) return null;
  return {
    home,
    stamps,
    log: log === null ? null : { salts: [first, second], frames: log.frames },
    isComplete,
  };
}

/** null = missing or unreadable; then the pair's own bytes are checked. */
export function readPairManifest(stateDb: string): Manifest | null {
  try {
    return parsePairManifest(readFileSync(toManifestPath(stateDb), 'utf8'));
  } catch {
    return null;
  }
}

/** The id in `home.json` beside the state; null = none yet. */
export function readHomeId(stateDb: string): string | null {
  try {
    const { id } = Object(JSON.parse(readFileSync(join(dirname(stateDb), 'home.json'), 'utf8')));
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

/** Overwrites an open state's manifest in place, so that a full disk does not prevent it. */
export class ManifestFile {
  readonly #file: string;
  #descriptor: number | undefined;

  constructor(stateDb: string) {
    this.#file = toManifestPath(stateDb);
  }

  /** `isSynced`: on disk when this returns. Throws system errors. */
  write(manifest: Manifest, isSynced: boolean): void {
    if (this.#descriptor === undefined) {
      const isNew = this.#open();
      if (isNew) syncFolderNow(dirname(this.#file));
    }
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    writeSync(descriptor, encodeManifest(manifest), 0, FILE_BYTES, 0);
    if (isSynced) fsyncSync(descriptor);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Returns whether the file is new. */
  #open(): boolean {
    try {
      this.#descriptor = openSync(this.#file, 'r+');
      return false;
    } catch {
      this.#descriptor = openSync(this.#file, 'w+', 0o600);
      return true;
    }
  }
}

/** Windows persists names by itself and refuses this. */
function syncFolderNow(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch (error) {
    if (!REFUSED_ON_WINDOWS.has(String(Object(error).code))) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
