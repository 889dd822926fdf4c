import { findErrorCode } from '../../../../src/base/errors/findErrorCode.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { makeFolder } from '../../../../src/base/system/files/makeFolder.ts';
import {
  type Entry,
  FILES,
  MANIFEST,
  type BundleManifest,
  parseBundleManifest,
  refuseBundle,
} from './manifest.ts';
import { decideEntries, staysInCheckout, type EntryPlace } from './decideEntries.ts';

/** Throws SvcError `bad-argument` if there is no bundle, or one that cannot be used. */
export async function readBundleManifest(dir: string): Promise<BundleManifest> {
  let text: string;
  try {
    text = await readFile(join(dir, MANIFEST), 'utf8');
  } catch (cause) {
    throw new SvcError(
      'bad-argument',
      `There is no bundle in ${dir}: ${MANIFEST} cannot be read. Name the folder that svc run --keep was given.`,
      { cause },
    );
  }
  return parseBundleManifest(text, dir);
}

class UnpackedFile {
  readonly #hash = createHash('sha256');
  readonly #file: string | null;
  readonly #entry: Entry;
  #handle: FileHandle | null = null;
  #target = '';
  #missing: number;

  /** `file`: where it goes; null = it is read and not kept. */
  constructor(file: string | null, entry: Entry) {
    this.#file = file;
    this.#entry = entry;
    this.#missing = entry.size;
  }

  get missing(): number {
    return this.#missing;
  }

  get target(): string {
    return this.#target;
  }

  async begin(): Promise<void> {
    if (this.#file === null || this.#entry.link) return;
    await makeFolder(dirname(this.#file), 0o700);
    this.#handle = await open(this.#file, 'wx', (this.#entry.mode & 0o700) | 0o600);
  }

  async take(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes);
    this.#missing -= bytes.length;
    if (this.#handle) await this.#handle.writeFile(bytes);
    else if (this.#entry.link) this.#target += bytes.toString('utf8');
  }

  async end(): Promise<boolean> {
    await this.close();
    return this.#missing === 0 && this.#hash.digest('hex') === this.#entry.sha256;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
  }
}

async function* streamUnzipped(dir: string): AsyncGenerator<Buffer> {
  const source = createReadStream(join(dir, FILES));
  const unzip = createGunzip();
  source.on('error', (error) => unzip.destroy(error));
  try {
    yield* source.pipe(unzip) as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
  }
}

export interface UnpackedCheckout {
  /** Below the home: `work/<job>/<name>`. */
  path: string;
  /** Folder with the objects and refs of its repository. */
  parts: string;
  left: string[];
}

export interface UnpackedBundle {
  checkouts: UnpackedCheckout[];
  left: string[];
}

/** Most characters of a link's target. */
const MAX_TARGET_CHARS = 4096;

class EntrySorter {
  readonly unpacked: UnpackedBundle = { checkouts: [], left: [] };
  readonly #home: string;
  readonly #parts: string;

  constructor(home: string, parts: string) {
    this.#home = home;
    this.#parts = parts;
  }

  /** Where an entry goes; null = it is not taken. */
  place({ path }: Entry, entryPlace: EntryPlace): string | null {
    if (entryPlace.kind === 'left') this.unpacked.left.push(path);
    if (entryPlace.kind === 'git')
      return join(this.#checkout(entryPlace.checkout).parts, entryPlace.path);
    return entryPlace.kind === 'left' ? null : join(this.#home, path);
  }

  async link({ path }: Entry, entryPlace: EntryPlace, target: string): Promise<void> {
    if (entryPlace.kind !== 'work') return;
    if (target.length <= MAX_TARGET_CHARS && staysInCheckout(entryPlace.path, target)) {
      await makeFolder(dirname(join(this.#home, path)), 0o700);
      await symlink(target, join(this.#home, path));
    } else this.unpacked.left.push(path);
  }

  /** Notes which files each checkout lacks. */
  end(): UnpackedBundle {
    const { checkouts, left } = this.unpacked;
    for (const checkout of checkouts) {
      const inside = `${checkout.path}/`;
      checkout.left = left
        .filter((path) => path.startsWith(inside))
        .map((path) => path.slice(inside.length));
    }
    return this.unpacked;
  }

  #checkout(path: string): UnpackedCheckout {
    const { checkouts } = this.unpacked;
    const unpackedCheckout = checkouts.find((one) => one.path === path);
    if (unpackedCheckout) return unpackedCheckout;
    const parts = join(this.#parts, String(checkouts.length));
    const checkout = { path, parts, left: [] };
    checkouts.push(checkout);
    return checkout;
  }
}

/**
 * Unpacks a bundle into an empty home: data, and what svc wrote. Objects and refs of checkouts go
 * to `parts`. Throws SvcError `bad-argument` if a file is incomplete or cannot be written at its
 * place.
 */
export async function unpackBundle(
  dir: string,
  { files }: BundleManifest,
  home: string,
  parts: string,
): Promise<UnpackedBundle> {
  const source = streamUnzipped(dir);
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { value, done } = await source.next().catch((error: unknown) => {
      const why = findErrorCode(error) ?? 'unreadable';
      return refuseBundle(dir, `${FILES} cannot be read completely (${why})`);
    });
    rest = done ? Buffer.alloc(0) : value;
    return done !== true;
  };
  const places = new EntrySorter(home, parts);
  const entryPlaces = decideEntries(files);
  for (const [at, entry] of files.entries()) {
    const entryPlace = entryPlaces[at] ?? { kind: 'left' };
    const file = new UnpackedFile(places.place(entry, entryPlace), entry);
    try {
      await file.begin();
      while (file.missing > 0 && (rest.length > 0 || (await more()))) {
        const part = rest.subarray(0, file.missing);
        rest = rest.subarray(part.length);
        await file.take(part);
      }
      if (!(await file.end())) refuseBundle(dir, `${entry.path} was changed`);
      if (entry.link) await places.link(entry, entryPlace, file.target);
    } catch (error) {
      const code = findErrorCode(error) ?? '';
      // One path is a file here and a folder there.
      if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'ENAMETOOLONG')
        refuseBundle(dir, `${entry.path} has an invalid path`);
      throw error;
    } finally {
      await file.close();
    }
  }
  while (rest.length === 0) if (!(await more())) return places.end();
  return refuseBundle(dir, `${FILES} contains files that ${MANIFEST} does not list`);
}
