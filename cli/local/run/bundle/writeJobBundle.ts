import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdtemp, readlink, rename, rm, writeFile, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { toErrorMessage, SvcError } from '../../../../src/base/errors/errors.ts';
import { makeFolder } from '../../../../src/base/system/files/makeFolder.ts';
import {
  FILES,
  MANIFEST,
  formatBundleManifest,
  type Entry,
  type BundleManifest,
} from './manifest.ts';
import { sealBundle } from './sealBundle.ts';
import { decideEntries } from './decideEntries.ts';
import { runGit } from '../../../../src/git/runGit.ts';

/** The files of a home that belong to its job: not configuration, rules, token or installed programs. */
const PARTS = ['state.db', 'state.db-wal', 'blobs', 'work'];

/** Folders in that of a job that are the agent's own: caches, and logins of its program. */
const AGENTS_OWN = new Set(['home', 'tmp']);

const existsOrIsLink = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null)) !== null;

/** All files and links below a folder, or the file itself, as paths below `root`. */
async function* walkFilesBelow(root: string, path: string): AsyncGenerator<string> {
  const stats = await lstat(join(root, path)).catch(() => null);
  if (stats === null) return;
  if (!stats.isDirectory()) {
    if (stats.isFile() || stats.isSymbolicLink()) yield path;
    return;
  }
  for (const name of (await readdir(join(root, path))).sort())
    yield* walkFilesBelow(root, join(path, name));
}

/** A checkout: its repository, and what git does not ignore. What is ignored can be made again. */
async function* walkCheckout(root: string, path: string): AsyncGenerator<string> {
  yield* walkFilesBelow(root, join(path, '.git'));
  const { stdout } = await runGit(
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: join(root, path) },
  );
  const names = new Set(stdout.split('\0').filter(Boolean));
  for (const name of [...names].sort()) yield* walkFilesBelow(root, join(path, name));
}

async function* walkJobFolder(root: string, path: string): AsyncGenerator<string> {
  for (const name of (await readdir(join(root, path)).catch(() => [])).sort()) {
    if (AGENTS_OWN.has(name)) continue;
    const inside = join(path, name);
    yield* (await existsOrIsLink(join(root, inside, '.git')))
      ? walkCheckout(root, inside)
      : walkFilesBelow(root, inside);
  }
}

/** The files of a stopped home that a bundle may hold, as paths with slashes below it, sorted. */
async function listHomeFiles(home: string): Promise<string[]> {
  const files: string[] = [];
  for (const part of PARTS) {
    if (part !== 'work') for await (const path of walkFilesBelow(home, part)) files.push(path);
    else
      for (const job of (await readdir(join(home, part)).catch(() => [])).sort())
        for await (const path of walkJobFolder(home, join(part, job))) files.push(path);
  }
  return files.map((path) => relative('', path).split(sep).join('/'));
}

/** Secrets shorter than this are words that stand anywhere, characters. */
const SHORTEST = 8;

/** Looks for secrets in bytes that come in pieces. */
export class SecretSearch {
  readonly #secrets: readonly Buffer[];
  readonly #overlap: number;
  #end: Buffer = Buffer.alloc(0);

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
      .filter(({ length }) => length >= SHORTEST)
      .map((one) => Buffer.from(one));
    this.#overlap = Math.max(0, ...this.#secrets.map(({ length }) => length - 1));
  }

  finds(piece: Buffer): boolean {
    const tail = Buffer.concat([this.#end, piece]);
    this.#end = this.#overlap === 0 ? Buffer.alloc(0) : tail.subarray(-this.#overlap);
    return this.#secrets.some((secret) => tail.includes(secret));
  }
}

async function listTakenFiles(home: string): Promise<string[]> {
  const entries: Entry[] = [];
  for (const path of await listHomeFiles(home)) {
    const entry = await lstat(join(home, path));
    entries.push({ path, mode: 0, size: entry.size, sha256: '', link: entry.isSymbolicLink() });
  }
  const places = decideEntries(entries);
  return entries.flatMap(({ path }, at) => (places[at]?.kind === 'left' ? [] : [path]));
}

export type BundleSummary = Omit<BundleManifest, 'files'>;

/** Permissions without those of others. */
const OWNERS = 0o700;

/** The bytes of a file or of a link's target, piece by piece. */
async function* streamEntryBytes(file: string, isLink: boolean): AsyncGenerator<Buffer> {
  if (isLink) yield Buffer.from(await readlink(file));
  else yield* createReadStream(file) as AsyncIterable<Buffer>;
}

/** All files in sequence; fills `entries` meanwhile. */
async function* packFiles(
  home: string,
  paths: readonly string[],
  entries: Entry[],
  secrets: readonly string[],
): AsyncGenerator<Buffer> {
  for (const path of paths) {
    const file = join(home, path);
    const stats = await lstat(file);
    const hash = createHash('sha256');
    const search = new SecretSearch(secrets);
    let size = 0;
    for await (const piece of streamEntryBytes(file, stats.isSymbolicLink())) {
      hash.update(piece);
      size += piece.length;
      if (search.finds(piece))
        throw new SvcError(
          'forbidden',
          `The job was not kept: ${path} of it holds a secret that svc knows. Remove it there, or do not give the agent this secret.`,
        );
      yield piece;
    }
    const mode = stats.mode & OWNERS;
    const link = stats.isSymbolicLink();
    entries.push({ path, mode, size, sha256: hash.digest('hex'), link });
  }
}

const replaceFolder = async (draft: string, dir: string): Promise<void> => {
  const old = `${draft}.old`;
  const had = await rename(dir, old).then(
    () => true,
    () => false,
  );
  await rename(draft, dir);
  if (had) await rm(old, { recursive: true, force: true });
};

/**
 * Writes the job of a stopped home as a bundle, which replaces an earlier one atomically. A job
 * that has ended keeps no files. `key` encrypts it; default null = not encrypted. Throws SvcError
 * `forbidden` if a file holds one of the secrets, `store-failed` if it cannot be written.
 */
export async function writeJobBundle(
  dir: string,
  home: string,
  about: BundleSummary,
  secrets: readonly string[],
  key: string | null = null,
): Promise<void> {
  let draft: string | null = null;
  try {
    await makeFolder(dirname(dir), 0o700);
    draft = await mkdtemp(join(dirname(dir), `.${basename(dir)}-`));
    const entries: Entry[] = [];
    const paths = about.job.ended === null ? await listTakenFiles(home) : [];
    await pipeline(
      Readable.from(packFiles(home, paths, entries, secrets)),
      createGzip({ level: 1 }),
      createWriteStream(join(draft, FILES), { mode: 0o600 }),
    );
    const text = formatBundleManifest({ ...about, files: entries });
    await writeFile(join(draft, MANIFEST), text, { mode: 0o600 });
    if (key !== null) await sealBundle(draft, key, about.job.ended);
    await replaceFolder(draft, dir);
  } catch (cause) {
    if (draft !== null) await rm(draft, { recursive: true, force: true });
    if (cause instanceof SvcError) throw cause;
    throw new SvcError(
      'store-failed',
      `The bundle ${dir} cannot be written: ${toErrorMessage(cause)}`,
      {
        cause,
      },
    );
  }
}
