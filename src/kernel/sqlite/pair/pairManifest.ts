import { sha256 } from '../../../shared/system/ids/ids.ts';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Salts } from './readLog.ts';

/** Bytes of the file: one sector of a disk, which is written whole or not at all. */
const FILE_BYTES = 512;
const REFUSED_ON_WINDOWS = new Set(['EPERM', 'EISDIR', 'EACCES']);
/** Most stamps that are kept, the newest last. */
const MOST_STAMPS = 16;
/** Stamps are from 1 to this: `application_id` of SQLite, without its sign. */
const MOST_STAMP = 0x7fff_ffff;
/** Most characters of a home's id. */
const MOST_ID_CHARS = 64;
/** Two stamps of one home are nearer than this: only a message depends on it. */
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
  /** What the stamp in state.db may be. */
  stamps: readonly number[];
  /** The log, and the frames in it that were on the disk; null = none has begun. */
  log: { salts: Salts; frames: number } | null;
  /** state.db has everything that is in the log. */
  isComplete: boolean;
}

export const toManifestPath = (stateDb: string): string => `${stateDb}-manifest`;

/** The stamp that follows. */
export const computeNextStamp = (stamp: number): number => (stamp % MOST_STAMP) + 1;

/** How many stamps after `from` a stamp of the same home is, below 0 for an earlier one; null = another home's. */
export function countStampsSince(from: number, stamp: number): number | null {
  if (from === 0 || stamp === 0) return from === stamp ? 0 : null;
  const ahead = (stamp - from + MOST_STAMP) % MOST_STAMP;
  if (ahead < FAR) return ahead;
  return MOST_STAMP - ahead < FAR ? ahead - MOST_STAMP : null;
}

const computeManifestCheck = (text: string): string => sha256(text).slice(0, 16);

/** The file's text. */
export function formatManifest({ home, stamps, log, isComplete }: Manifest): Buffer {
  const id = home !== null && home.length <= MOST_ID_CHARS ? home : null;
  const values = JSON.stringify({ home: id, stamps: stamps.slice(-MOST_STAMPS), log, isComplete });
  const line = `{"check":"${computeManifestCheck(values)}","manifest":${values}}`;
  return Buffer.from(`${line.padEnd(FILE_BYTES - 1)}\n`);
}

const isManifestCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** null = cut, changed or no manifest. */
export function parsePairManifest(text: string): Manifest | null {
  const found = /^\{"check":"([0-9a-f]{16})","manifest":(\{.*\})\} *\n$/.exec(text);
  const [, check, values = ''] = found ?? [];
  if (check !== computeManifestCheck(values)) return null;
  const { home, stamps, log, isComplete } = Object(JSON.parse(values));
  const [first, second] = Array.isArray(log?.salts) ? log.salts : [];
  const isLog =
    log === null ||
    (isManifestCount(first) && isManifestCount(second) && isManifestCount(log.frames));
  const isWhole =
    (home === null || typeof home === 'string') &&
    Array.isArray(stamps) &&
    stamps.every(isManifestCount) &&
    isLog &&
    typeof isComplete === 'boolean';
  if (!isWhole) return null;
  return {
    home,
    stamps,
    log: log === null ? null : { salts: [first, second], frames: log.frames },
    isComplete,
  };
}

/** null = missing or unreadable, and then the pair is checked by its own bytes. */
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

/** Overwrites the manifest of an open state in its place, so that a full disk does not keep it from that. */
export class ManifestFile {
  readonly #file: string;
  #descriptor: number | undefined;

  constructor(stateDb: string) {
    this.#file = toManifestPath(stateDb);
  }

  /** `isSynced`: it is on the disk when this returns. Throws the system's error. */
  write(manifest: Manifest, isSynced: boolean): void {
    if (this.#descriptor === undefined) {
      const isNew = this.#open();
      if (isNew) syncFolderNow(dirname(this.#file));
    }
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    writeSync(descriptor, formatManifest(manifest), 0, FILE_BYTES, 0);
    if (isSynced) fsyncSync(descriptor);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Answers whether it is a new file. */
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

/** Windows keeps names of its own accord and refuses this. */
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
