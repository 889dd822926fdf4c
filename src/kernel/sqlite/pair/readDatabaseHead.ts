import { isMissingFile } from '../../../shared/errors/isMissingFile.ts';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes of SQLite's header. */
const HEAD_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
/** Where the two bytes are that say how a database is written, and their value where it has a log. */
export const FORMAT_AT = 18;
const WITH_LOG = 2;
/** Both of a database without one. */
export const WITHOUT_LOG = Buffer.from([1, 1]);

/** What the first 100 bytes of a database say. */
export interface DatabaseHead {
  /** The database is in use with a write-ahead log; after a clean stop it is not. */
  hasLog: boolean;
  pageBytes: number;
  /** Pages; 0 = the header does not say. */
  pages: number;
  /** Our number of the state, see `Manifest`; 0 = never numbered. */
  stamp: number;
}

export interface DatabaseFile {
  /** 0 = missing or empty. */
  bytes: number;
  /** null = no database of SQLite, or too short for one. */
  head: DatabaseHead | null;
}

/** Reads a header; null = not a header. `page`: at least 100 bytes from the start of page 1. */
export function parseDatabaseHead(page: Buffer): DatabaseHead | null {
  if (page.length < HEAD_BYTES || page.toString('latin1', 0, 16) !== MAGIC) return null;
  const short = page.readUInt16BE(16);
  const pageBytes = short === 1 ? 65_536 : short;
  if (pageBytes < 512 || (pageBytes & (pageBytes - 1)) !== 0) return null;
  // The number of pages counts where the same change wrote it.
  const isCounted = page.readUInt32BE(24) === page.readUInt32BE(92);
  return {
    hasLog: page[FORMAT_AT] === WITH_LOG || page[FORMAT_AT + 1] === WITH_LOG,
    pageBytes,
    pages: isCounted ? page.readUInt32BE(28) : 0,
    stamp: page.readUInt32BE(68),
  };
}

/** Opens a file to read it; null = it does not exist. Throws the system's error. */
export function openIfExists(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
}

/** Reads the header of a database as bytes. Throws the system's error. */
export function readDatabaseHead(file: string): DatabaseFile {
  const descriptor = openIfExists(file);
  if (descriptor === null) return { bytes: 0, head: null };
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const read = readSync(descriptor, head, 0, HEAD_BYTES, 0);
    return { bytes: fstatSync(descriptor).size, head: parseDatabaseHead(head.subarray(0, read)) };
  } finally {
    closeSync(descriptor);
  }
}
