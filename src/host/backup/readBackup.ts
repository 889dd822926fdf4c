import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import type Type from 'typebox';
import { Check } from 'typebox/value';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import {
  BackupEnd,
  BackupHeader,
  END,
  HEADER,
  HOME_FOLDER,
  MAX_DESCRIPTION_BYTES,
} from './backupFormat.ts';
import { Digest, type EntryHead } from './digest.ts';

export interface ReadBackup {
  header: BackupHeader;
  end: BackupEnd;
}

export interface TakenEntry extends EntryHead {
  modifiedAt: Date;
}

export interface BackupReader {
  /** Called first; what it throws ends the reading. */
  begin(header: BackupHeader): Promise<void> | void;
  /** Called for every entry, in their sequence; left out: they are only checked. */
  take?(entry: TakenEntry, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** An entry of the tar; its content is to be read before the next one comes. */
type Entry = AsyncIterable<unknown> & { header: Header };

const KINDS: Partial<Record<string, EntryHead['kind']>> = {
  file: 'file',
  directory: 'folder',
  symlink: 'link',
};
const GZIP = [0x1f, 0x8b];

/**
 * Reads a backup from its beginning to its end and checks all of it. Throws SvcError `not-found`, and
 * `invalid` for a file that is cut, changed, or no backup: what was taken of it until then must go.
 */
export async function readBackup(file: string, reader: BackupReader): Promise<ReadBackup> {
  const gzipped = await isGzipped(file);
  const tar = extract();
  const stop = new AbortController();
  // Its failure is seen in the entries: the tar is destroyed with it.
  const feeding = pipeline(
    createReadStream(file),
    gzipped ? createGunzip() : new PassThrough(),
    tar,
    { signal: stop.signal },
  ).catch((error: Error) => tar.destroy(error));
  try {
    return await readEntries(file, tar, reader);
  } catch (error) {
    if (error instanceof SvcError || isOfSystem(error)) throw error;
    throw refuseBackupFile(file, `it is truncated or damaged (${toErrorMessage(error)})`);
  } finally {
    stop.abort();
    await feeding;
  }
}

async function readEntries(
  file: string,
  tar: AsyncIterable<Entry>,
  { begin, take }: BackupReader,
): Promise<ReadBackup> {
  const digest = new Digest();
  const paths = new Paths(file);
  let header: BackupHeader | null = null;
  let end: BackupEnd | null = null;
  for await (const entry of tar) {
    if (header === null) {
      if (entry.header.name !== HEADER) throw refuseBackupFile(file, 'it is not an svc backup');
      header = await readDescriptionEntry(file, entry, BackupHeader);
      await begin(header);
      continue;
    }
    if (end !== null) throw refuseBackupFile(file, 'it has extra data at its end');
    if (entry.header.name === END) {
      end = await readDescriptionEntry(file, entry, BackupEnd);
      continue;
    }
    const head = toEntryHead(file, entry);
    paths.add(head);
    digest.begin(head);
    const content = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        digest.content(chunk);
        yield chunk;
      }
    };
    if (take) await take({ ...head, modifiedAt: entry.header.mtime }, content());
    else for await (const _ of content());
  }
  if (header === null) throw refuseBackupFile(file, 'it is empty');
  if (end === null) throw refuseBackupFile(file, 'it is truncated: its end is missing');
  const backupDigest = digest.end();
  if (
    backupDigest.sha256 !== end.sha256 ||
    backupDigest.entries !== end.entries ||
    backupDigest.bytes !== end.bytes
  )
    throw refuseBackupFile(file, 'its content was changed');
  return { header, end };
}

function toEntryHead(file: string, { header }: Entry): EntryHead {
  const { name, type, mode, size, linkname } = header;
  const kind = KINDS[type];
  if (kind === undefined) throw refuseBackupFile(file, `it contains ${name}, which is a ${type}`);
  // A folder is named with a slash at its end.
  return {
    path: name.replace(/\/$/, ''),
    kind,
    mode,
    size,
    target: kind === 'link' ? linkname : '',
  };
}

/** Refuses what would be written elsewhere than into the home. */
class Paths {
  readonly #file: string;
  readonly #others = new Set<string>();

  constructor(file: string) {
    this.#file = file;
  }

  add({ path, kind }: EntryHead): void {
    const parts = path.split('/');
    const odd = parts.some((part) => part === '' || part === '.' || part === '..');
    if (!path.startsWith(HOME_FOLDER) || odd || path.includes('\0') || this.#others.has(path))
      throw refuseBackupFile(this.#file, `it contains the path ${JSON.stringify(path)}`);
    for (let last = 1; last < parts.length; last += 1)
      if (this.#others.has(parts.slice(0, last).join('/')))
        throw refuseBackupFile(
          this.#file,
          `it contains ${path} below something that is not a folder`,
        );
    // Folders may be named twice, and are not kept: they are as many as the files.
    if (kind !== 'folder') this.#others.add(path);
  }
}

async function readDescriptionEntry<Schema extends Type.TSchema>(
  file: string,
  entry: Entry,
  schema: Schema,
): Promise<Type.Static<Schema>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_DESCRIPTION_BYTES) throw refuseBackupFile(file, 'its description is too long');
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (!Check(schema, value))
    throw refuseBackupFile(
      file,
      `${entry.header.name} in it does not have the format of this release`,
    );
  return value;
}

async function isGzipped(file: string): Promise<boolean> {
  try {
    await using fileHandle = await open(file, 'r');
    const { buffer } = await fileHandle.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    return GZIP.every((byte, index) => buffer[index] === byte);
  } catch (error) {
    throw new SvcError('not-found', `${file} cannot be read: ${toErrorMessage(error)}.`, {
      cause: error,
    });
  }
}

/** Whether an error is of the disk that is written to, as when it is full. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'code' in error && error.code !== 'Z_DATA_ERROR';

const refuseBackupFile = (file: string, what: string): SvcError =>
  new SvcError('invalid', `${file} is refused: ${what}. Nothing was restored.`);
