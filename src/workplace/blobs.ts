import { createHash } from 'node:crypto';
import { lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomIds, sha256 } from '../lib/ids.ts';
import type { SecretStream } from '../lib/secretStream.ts';
import { type ArtefactPage, artefactPage } from './artefactPage.ts';

/** Where the bytes of artefacts are kept, by their sha256. */
export interface Blobs {
  /** Durable when it resolves; the same bytes again change nothing. */
  put(bytes: Uint8Array): Promise<{ sha256: string; size: number }>;
  /** The same for bytes that come piece by piece; what throws on the way leaves nothing. */
  putPieces(pieces: AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }>;
  /** Path of the bytes of a hash, whether or not they exist. */
  path(hash: string): string;
  /**
   * A page of the bytes of a hash as text, without secrets, from byte `offset` on; null where they
   * are not text. Rejects where they do not exist.
   */
  page(hash: string, offset: number, secrets: SecretStream): Promise<ArtefactPage | null>;
}

/**
 * Whether the bytes exist already: not a link in their place, and not others of the same size.
 */
async function holds(path: string, hash: string, size: number): Promise<boolean> {
  try {
    const known = await lstat(path);
    return known.isFile() && known.size === size && sha256(await readFile(path)) === hash;
  } catch {
    return false;
  }
}

/** Artefact bytes as files named by their sha256: written once, never changed. */
export class BlobStore implements Blobs {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  path(hash: string): string {
    return join(this.#dir, hash.slice(0, 2), hash);
  }

  page(hash: string, offset: number, secrets: SecretStream): Promise<ArtefactPage | null> {
    return artefactPage(this.path(hash), offset, secrets);
  }

  /** The file is synced before its name appears. */
  async put(bytes: Uint8Array): Promise<{ sha256: string; size: number }> {
    const hash = sha256(bytes);
    const path = this.path(hash);
    if (!(await holds(path, hash, bytes.byteLength))) {
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
      const draft = `${path}.${randomIds.next()}`;
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
    }
    return { sha256: hash, size: bytes.byteLength };
  }

  async putPieces(pieces: AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const draft = join(this.#dir, `.draft.${randomIds.next()}`);
    const hash = createHash('sha256');
    let size = 0;
    try {
      const file = await open(draft, 'wx', 0o600);
      try {
        for await (const piece of pieces) {
          hash.update(piece);
          size += piece.byteLength;
          await file.writeFile(piece);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      const sha = hash.digest('hex');
      const path = this.path(sha);
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
      // Over an existing one: the bytes are the same, and a damaged one is whole again.
      await rename(draft, path);
      return { sha256: sha, size };
    } finally {
      await rm(draft, { force: true });
    }
  }
}
