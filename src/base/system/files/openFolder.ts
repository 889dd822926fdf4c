import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../errors/errors.ts';

const FOLDER = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY;
/**
 * Open folders as paths: an open one cannot be replaced by a link. Only on systems that have them.
 */
const OPEN_FOLDERS = '/proc/self/fd';

const createNotFollowedError = (path: string, error: unknown): SvcError => {
  const { code } = Object(error);
  if (code === 'ELOOP')
    return new SvcError('bad-argument', `${path} is a symbolic link, which is not followed.`, {
      cause: error,
    });
  if (code === 'ENOENT')
    return new SvcError('not-found', `${path} does not exist.`, { cause: error });
  if (code === 'ENOTDIR')
    return new SvcError('bad-argument', `${path} is a symbolic link or not a folder.`, {
      cause: error,
    });
  return new SvcError('bad-argument', `${path} cannot be opened (${String(code)}).`, {
    cause: error,
  });
};

/** A folder that was reached without following a link below its root. To be closed. */
export interface OpenFolder {
  /** Path of something in it, good while it is open. */
  toPath(name: string): string;
  close(): Promise<void>;
}

/** Throws SvcError `bad-argument` for parts that would lead out of a folder. */
function checkPart(part: string): void {
  if (part === '' || part === '.' || part === '..' || /[/\\\0]/.test(part)) {
    throw new SvcError(
      'bad-argument',
      `${JSON.stringify(part)} is not a file or folder name: write the path without "." and "..".`,
    );
  }
}

/**
 * Opens a folder below `root`, part by part, following no symbolic link; `make` makes those that
 * are missing (0700). The root itself is the runner's. Throws SvcError `bad-argument` for a link or
 * for what is not a folder, `not-found`.
 */
export async function openFolder(
  root: string,
  parts: readonly string[],
  make = false,
): Promise<OpenFolder> {
  const viaOpen = existsSync(OPEN_FOLDERS);
  let handle: FileHandle = await open(root, constants.O_RDONLY | constants.O_DIRECTORY).catch(
    (error: unknown) => {
      throw createNotFollowedError(root, error);
    },
  );
  let path = root;
  const inside = (name: string) => join(viaOpen ? `${OPEN_FOLDERS}/${handle.fd}` : path, name);
  try {
    for (const [index, part] of parts.entries()) {
      checkPart(part);
      const currentPath = parts.slice(0, index + 1).join('/');
      if (make) {
        await mkdir(inside(part), { mode: 0o700 }).catch((error: unknown) => {
          if (Object(error).code !== 'EEXIST') throw createNotFollowedError(currentPath, error);
        });
      }
      const next = await open(inside(part), FOLDER).catch((error: unknown) => {
        throw createNotFollowedError(currentPath, error);
      });
      await handle.close();
      handle = next;
      path = join(path, part);
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { toPath: inside, close: () => handle.close() };
}

/**
 * Opens a regular file below `root` to be read, following no symbolic link anywhere. Throws
 * SvcError `bad-argument` for links, folders, pipes and devices, `not-found`.
 */
export async function openFileWithin(root: string, parts: readonly string[]): Promise<FileHandle> {
  const path = parts.join('/');
  const name = parts.at(-1) ?? '';
  checkPart(name);
  const folder = await openFolder(root, parts.slice(0, -1));
  try {
    // Opening a pipe would block until someone writes to it.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    if (!(await lstat(folder.toPath(name)).catch(() => null))?.isFile()) {
      await lstat(folder.toPath(name)).catch((error: unknown) => {
        throw createNotFollowedError(path, error);
      });
      throw new SvcError(
        'bad-argument',
        `${path} is not a regular file: links, folders, pipes and devices are not accepted.`,
      );
    }
    const file = await open(folder.toPath(name), flags).catch((error: unknown) => {
      throw createNotFollowedError(path, error);
    });
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw new SvcError(
      'bad-argument',
      `${path} is not a regular file: links, folders, pipes and devices are not accepted.`,
    );
  } finally {
    await folder.close();
  }
}
