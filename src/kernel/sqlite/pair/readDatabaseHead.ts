import { isMissingFile } from '../../../base/errors/findErrorCode.ts';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes of SQLite's header. */
const HEAD_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
/** Offset of the two header bytes that say whether a log is used, and their value if so. */
export const FORMAT_AT = 18;
const WITH_LOG = 2;
/** Both bytes without a log. */
export const WITHOUT_LOG = Buffer.from([1, 1]);

export interface DatabaseHead {
  /** The write-ahead log is in use; not after a clean stop. */
  hasLog: boolean;
  pageBytes: number;
  /** Number of pages; 0 = the header does not say. */
  pages: number;
  /** The state's stamp, see `Manifest`; 0 = none yet. */
  stamp: number;
}

export interface DatabaseFile {
  /** 0 = missing or empty. */
  bytes: number;
  /** null = no SQLite database, or too short. */
  head: DatabaseHead | null;
}

/** Parses a header; null = none. `page`: at least the first 100 bytes of page 1. */
export function parseDatabaseHead(page: Buffer): DatabaseHead | null {
  if (page.length < HEAD_BYTES || page.toString('latin1', 0, 16) !== MAGIC) return null;
  const short = page.readUInt16BE(16);
  const pageBytes = short === 1 ? 65_536 : short;
  if (pageBytes < 512 || (pageBytes & (pageBytes - 1)) !== 0) return null;
  // The page count is valid only if the same change wrote it.
  const isCounted = page.readUInt32BE(24) === page.readUInt32BE(92);
  return {
    hasLog: page[FORMAT_AT] === WITH_LOG || page[FORMAT_AT + 1] === WITH_LOG,
    pageBytes,
    pages: isCounted ? page.readUInt32BE(28) : 0,
    stamp: page.readUInt32BE(68),
  };
}

/** Opens a file for reading; null = it does not exist. Throws system errors. */
export function openIfExists(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
}

/** Reads a database's header as bytes. Throws system errors. */
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
