import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncFolder } from '../../base/system/files/syncFolder.ts';
import { type ReadBackup, readBackup } from './readBackup.ts';

/** Fast: most of a backup is git's own compressed objects. */
const GZIP_LEVEL = 1;

export interface WriteOptions {
  signal: AbortSignal;
  /** Called with the bytes that were read so far. */
  onBytes(bytes: number): void;
}

/**
 * Writes the tar of a backup to a file, mode 0600 and synced when it resolves, then reads it as a
 * restore does. All or nothing: if it fails, the draft beside it is removed.
 */
export async function writeBackupFile(
  tar: AsyncIterable<Uint8Array>,
  file: string,
  { signal, onBytes }: WriteOptions,
): Promise<ReadBackup> {
  const draft = `${file}.draft`;
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length;
      onBytes(bytes);
      callback(null, chunk);
    },
  });
  try {
    const out = createWriteStream(draft, { mode: 0o600, flags: 'w', flush: true });
    const source = Readable.from(tar, { objectMode: false });
    if (file.endsWith('.tar')) await pipeline(source, counter, out, { signal });
    else await pipeline(source, counter, createGzip({ level: GZIP_LEVEL }), out, { signal });
    const backup = await readBackup(draft, { begin: () => signal.throwIfAborted() });
    await rename(draft, file);
    await syncFolder(dirname(file));
    return backup;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
