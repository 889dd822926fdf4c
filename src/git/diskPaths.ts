import { findErrorCode } from '../base/errors/findErrorCode.ts';
import { listFoldersAbove } from '../base/text/folderPaths.ts';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { SvcError } from '../base/errors/errors.ts';
import { toRawPathBytes, showRawPath } from './rawPaths.ts';

/**
 * What is on disk at the place of a new file: nothing that could be lost, a folder, or a file or
 * link (also above the place).
 */
export type OnDisk = { kind: 'free' } | { kind: 'folder' } | { kind: 'file'; path: string };

const FREE: OnDisk = { kind: 'free' };
const SLASH = Buffer.from('/');

/** Looks at raw paths in a working tree. Links are never followed. Throws SvcError `conflict`. */
export class DiskPaths {
  readonly #dir: Buffer;
  readonly #removed: ReadonlySet<string>;

  /** `removed`: raw paths of files that are removed in the same step. */
  constructor(dir: string, removedPaths: ReadonlySet<string>) {
    this.#dir = Buffer.from(dir);
    this.#removed = removedPaths;
  }

  find(path: string): OnDisk {
    for (const folder of listFoldersAbove(path)) {
      const above = this.#stat(folder);
      if (!above) return FREE;
      // The file is removed in this step, so a folder that needs its place finds nothing there.
      if (!above.isDirectory())
        return this.#removed.has(folder) ? FREE : { kind: 'file', path: folder };
    }
    const there = this.#stat(path);
    if (!there) return FREE;
    if (there.isDirectory()) return { kind: 'folder' };
    return this.#isRemovedTwin(path, there) ? FREE : { kind: 'file', path };
  }

  hasEntry(path: string): boolean {
    const isBlocked = listFoldersAbove(path).some(
      (folder) => this.#stat(folder)?.isDirectory() === false,
    );
    return !isBlocked && this.#stat(path) !== undefined;
  }

  /** A file or link where the path needs a folder and that is not removed; null = none. */
  fileAbove(path: string): string | null {
    const isInTheWay = (folder: string): boolean =>
      !this.#removed.has(folder) && this.#stat(folder)?.isDirectory() === false;
    return listFoldersAbove(path).find(isInTheWay) ?? null;
  }

  filesBelow(folder: string): string[] {
    const entries = this.#read(folder, () =>
      readdirSync(this.#toDiskPath(folder), { encoding: 'buffer', withFileTypes: true }),
    );
    return (entries ?? []).flatMap((entry) => {
      const path = `${folder}/${Buffer.from(entry.name).toString('latin1')}`;
      return entry.isDirectory() ? this.filesBelow(path) : [path];
    });
  }

  /**
   * Where the disk ignores case, the place of a new file may show a file that is removed in the
   * same step and differs only in case.
   */
  #isRemovedTwin(path: string, there: Stats): boolean {
    const lower = path.toLowerCase();
    for (const removedPath of this.#removed) {
      if (removedPath === path || removedPath.toLowerCase() !== lower) continue;
      const twin = this.#stat(removedPath);
      if (twin?.ino === there.ino && twin.dev === there.dev) return true;
    }
    return false;
  }

  #stat(path: string): Stats | undefined {
    return this.#read(path, () => lstatSync(this.#toDiskPath(path), { throwIfNoEntry: false }));
  }

  #toDiskPath(path: string): Buffer {
    return Buffer.concat([this.#dir, SLASH, toRawPathBytes(path)]);
  }

  #read<T>(path: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      const code = findErrorCode(error) ?? '';
      if (['ENOTDIR', 'ENOENT', 'ELOOP', 'ENAMETOOLONG'].includes(code)) return undefined;
      throw new SvcError(
        'conflict',
        `${showRawPath(path)} in ${this.#dir.toString()} cannot be examined (${code}): make it readable for the runner, then merge again.`,
        { cause: error },
      );
    }
  }
}
