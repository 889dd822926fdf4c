import { createHash } from 'node:crypto';
import type { BackupEnd } from './backupFormat.ts';

export interface EntryHead {
  path: string;
  kind: 'file' | 'folder' | 'link';
  mode: number;
  /** Bytes of a file; 0 for others. */
  size: number;
  /** Where a link leads; empty for others. */
  target: string;
}

export type BackupDigest = Pick<BackupEnd, 'entries' | 'bytes' | 'sha256'>;

/** Counts the entries of a backup, and hashes what they are and contain, in their sequence. */
export class Digest {
  readonly #hash = createHash('sha256');
  #entries = 0;
  #bytes = 0;

  begin({ path, kind, mode, size, target }: EntryHead): void {
    this.#entries += 1;
    this.#hash.update(`${JSON.stringify([path, kind, mode, size, target])}\n`);
  }

  content(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
  }

  end(): BackupDigest {
    return { entries: this.#entries, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
