import { closeSync, readSync } from 'node:fs';
import { type DatabaseHead, openIfExists, parseDatabaseHead } from './readDatabaseHead.ts';

const MAGIC = Buffer.from([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
const HEAD_BYTES = 28;
/** Most bytes of a header and of a page. */
const MOST_BYTES = 65_536;

/**
 * A rollback journal that SQLite would play back. svc leaves one if killed while it begins or ends
 * the use of the log, which changes only page 1.
 */
export interface JournalFile {
  /** Pages of the database before the change. */
  databasePages: number;
  /** Page 1 before the change; null = the journal does not begin with it. */
  head: DatabaseHead | null;
}

/** null = none that SQLite would play back. Throws system errors. */
export function readJournal(file: string): JournalFile | null {
  const descriptor = openIfExists(file);
  if (descriptor === null) return null;
  try {
    const start = Buffer.alloc(2 * MOST_BYTES);
    const bytes = start.subarray(0, readSync(descriptor, start, 0, start.length, 0));
    if (bytes.length < HEAD_BYTES || !bytes.subarray(0, 8).equals(MAGIC)) return null;
    const databasePages = bytes.readUInt32BE(16);
    const sectorBytes = bytes.readUInt32BE(20);
    const record = bytes.subarray(sectorBytes);
    const isFirst = record.length > 4 && record.readUInt32BE(0) === 1;
    return { databasePages, head: isFirst ? parseDatabaseHead(record.subarray(4)) : null };
  } finally {
    closeSync(descriptor);
  }
}
