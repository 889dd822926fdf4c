import { closeSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import {
  type CompiledFile,
  type CacheEntry,
  HEAD,
  type CacheIndex,
  type KeptSource,
  MARK,
  type CacheSection,
} from './writeCodeCache.ts';

interface PlacedSection extends CacheSection {
  at: number;
}

/** Reads a part of a file; null where it is shorter. */
function readFilePart(fd: number, at: number, bytes: Buffer): Buffer | null {
  return readSync(fd, bytes, 0, bytes.length, at) === bytes.length ? bytes : null;
}

/** Index of the file and where it ends; null where it is missing or damaged. */
function readCacheIndex(fd: number): { index: CacheIndex; end: number } | null {
  const head = readFilePart(fd, 0, Buffer.alloc(HEAD));
  if (!head?.subarray(0, MARK.length).equals(MARK)) return null;
  const size = head.subarray(MARK.length + 4);
  const list = readFilePart(fd, HEAD, Buffer.alloc(size.readUInt32LE()));
  if (list === null || crc32(list, crc32(size)) !== head.readUInt32LE(MARK.length)) return null;
  return { index: JSON.parse(list.toString('utf8')), end: HEAD + list.length };
}

/**
 * What {@link writeCodeCache} has kept. Each part is read on first use, into the same memory:
 * touching new memory costs more than reading. Missing or damaged parts count as not kept, because
 * V8 would run damaged code.
 */
export class CodeCache {
  #fd: number | null = null;
  readonly #files = new Map<string, { entry: CacheEntry; code: PlacedSection }>();
  readonly #sections: PlacedSection[] = [];
  /** Those that were read; null = damaged. */
  readonly #texts = new Map<number, string | null>();
  #memory = Buffer.alloc(0);

  constructor(file: string) {
    try {
      this.#fd = openSync(file, 'r');
      const cacheIndex = readCacheIndex(this.#fd);
      if (cacheIndex) this.#place(cacheIndex.index, cacheIndex.end);
    } catch {
      // A start works without a cache.
    }
  }

  #place({ texts, files }: CacheIndex, begin: number): void {
    let at = begin;
    const placeSection = (section: CacheSection): PlacedSection => {
      const here = { ...section, at };
      at += section.bytes;
      return here;
    };
    this.#sections.push(...texts.map(placeSection));
    for (const entry of files)
      this.#files.set(entry.name, { entry, code: placeSection(entry.code) });
    const longest = [...texts, ...files.map(({ code }) => code)].map(({ bytes }) => bytes);
    // Memory of its own is aligned as V8 wants code; otherwise V8 would copy it.
    this.#memory = Buffer.allocUnsafeSlow(Math.max(0, ...longest));
  }

  names(): string[] {
    return [...this.#files.keys()];
  }

  readSource(name: string): KeptSource | null {
    return this.#files.get(name)?.entry ?? null;
  }

  /** All that was kept of a file. The code may be used until the next call. */
  read(name: string): CompiledFile | null {
    const cachedFile = this.#files.get(name);
    if (!cachedFile) return null;
    const { source, version } = cachedFile.entry;
    const text = this.#formatValue(cachedFile.entry);
    const code = this.#section(cachedFile.code);
    return text === null || code === null ? null : { source, version, text, code };
  }

  #formatValue({ texts, begin, end, ascii }: CacheEntry): string | null {
    const section = this.#sections[texts];
    if (section && !this.#texts.has(texts))
      this.#texts.set(texts, this.#section(section)?.toString('latin1') ?? null);
    const text = this.#texts.get(texts)?.slice(begin, end) ?? null;
    return text === null || ascii ? text : Buffer.from(text, 'latin1').toString('utf8');
  }

  #section({ at, bytes, sum }: PlacedSection): Buffer | null {
    try {
      if (this.#fd === null) return null;
      const part = readFilePart(this.#fd, at, this.#memory.subarray(0, bytes));
      return part !== null && crc32(part) === sum ? part : null;
    } catch {
      return null;
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
    this.#files.clear();
    this.#texts.clear();
    // As large as the longest file.
    this.#memory = Buffer.alloc(0);
  }
}
