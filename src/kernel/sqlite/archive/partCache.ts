import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ArchivePart } from './archivePart.ts';
import type { Segment } from './segment.ts';

/** Parts kept in memory: about 2 MiB of text. */
const OPEN_PARTS = 8;

/**
 * Reads parts of archives and caches the latest. Synchronous: a part is 256 KiB of text, about
 * three milliseconds.
 */
export class PartCache<Row> {
  readonly #read: (line: string, actor: string) => Row | null;
  /** In order of use, latest last. */
  readonly #parts = new Map<string, readonly Row[]>();

  /** `read`: parses a line; null = left out. */
  constructor(read: (line: string, actor: string) => Row | null) {
    this.#read = read;
  }

  /** The rows of a part; null = its bytes have changed. */
  rows(segment: Segment, part: ArchivePart, dir: string): readonly Row[] | null {
    const key = `${segment.sha256} ${part.offset}`;
    const rows = this.#parts.get(key) ?? this.#open(segment, part, dir);
    if (rows === null) return null;
    this.#parts.delete(key);
    this.#parts.set(key, rows);
    for (const oldest of this.#parts.keys()) {
      if (this.#parts.size <= OPEN_PARTS) break;
      this.#parts.delete(oldest);
    }
    return rows;
  }

  #open({ file, actor }: Segment, part: ArchivePart, dir: string): readonly Row[] | null {
    const bytes = readPartBytes(join(dir, file), part);
    if (bytes === null) return null;
    return gunzipSync(bytes)
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        const row = line === '' ? null : this.#read(line, actor);
        return row === null ? [] : [row];
      });
  }
}

/** The bytes of a part; null = changed or unreadable. */
function readPartBytes(path: string, { offset, bytes, sha256 }: ArchivePart): Buffer | null {
  const member = Buffer.alloc(bytes);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, member, 0, bytes, offset);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
  return createHash('sha256').update(member).digest('hex') === sha256 ? member : null;
}
