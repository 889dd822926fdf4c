import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

export interface KeptSource {
  /** Checksum of the file: V8 itself compares only the length. */
  source: number;
  /** State of the file on the disk; null = not known reliably. */
  version: string | null;
}

export interface CompiledFile extends KeptSource {
  text: string;
  code: Buffer;
}

/** The first bytes; another form of the file gets another one. */
export const MARK = Buffer.from('svc code 3\n');
/** After them: checksum of the index and its length, and that length, 4 bytes each. */
export const HEAD = MARK.length + 8;

/** Bytes that are read and checked at once. */
export interface CacheSection {
  bytes: number;
  sum: number;
}

export interface CacheEntry extends KeptSource {
  name: string;
  code: CacheSection;
  /** Where its text is: number of the section, and first and last byte in it. */
  texts: number;
  begin: number;
  end: number;
  /** Whether each byte of the text is a character. */
  ascii: boolean;
}

/** What follows the head; the sections of texts follow, then those of code, in this order. */
export interface CacheIndex {
  texts: CacheSection[];
  files: CacheEntry[];
}

/**
 * From this length on Node keeps a string outside of V8's heap, where it is neither copied nor
 * collected: texts are read as strings of at least this length, of which each is a part.
 */
const OUTSIDE_HEAP = 1024 * 1024;

const toSection = (bytes: Buffer): CacheSection => ({ bytes: bytes.length, sum: crc32(bytes) });

/** The texts in sequence, in sections that are long enough; a long one has its own. */
function joinIntoSections(texts: readonly Buffer[]): { sections: Buffer[]; places: number[][] } {
  const sections: Buffer[][] = [];
  const places: number[][] = [];
  let length = OUTSIDE_HEAP;
  for (const text of texts) {
    if (length >= OUTSIDE_HEAP || text.length >= OUTSIDE_HEAP) {
      sections.push([]);
      length = 0;
    }
    sections.at(-1)?.push(text);
    places.push([sections.length - 1, length, length + text.length]);
    length += text.length;
  }
  return { sections: sections.map((parts) => Buffer.concat(parts)), places };
}

/** Writes the file completely or not at all; throws if that is not possible. */
export function writeCodeCache(file: string, compiled: ReadonlyMap<string, CompiledFile>): void {
  const files = [...compiled];
  const texts = files.map(([, { text }]) => Buffer.from(text));
  const { sections, places } = joinIntoSections(texts);
  const index: CacheIndex = {
    texts: sections.map(toSection),
    files: files.map(([name, { source, version, text, code }], at) => {
      const [number = 0, begin = 0, end = 0] = places[at] ?? [];
      const ascii = end - begin === text.length;
      return { name, source, version, code: toSection(code), texts: number, begin, end, ascii };
    }),
  };
  const list = Buffer.from(JSON.stringify(index));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(list.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(list, crc32(size)));
  const codes = files.map(([, { code }]) => code);
  const all = Buffer.concat([MARK, sum, size, list, ...sections, ...codes]);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, all, { mode: 0o600 });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
