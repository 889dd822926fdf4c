import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseHead } from './readDatabaseHead.ts';
import type { LogFile } from './readLog.ts';

/** SQLite's lock byte: its page is never written. */
const LOCK_BYTE = 0x4000_0000;
const FIRST_TRUNK_AT = 32;

interface Pages {
  bytes: number;
  head: DatabaseHead;
  log: LogFile;
}

/**
 * Whether state.db or its log has each page of the state, except free pages, whose content SQLite
 * does not write. Throws system errors.
 */
export function hasAllPages(file: string, { bytes, head, log }: Pages): boolean {
  const { pageBytes } = head;
  const inFile = Math.floor(bytes / pageBytes);
  const all = log.frames > 0 ? log.databasePages : head.pages;
  const missing: number[] = [];
  for (let page = inFile + 1; page <= all; page += 1)
    if (!log.pages.has(page) && page !== LOCK_BYTE / pageBytes + 1) missing.push(page);
  if (missing.length === 0) return true;
  const read = (page: number): Buffer | null => {
    const at = log.pages.get(page);
    if (at !== undefined) return readPage(`${file}-wal`, at, pageBytes);
    return page <= inFile ? readPage(file, (page - 1) * pageBytes, pageBytes) : null;
  };
  const free = listFreePages(read, all);
  return missing.every((page) => free.has(page));
}

/** Pages on the free list, without those that hold the list. */
function listFreePages(read: (page: number) => Buffer | null, all: number): Set<number> {
  const free = new Set<number>();
  const trunks = new Set<number>();
  let trunk = read(1)?.readUInt32BE(FIRST_TRUNK_AT) ?? 0;
  while (trunk !== 0 && trunk <= all && !trunks.has(trunk)) {
    trunks.add(trunk);
    const page = read(trunk);
    if (page === null) break;
    const leaves = Math.min(page.readUInt32BE(4), page.length / 4 - 2);
    for (let leaf = 0; leaf < leaves; leaf += 1) free.add(page.readUInt32BE(8 + 4 * leaf));
    trunk = page.readUInt32BE(0);
  }
  return free;
}

function readPage(file: string, at: number, bytes: number): Buffer {
  const page = Buffer.alloc(bytes);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, page, 0, bytes, at);
  } finally {
    closeSync(descriptor);
  }
  return page;
}
