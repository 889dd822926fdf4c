import { findErrorCode } from '../shared/errors/findErrorCode.ts';
import { listFoldersAbove } from '../shared/text/listFoldersAbove.ts';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { SvcError } from '../shared/errors/errors.ts';
import { toRawPathBytes, showRawPath } from './rawPaths.ts';

/**
 * What is on disk where a file is to be written: nothing that could be lost, a folder, or a file or
 * link, which may also be above it.
 */
export type OnDisk = { kind: 'free' } | { kind: 'folder' } | { kind: 'file'; path: string };

const FREE: OnDisk = { kind: 'free' };
const SLASH = Buffer.from('/');

/** Looks at raw paths in a working tree. Links are never followed. Throws SvcError `conflict`. */
export class DiskPaths {
  readonly #dir: Buffer;
  readonly #removed: ReadonlySet<string>;

  /** `removed`: raw paths of files that go away in the same step. */
  constructor(dir: string, removed: ReadonlySet<string>) {
    this.#dir = Buffer.from(dir);
    this.#removed = removed;
  }

  /** What is where a file is to be written. */
  find(path: string): OnDisk {
    for (const folder of listFoldersAbove(path)) {
      const above = this.#stat(folder);
      if (!above) return FREE;
      // A file that goes away: what needs its place as a folder finds nothing there.
      if (!above.isDirectory())
        return this.#removed.has(folder) ? FREE : { kind: 'file', path: folder };
    }
    const there = this.#stat(path);
    if (!there) return FREE;
    if (there.isDirectory()) return { kind: 'folder' };
    return this.#isRemovedTwin(path, there) ? FREE : { kind: 'file', path };
  }

  /** Whether something is at the path itself. */
  hasEntry(path: string): boolean {
    const isBlocked = listFoldersAbove(path).some(
      (folder) => this.#stat(folder)?.isDirectory() === false,
    );
    return !isBlocked && this.#stat(path) !== undefined;
  }

  /** A file or link where the path needs a folder, unless it goes away; null = none. */
  fileAbove(path: string): string | null {
    const isInTheWay = (folder: string): boolean =>
      !this.#removed.has(folder) && this.#stat(folder)?.isDirectory() === false;
    return listFoldersAbove(path).find(isInTheWay) ?? null;
  }

  /** Everything below a folder that is no folder itself. */
  filesBelow(folder: string): string[] {
    const entries = this.#read(folder, () =>
      readdirSync(this.#at(folder), { encoding: 'buffer', withFileTypes: true }),
    );
    return (entries ?? []).flatMap((entry) => {
      const path = `${folder}/${Buffer.from(entry.name).toString('latin1')}`;
      return entry.isDirectory() ? this.filesBelow(path) : [path];
    });
  }

  /**
   * Where the disk ignores case, a file that is to be written can be found under a name that only
   * differs in case from it and goes away in the same step.
   */
  #isRemovedTwin(path: string, there: Stats): boolean {
    const lower = path.toLowerCase();
    for (const removed of this.#removed) {
      if (removed === path || removed.toLowerCase() !== lower) continue;
      const twin = this.#stat(removed);
      if (twin?.ino === there.ino && twin.dev === there.dev) return true;
    }
    return false;
  }

  #stat(path: string): Stats | undefined {
    return this.#read(path, () => lstatSync(this.#at(path), { throwIfNoEntry: false }));
  }

  #at(path: string): Buffer {
    return Buffer.concat([this.#dir, SLASH, toRawPathBytes(path)]);
  }

  /** Undefined: the path cannot exist, because a file or a loop of links is above it. */
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
