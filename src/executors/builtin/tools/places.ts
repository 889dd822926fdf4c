import { findErrorCode } from '../../../base/errors/findErrorCode.ts';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ToolFault } from '../agentTool.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

const NEW_FILE_MODE = 0o644;

interface Place {
  root: string;
  parts: readonly string[];
  path: string;
}

const readFsErrorCode = (error: unknown): string => findErrorCode(error) ?? '';

/** The real path of a file that may not exist yet: links in the existing part are followed. */
async function resolveRealPath(path: string): Promise<string> {
  const missing: string[] = [];
  for (let existingPath = path; ; existingPath = dirname(existingPath)) {
    try {
      return join(await realpath(existingPath), ...missing);
    } catch (error) {
      if (readFsErrorCode(error) === 'ELOOP') throw new ToolFault(`${path} is a link to itself.`);
      if (readFsErrorCode(error) !== 'ENOENT' || existingPath === dirname(existingPath))
        throw new ToolFault(`${path} cannot be accessed.`);
      if (await lstat(existingPath).catch(() => null))
        throw new ToolFault(`${existingPath} is a broken link.`);
      missing.unshift(basename(existingPath));
    }
  }
}

/**
 * An entry of an open folder. Linux looks the name up in the open folder itself, so that no program
 * can replace a checked folder by a link; elsewhere the path is used.
 */
const resolveDirEntry = (dir: FileHandle, path: string, name: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${dir.fd}/${name}` : join(path, name);

/**
 * Whether some file system takes the name for `.git`: macOS and Windows ignore case, HFS+ ignores
 * invisible characters, Windows ignores dots and blanks at the end and has a short name for it.
 */
const isGitFolderName = (name: string): boolean =>
  /^(?:\.git|git~\d+)$/.test(
    name
      .replace(/[\p{Cf}\p{DI}]/gu, '')
      .replace(/(?::.*|[. ]+)$/, '')
      .toLowerCase(),
  );

/** Limits an agent to the folders that it may read and the one that it may change. */
export class Places {
  readonly root: string;
  readonly #readable: readonly string[];
  #drafts = 0;

  private constructor(root: string, readable: readonly string[]) {
    this.root = root;
    this.#readable = readable;
  }

  /** `readable`: further readable folders; missing ones are left out. */
  static async open(root: string, readable: readonly string[]): Promise<Places> {
    const realDirs = await Promise.all(readable.map((dir) => realpath(dir).catch(() => null)));
    return new Places(
      await realpath(root),
      realDirs.filter((dir) => dir !== null),
    );
  }

  /** The real path of a readable file. Throws ToolFault for everything else. */
  async readable(path: string): Promise<string> {
    return (await this.#place(path, [this.root, ...this.#readable])).path;
  }

  /** A path for the agent: relative if it is in the checkout. */
  toAgentPath(path: string): string {
    return path.startsWith(`${this.root}${sep}`) ? relative(this.root, path) : path;
  }

  /** Opens a file for reading; it must be closed. */
  async openFile(path: string): Promise<FileHandle> {
    const place = await this.#place(path, [this.root, ...this.#readable]);
    const dir = await this.#folder(place, false);
    try {
      const name = place.parts.at(-1) ?? '.';
      // Opening a pipe in blocking mode would wait for a writer.
      const file = await open(
        resolveDirEntry(dir, dirname(place.path), name),
        O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
      ).catch((error) => {
        if (readFsErrorCode(error) === 'ENOENT')
          throw new ToolFault(`The file ${path} does not exist.`);
        throw new ToolFault(`${path} cannot be opened (${readFsErrorCode(error)}).`);
      });
      if ((await file.stat()).isFile()) return file;
      await file.close();
      throw new ToolFault(`${path} is not a regular file.`);
    } finally {
      await dir.close();
    }
  }

  /**
   * Writes a file atomically and creates the folders above it. Returns whether it existed before.
   */
  async write(path: string, content: string): Promise<boolean> {
    const place = await this.#place(path, [this.root]);
    const name = place.parts.at(-1);
    if (name === undefined) throw new ToolFault(`${path} is the checkout itself.`);
    if (place.parts.some(isGitFolderName))
      throw new ToolFault(`${path} belongs to git; change it with git.`);
    const dir = await this.#folder(place, true);
    const at = (one: string) => resolveDirEntry(dir, dirname(place.path), one);
    this.#drafts += 1;
    const draft = `.svc-draft-${process.pid}-${this.#drafts}`;
    try {
      const before = await lstat(at(name)).catch(() => null);
      if (before && !before.isFile()) throw new ToolFault(`${path} is not a regular file.`);
      const file = await open(
        at(draft),
        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
        before ? before.mode & 0o777 : NEW_FILE_MODE,
      );
      try {
        await file.writeFile(content);
      } finally {
        await file.close();
      }
      await rename(at(draft), at(name));
      return before !== null;
    } catch (error) {
      await rm(at(draft), { force: true }).catch(() => {});
      if (error instanceof ToolFault) throw error;
      throw new ToolFault(`${path} cannot be written (${readFsErrorCode(error)}).`);
    } finally {
      await dir.close();
    }
  }

  async #place(path: string, roots: readonly string[]): Promise<Place> {
    if (path.includes('\0')) throw new ToolFault('A path must not contain a null character.');
    const real = await resolveRealPath(resolve(this.root, path));
    const root = roots.find((one) => real === one || real.startsWith(`${one}${sep}`));
    if (root === undefined)
      throw new ToolFault(`${path} is outside of the checkout ${this.root}; nothing was done.`);
    return {
      root,
      parts: relative(root, real)
        .split(sep)
        .filter((part) => part !== ''),
      path: real,
    };
  }

  /**
   * The open folder of a place; each step refuses links, which may have been made since the check.
   */
  async #folder({ root, parts, path }: Place, make: boolean): Promise<FileHandle> {
    const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
    let dir = await open(root, flags);
    let at = root;
    try {
      for (const part of parts.slice(0, -1)) {
        const next = resolveDirEntry(dir, at, part);
        if (make) {
          await mkdir(next).catch((error) => {
            if (readFsErrorCode(error) !== 'EEXIST') throw error;
          });
        }
        const inner = await open(next, flags);
        await dir.close();
        dir = inner;
        at = join(at, part);
      }
      return dir;
    } catch (error) {
      await dir.close();
      if (readFsErrorCode(error) === 'ENOENT')
        throw new ToolFault(`The file ${this.toAgentPath(path)} does not exist.`);
      throw new ToolFault(
        `${this.toAgentPath(at)} is not a folder that can be opened (${readFsErrorCode(error)}).`,
      );
    }
  }
}
