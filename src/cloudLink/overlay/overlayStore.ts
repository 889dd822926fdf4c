import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type Type from 'typebox';
import { Check } from 'typebox/value';
import { SvcError } from '../../base/errors/errors.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import { RunnerOverlay } from '../../contract/schema/cloud/teamOverlay.ts';

type VersionFiles = NonNullable<Type.Static<typeof RunnerOverlay>['files']>;

/** Names a version by its number and its files: another team has other ones. */
export const toRevision = (version: number, files: VersionFiles): string =>
  `${version}.${sha256(JSON.stringify(files)).slice(0, 16)}`;

const REVISION = /^\d{1,10}\.[0-9a-f]{16}$/;
const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Versions of a team's overlay on this disk: files by their content, a list of files for each version, and the name of
 * the last good one.
 */
export class OverlayStore {
  readonly #dir: string;
  readonly #createDraftName: () => string;

  constructor(dir: string, nextDraft: () => string) {
    this.#dir = dir;
    this.#createDraftName = nextDraft;
  }

  /** Digests that are not on this disk. */
  async listMissing(files: VersionFiles): Promise<string[]> {
    const knownFiles = new Set(await readdir(join(this.#dir, 'files')).catch(() => []));
    return [...new Set(files.map((file) => file.sha256))].filter(
      (digest) => !knownFiles.has(digest),
    );
  }

  /** Throws SvcError `invalid` for bytes that are not those of the digest. */
  async addFile(digest: string, bytes: Uint8Array): Promise<void> {
    if (sha256(bytes) !== digest)
      throw new SvcError('invalid', `A file of the overlay came with other bytes than ${digest}.`);
    await this.#write(join('files', digest), bytes);
  }

  addVersion(revision: string, files: VersionFiles): Promise<void> {
    return this.#write(`${revision}.json`, JSON.stringify(files));
  }

  /** Throws SvcError `not-found` for a version that is not complete here, or was changed. */
  async readVersion(revision: string): Promise<Map<string, Uint8Array>> {
    const files = new Map<string, Uint8Array>();
    for (const { path, sha256: digest } of await this.#readList(revision)) {
      const file = join(this.#dir, 'files', digest);
      const bytes = await readFile(file).catch(() => null);
      if (bytes !== null && sha256(bytes) === digest) {
        files.set(path, bytes);
        continue;
      }
      // The next look fetches it.
      await rm(file, { force: true });
      throw new SvcError('not-found', `${path} of it is missing on this disk, or was changed.`);
    }
    return files;
  }

  /** The last good version; null = none. */
  async readGood(): Promise<string | null> {
    const text = await readFile(join(this.#dir, 'good'), 'utf8').catch(() => '');
    return REVISION.test(text.trim()) ? text.trim() : null;
  }

  /** Keeps this version as the last good one, and removes what only others have. */
  async keepGood(revision: string): Promise<void> {
    await this.#write('good', `${revision}\n`);
    const usedHashes = new Set((await this.#readList(revision)).map((file) => file.sha256));
    for (const name of await readdir(join(this.#dir, 'files')).catch(() => []))
      if (!usedHashes.has(name)) await rm(join(this.#dir, 'files', name), { force: true });
    for (const name of await readdir(this.#dir))
      if (name.endsWith('.json') && name !== `${revision}.json`)
        await rm(join(this.#dir, name), { force: true });
  }

  async #readList(revision: string): Promise<VersionFiles> {
    const text = REVISION.test(revision)
      ? await readFile(join(this.#dir, `${revision}.json`), 'utf8').catch(() => '')
      : '';
    const files: unknown = parseJsonOrNull(text);
    if (!Check(RunnerOverlay.properties.files, files) || files === null)
      throw new SvcError('not-found', 'its list of files is not on this disk.');
    return files.filter((file) => DIGEST.test(file.sha256));
  }

  async #write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(join(this.#dir, 'files'), { recursive: true, mode: 0o700 });
    await writePrivateFile(join(this.#dir, name), content, this.#createDraftName());
  }
}
