import { createHash } from 'node:crypto';
import { lstatSync, unlinkSync } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomIds, sha256 } from '../../base/system/ids/ids.ts';
import type { SecretStream } from '../../base/secrets/secretStream.ts';
import { type ArtefactPage, readArtefactPage } from './readArtefactPage.ts';

const MAX_REMEMBERED = 10_000;
const HASH = /^[0-9a-f]{64}$/;
const NO_HASH = 'no-hash';

/** Stores the bytes of artefacts by their sha256. */
export interface Blobs {
  /** Durable when it resolves; the same bytes again change nothing. */
  put(bytes: Uint8Array): Promise<{ sha256: string; size: number }>;
  /** The same for bytes that come in pieces; an error leaves nothing behind. */
  putPieces(pieces: AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }>;
  /** Path of the bytes of a hash, whether or not they exist. */
  path(hash: string): string;
  /** Fetches the bytes of a hash where this disk lacks them and another place has them. */
  bring(hash: string): Promise<void>;
  /**
   * A page of the text with a hash, without secrets, from byte `offset` on; null if it is not text.
   * Rejects if the bytes do not exist.
   */
  page(hash: string, offset: number, secrets: SecretStream): Promise<ArtefactPage | null>;
  /** Hashes on this disk, and paths of files whose content is incomplete. */
  listAll(): Promise<{ hashes: string[]; others: string[] }>;
  /**
   * Hashes that another place has had for a day or longer, whether or not this disk has them; none where that place is
   * away. Continues once the dropped files are deleted there.
   */
  listElsewhere(): AsyncIterable<string>;
  /** Starts a cleanup: contents put before the previous one may now be dropped. */
  beginCleanup(): void;
  /**
   * Removes the bytes of a hash in one step. False: they were put since the previous cleanup began,
   * and the row that names them may not be stored yet. Missing bytes: true.
   */
  drop(hash: string): boolean;
}

/** Whether the bytes already exist: no link in their place, and no others of the same size. */
async function hasSameBytes(path: string, hash: string, size: number): Promise<boolean> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.size === size && sha256(await readFile(path)) === hash;
  } catch {
    return false;
  }
}

/** Artefact bytes as files named by their sha256: written once, never changed. */
export class BlobStore implements Blobs {
  readonly #dir: string;
  #put = new Set<string>();
  #putBefore = new Set<string>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  path(hash: string): string {
    // A forged row must not name another file on this disk.
    return HASH.test(hash) ? join(this.#dir, hash.slice(0, 2), hash) : join(this.#dir, NO_HASH);
  }

  /** They are nowhere else. */
  async bring(): Promise<void> {}

  /** They are nowhere else. */
  async *listElsewhere(): AsyncGenerator<string> {}

  page(hash: string, offset: number, secrets: SecretStream): Promise<ArtefactPage | null> {
    return readArtefactPage(this.path(hash), offset, secrets);
  }

  async listAll(): Promise<{ hashes: string[]; others: string[] }> {
    const entries = { hashes: [] as string[], others: [] as string[] };
    for (const entry of await readdir(this.#dir, { withFileTypes: true }).catch(() => [])) {
      const path = join(this.#dir, entry.name);
      if (!entry.isDirectory()) entries.others.push(path);
      else
        for (const name of await readdir(path))
          if (HASH.test(name)) entries.hashes.push(name);
          else entries.others.push(join(path, name));
    }
    return entries;
  }

  beginCleanup(): void {
    this.#putBefore = this.#put;
    this.#put = new Set();
  }

  drop(hash: string): boolean {
    if (this.#put.has(hash) || this.#putBefore.has(hash)) return false;
    if (lstatSync(this.path(hash), { throwIfNoEntry: false })) unlinkSync(this.path(hash));
    return true;
  }

  /** Called before the file is checked or appears, so that `drop` spares it from then on. */
  #remember(hash: string): void {
    this.#put.delete(hash);
    this.#put.add(hash);
    const [oldest] = this.#put;
    if (this.#put.size > MAX_REMEMBERED && oldest !== undefined) this.#put.delete(oldest);
  }

  /** The file is synced before its name appears. */
  async put(bytes: Uint8Array): Promise<{ sha256: string; size: number }> {
    const hash = sha256(bytes);
    this.#remember(hash);
    const path = this.path(hash);
    if (!(await hasSameBytes(path, hash, bytes.byteLength))) {
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
      this.#remember(sha);
      const path = this.path(sha);
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
      // Replaces an existing one: the bytes are the same, and a damaged one is repaired.
      await rename(draft, path);
      return { sha256: sha, size };
    } finally {
      await rm(draft, { force: true });
    }
  }
}
