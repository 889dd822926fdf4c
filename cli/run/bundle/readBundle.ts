import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { SvcError } from '../../../src/lib/errors.ts';
import { makeFolder } from '../../../src/lib/makeFolder.ts';
import {
  type Entry,
  FILES,
  MANIFEST,
  type Manifest,
  readManifest,
  refuseBundle,
} from './manifest.ts';

/**
 * What the bundle in a folder holds. Throws SvcError `not-found` where none exists, `bad-argument`
 * for one that cannot be used.
 */
export async function bundleIn(dir: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(dir, MANIFEST), 'utf8');
  } catch (cause) {
    throw new SvcError(
      'not-found',
      `There is no bundle in ${dir}: ${MANIFEST} cannot be read. Name the folder that svc run --keep was given.`,
      { cause },
    );
  }
  return readManifest(text, dir);
}

/** One file as it is unpacked. */
class Unpacked {
  readonly #hash = createHash('sha256');
  readonly #file: string;
  readonly #entry: Entry;
  #handle: FileHandle | null = null;
  #target = '';
  #missing: number;

  constructor(home: string, entry: Entry) {
    this.#file = join(home, entry.path);
    this.#entry = entry;
    this.#missing = entry.size;
  }

  get missing(): number {
    return this.#missing;
  }

  async begin(): Promise<void> {
    await makeFolder(dirname(this.#file), 0o700);
    if (!this.#entry.link) this.#handle = await open(this.#file, 'wx', this.#entry.mode);
  }

  async take(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes);
    this.#missing -= bytes.length;
    if (this.#handle) await this.#handle.writeFile(bytes);
    else this.#target += bytes.toString('utf8');
  }

  /** Whether it is what the manifest names. */
  async end(): Promise<boolean> {
    await this.#handle?.close();
    this.#handle = null;
    const isWhole = this.#missing === 0 && this.#hash.digest('hex') === this.#entry.sha256;
    if (isWhole && this.#entry.link) await symlink(this.#target, this.#file);
    return isWhole;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

async function* pieces(dir: string): AsyncGenerator<Buffer> {
  const source = createReadStream(join(dir, FILES));
  const unzipped = createGunzip();
  source.on('error', (error) => unzipped.destroy(error));
  try {
    yield* source.pipe(unzipped) as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
  }
}

/** Puts the files of a bundle into an empty home. Throws SvcError `bad-argument` where one is not whole. */
export async function unpackBundle(dir: string, { files }: Manifest, home: string): Promise<void> {
  const source = pieces(dir);
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { value, done } = await source.next().catch((error: unknown) => {
      const why = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      return refuseBundle(dir, `${FILES} cannot be read to its end (${why})`);
    });
    rest = done ? Buffer.alloc(0) : value;
    return done !== true;
  };
  for (const entry of files) {
    const file = new Unpacked(home, entry);
    await file.begin();
    try {
      while (file.missing > 0 && (rest.length > 0 || (await more()))) {
        const part = rest.subarray(0, file.missing);
        rest = rest.subarray(part.length);
        await file.take(part);
      }
      if (!(await file.end())) refuseBundle(dir, `${entry.path} is not as it was written`);
    } finally {
      await file.close();
    }
  }
  while (rest.length === 0) if (!(await more())) return;
  refuseBundle(dir, `${FILES} holds more than ${MANIFEST} names`);
}
