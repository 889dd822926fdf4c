import { createHash } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { syncFolder } from '../../../base/system/files/syncFolder.ts';
import type { ArchivePart, PartKind } from './archivePart.ts';

/** The written format; readers refuse others. */
export const ARCHIVE_VERSION = 1;
export const ARCHIVE_FORMAT = 'svc-archive';
/** Suffix of an unfinished file. */
export const DRAFT = '.draft';
/** Characters at which a part is closed; a single row may have more. */
const PART_CHARS = 256 * 1024;
/** Most tags that a part names. */
const PART_TAGS = 32;

export interface ArchiveHeader {
  format: typeof ARCHIVE_FORMAT;
  version: typeof ARCHIVE_VERSION;
  actor: string;
  segment: number;
  /** First and last number of the journal rows. */
  journal: [from: number, to: number];
  /** First and last number of the frames; none if the last is below the first. */
  frames: [from: number, to: number];
  /** ISO 8601. */
  at: string;
}

export interface ArchiveEnd {
  end: {
    /** Lines of each kind. */
    journal: number;
    answers: number;
    frames: number;
    /** Of all earlier lines with their ends; lower-case hex. */
    sha256: string;
  };
}

/** File name of a segment, unique to its actor. */
export const toArchiveName = (actor: string, n: number): string =>
  `${encodeURIComponent(actor)}.${n}.ndjson.gz`;

/** Actor and segment number from a name made by {@link toArchiveName}. */
export function parseArchiveName(name: string): { actor: string; n: number } | null {
  const [, actor, n] = /^(.+)\.(\d+)\.ndjson\.gz$/.exec(name) ?? [];
  if (actor === undefined) return null;
  try {
    return { actor: decodeURIComponent(actor), n: Number(n) };
  } catch {
    return null;
  }
}

const compress = promisify(gzip);

/** Writes an archive as a draft beside its place; {@link ArchiveWriter.publish} renames it. */
export class ArchiveWriter {
  readonly parts: ArchivePart[] = [];
  /** Size of the file so far. */
  bytes = 0;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #text = createHash('sha256');
  readonly #digest = createHash('sha256');
  readonly #counts: Record<PartKind, number> = { journal: 0, answer: 0, frame: 0 };
  #open: { kind: PartKind; from: number; to: number; text: string; tags: Set<string> } | null =
    null;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** Overwrites a draft of an earlier run. */
  static async begin(path: string, header: ArchiveHeader): Promise<ArchiveWriter> {
    const writer = new ArchiveWriter(path, await open(`${path}${DRAFT}`, 'w', 0o600));
    await writer.#put(`${JSON.stringify(header)}\n`);
    return writer;
  }

  /** Appends a row. `tag`: that of a log line. */
  async add(kind: PartKind, number: number, line: string, tag: string | null = null) {
    if (this.#open?.kind !== kind) await this.#close();
    this.#open ??= { kind, from: number, to: number, text: '', tags: new Set() };
    const part = this.#open;
    part.to = number;
    part.text += line;
    if (tag !== null) part.tags.add(tag);
    this.#counts[kind] += 1;
    if (part.text.length >= PART_CHARS) await this.#close();
  }

  /** Ends the file and waits until it is on disk. */
  async finish(): Promise<{ rows: number; bytes: number; sha256: string }> {
    await this.#close();
    const { journal, answer: answers, frame: frames } = this.#counts;
    const end: ArchiveEnd = {
      end: { journal, answers, frames, sha256: this.#text.copy().digest('hex') },
    };
    await this.#put(`${JSON.stringify(end)}\n`);
    await this.#file.sync();
    return {
      rows: journal + answers + frames,
      bytes: this.bytes,
      sha256: this.#digest.copy().digest('hex'),
    };
  }

  release(): Promise<void> {
    return this.#file.close();
  }

  /** Gives the draft its final name. */
  async publish(): Promise<void> {
    await rename(`${this.#path}${DRAFT}`, this.#path);
    await syncFolder(dirname(this.#path));
  }

  async #close(): Promise<void> {
    if (this.#open === null) return;
    const { kind, from, to, text, tags } = this.#open;
    this.#open = null;
    const offset = this.bytes;
    const sha256 = await this.#put(text);
    const tagNames = tags.size > PART_TAGS ? null : [...tags];
    this.parts.push({ kind, offset, bytes: this.bytes - offset, from, to, sha256, tags: tagNames });
  }

  /** Writes the text as one gzip member, readable alone; returns its sha256. */
  async #put(text: string): Promise<string> {
    this.#text.update(text);
    const member = await compress(text);
    await this.#file.writeFile(member);
    this.#digest.update(member);
    this.bytes += member.length;
    return createHash('sha256').update(member).digest('hex');
  }
}
