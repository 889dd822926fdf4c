import { closeSync, fstatSync, readSync } from 'node:fs';
import { openIfExists } from './readDatabaseHead.ts';

const HEAD_BYTES = 32;
const FRAME_HEAD_BYTES = 24;
/** First word of a log with checksums of little-endian words; of big-endian ones: plus 1. */
const MAGIC = 0x377f0682;
const STAMP_AT = 68;
/** Bytes read at once. */
const SLICE_BYTES = 4 << 20;

/** The two numbers of each beginning of a log; the first is incremented. */
export type Salts = readonly [number, number];

export const areSameSalts = (a: Salts, b: Salts): boolean => a[0] === b[0] && a[1] === b[1];

/** The part of a write-ahead log that SQLite accepts: up to the last complete commit. */
export interface LogFile {
  /** Missing, empty or only zeros. */
  isEmpty: boolean;
  /** null = no valid header, so SQLite accepts nothing. */
  head: { pageBytes: number; salts: Salts } | null;
  /** Frames up to the last commit. */
  frames: number;
  /** Their pages: number → byte offset of the newest content. */
  pages: ReadonlyMap<number, number>;
  /** Pages of the database after the last commit; 0 = no commit. */
  databasePages: number;
  /** Stamps of page 1 in them, in order, each once. */
  stamps: readonly number[];
}

const EMPTY: LogFile = {
  isEmpty: true,
  head: null,
  frames: 0,
  pages: new Map(),
  databasePages: 0,
  stamps: [],
};

/** SQLite's checksum over pairs of words. */
class Checksum {
  readonly #isLittle: boolean;
  #first = 0;
  #second = 0;

  constructor(isLittle: boolean) {
    this.#isLittle = isLittle;
  }

  add(bytes: Buffer): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let first = this.#first;
    let second = this.#second;
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      first = (first + view.getUint32(at, this.#isLittle) + second) | 0;
      second = (second + view.getUint32(at + 4, this.#isLittle) + first) | 0;
    }
    this.#first = first;
    this.#second = second;
  }

  /** Whether the header's eight bytes name it. */
  isAt(bytes: Buffer, at: number): boolean {
    return (
      bytes.readUInt32BE(at) === this.#first >>> 0 &&
      bytes.readUInt32BE(at + 4) === this.#second >>> 0
    );
  }
}

/** Parses a log's header; null = none that SQLite would accept. */
export function parseLogHead(head: Buffer): { pageBytes: number; salts: Salts } | null {
  if (head.length < HEAD_BYTES) return null;
  const magic = head.readUInt32BE(0);
  if (magic !== MAGIC && magic !== MAGIC + 1) return null;
  const sum = new Checksum(magic === MAGIC);
  sum.add(head.subarray(0, FRAME_HEAD_BYTES));
  if (!sum.isAt(head, FRAME_HEAD_BYTES)) return null;
  return {
    pageBytes: head.readUInt32BE(8),
    salts: [head.readUInt32BE(16), head.readUInt32BE(20)],
  };
}

/**
 * Reads a log's bytes as SQLite would after a crash, without changes: SQLite may delete or
 * overwrite it. Throws system errors.
 */
export function readLog(file: string): LogFile {
  const descriptor = openIfExists(file);
  if (descriptor === null) return EMPTY;
  try {
    const { size } = fstatSync(descriptor);
    const head = Buffer.alloc(HEAD_BYTES);
    const read = readSync(descriptor, head, 0, HEAD_BYTES, 0);
    const parsed = parseLogHead(head.subarray(0, read));
    if (parsed === null) return { ...EMPTY, isEmpty: hasOnlyZeros(descriptor, size) };
    return { isEmpty: false, head: parsed, ...readFrames(descriptor, size, head, parsed) };
  } finally {
    closeSync(descriptor);
  }
}

function hasOnlyZeros(descriptor: number, size: number): boolean {
  const slice = Buffer.alloc(Math.min(size, SLICE_BYTES));
  for (let at = 0; at < size; at += slice.length) {
    const read = readSync(descriptor, slice, 0, slice.length, at);
    if (slice.subarray(0, read).some((byte) => byte !== 0)) return false;
    if (read === 0) break;
  }
  return true;
}

function readFrames(
  descriptor: number,
  size: number,
  head: Buffer,
  { pageBytes, salts }: { pageBytes: number; salts: Salts },
): Pick<LogFile, 'frames' | 'pages' | 'databasePages' | 'stamps'> {
  const sum = new Checksum(head.readUInt32BE(0) === MAGIC);
  sum.add(head.subarray(0, FRAME_HEAD_BYTES));
  const frameBytes = FRAME_HEAD_BYTES + pageBytes;
  const perSlice = Math.max(1, Math.floor(SLICE_BYTES / frameBytes));
  const slice = Buffer.alloc(perSlice * frameBytes);
  const pages = new Map<number, number>();
  const stamps: number[] = [];
  let logEnd = { frames: 0, databasePages: 0 };
  // A transaction's frames count once its commit follows.
  let pending: { page: number; at: number; stamp: number | null }[] = [];
  let frames = 0;
  for (let at = HEAD_BYTES; at + frameBytes <= size; at += slice.length) {
    const read = readSync(descriptor, slice, 0, slice.length, at);
    for (let start = 0; start + frameBytes <= read; start += frameBytes) {
      const frame = slice.subarray(start, start + frameBytes);
      const page = frame.readUInt32BE(0);
      if (page === 0 || frame.readUInt32BE(8) !== salts[0] || frame.readUInt32BE(12) !== salts[1])
        return { ...logEnd, pages, stamps };
      sum.add(frame.subarray(0, 8));
      sum.add(frame.subarray(FRAME_HEAD_BYTES));
      if (!sum.isAt(frame, 16)) return { ...logEnd, pages, stamps };
      frames += 1;
      const stamp = page === 1 ? frame.readUInt32BE(FRAME_HEAD_BYTES + STAMP_AT) : null;
      pending.push({ page, at: at + start + FRAME_HEAD_BYTES, stamp });
      const committedPages = frame.readUInt32BE(4);
      if (committedPages === 0) continue;
      for (const one of pending) {
        pages.set(one.page, one.at);
        if (one.stamp !== null && !stamps.includes(one.stamp)) stamps.push(one.stamp);
      }
      pending = [];
      logEnd = { frames, databasePages: committedPages };
    }
    if (read < slice.length) break;
  }
  return { ...logEnd, pages, stamps };
}
