import { isMissingFile } from '../../../base/errors/findErrorCode.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveEnd,
  type ArchiveHeader,
} from './archiveFile.ts';

/** What an intact archive holds, or what is wrong. */
export type ArchiveCondition =
  | { header: ArchiveHeader; rows: number; bytes: number; sha256: string }
  | { problem: string };

/** Longest first or last line, characters; both are short. */
const EDGE_CHARS = 4_096;
const LINE_END = 10;

/**
 * Reads an archive and compares it with its last line. Needs only the file, and never all of its
 * text in memory. Never rejects.
 */
export async function verifyArchive(path: string): Promise<ArchiveCondition> {
  const file = createHash('sha256');
  let bytes = 0;
  const text = new EdgeReader();
  try {
    await pipeline(
      createReadStream(path),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          file.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      },
      createGunzip(),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) text.take(chunk);
      },
    );
  } catch (error) {
    const isMissing = isMissingFile(error);
    return { problem: isMissing ? 'it is missing' : `it is damaged: ${toErrorMessage(error)}` };
  }
  const header = parseArchiveLine<ArchiveHeader>(text.first);
  if (header?.format !== ARCHIVE_FORMAT) return { problem: 'it is not an svc archive' };
  if (header.version !== ARCHIVE_VERSION)
    return {
      problem: `it has version ${header.version} of the format, and this svc reads ${ARCHIVE_VERSION}`,
    };
  const end = parseArchiveLine<ArchiveEnd>(text.last)?.end;
  if (end === undefined) return { problem: 'it is cut: its last line is missing' };
  const { journal, answers, frames, sha256 } = end;
  const rows = journal + answers + frames;
  if (sha256 !== text.sha256 || rows !== text.lines - 2)
    return { problem: 'it was changed: its lines are not those that were written' };
  return { header, rows, bytes, sha256: file.digest('hex') };
}

function parseArchiveLine<T>(line: Buffer | null): T | undefined {
  try {
    return line === null ? undefined : (JSON.parse(line.toString('utf8')) as T);
  } catch {
    return undefined;
  }
}

/** First and last line of a text in pieces, and the hash of everything before the last. */
class EdgeReader {
  lines = 0;
  #first: Buffer | null = null;
  /** The last line so far, at most its final EDGE_CHARS. */
  #tail: Buffer = Buffer.alloc(0);
  readonly #hash = createHash('sha256');

  take(chunk: Buffer): void {
    const joined = Buffer.concat([this.#tail, chunk]);
    for (const byte of chunk) if (byte === LINE_END) this.lines += 1;
    if (this.#first === null) {
      const at = joined.indexOf(LINE_END);
      if (at >= 0 && at <= EDGE_CHARS) this.#first = joined.subarray(0, at);
    }
    // Keeps the final line with the end of the one before it.
    const end = joined.at(-1) === LINE_END ? joined.length - 1 : joined.length;
    const begin = Math.max(
      end === 0 ? 0 : joined.lastIndexOf(LINE_END, end - 1) + 1,
      joined.length - EDGE_CHARS,
    );
    this.#hash.update(joined.subarray(0, begin));
    this.#tail = Buffer.from(joined.subarray(begin));
  }

  get first(): Buffer | null {
    return this.#first;
  }

  /** Null = the text does not end with a complete line. */
  get last(): Buffer | null {
    return this.#tail.at(-1) === LINE_END ? this.#tail.subarray(0, -1) : null;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }
}
