import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import { readPlainFile } from '../../../base/system/files/readPlainFile.ts';
import { MAX_EXCLUDE_BYTES } from '../../../git/copyExcludes.ts';
import { runGit } from '../../../git/runGit.ts';
import type { PersonFile } from './readPersonFiles.ts';

const FILE_MODE = 0o600;

/** Throws SvcError `invalid` for a file that git tracks: it would be committed. */
export async function refuseTrackedFiles(
  checkoutDir: string,
  paths: readonly string[],
): Promise<void> {
  const { stdout } = await runGit([
    '--git-dir',
    join(checkoutDir, '.git'),
    '--work-tree',
    checkoutDir,
    '--literal-pathspecs',
    'ls-files',
    '-z',
    '--',
    ...paths,
  ]);
  const [tracked] = stdout.split('\0');
  if (tracked)
    throw new SvcError(
      'invalid',
      `${tracked} of checkout.repositories[].copyFiles is tracked by git, so it would be committed. Remove it from the list, or from the repository.`,
    );
}

/** Makes the folders above a path in a checkout. No link of an agent is followed. */
async function makeFoldersAbove(checkoutDir: string, path: string): Promise<void> {
  const parts = dirname(path) === '.' ? [] : dirname(path).split('/');
  let at = checkoutDir;
  for (const part of parts) {
    at = join(at, part);
    const stats = await lstat(at).catch(() => null);
    if (stats === null) await mkdir(at);
    else if (!stats.isDirectory())
      throw new SvcError(
        'invalid',
        `${path} cannot be copied into the checkout: ${at} is not a folder there. Remove it, or the file from checkout.repositories[].copyFiles.`,
      );
  }
}

async function writeBeside(place: string, bytes: Uint8Array | string, draft: string) {
  const temporary = `${place}.${draft}`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(temporary, flags, FILE_MODE);
  try {
    await file.writeFile(bytes);
    await file.close();
    await rename(temporary, place);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Keeps git from seeing the paths, in this clone alone. Other lines stay. A pattern begins
 * with a slash, so that it means this file only.
 */
export async function excludePaths(
  checkoutDir: string,
  paths: readonly string[],
  nextDraft: () => string,
): Promise<void> {
  const folder = join(checkoutDir, '.git', 'info');
  await makeFoldersAbove(checkoutDir, '.git/info/exclude');
  const place = join(folder, 'exclude');
  const text = (await readPlainFile(place, MAX_EXCLUDE_BYTES)) ?? '';
  const present = new Set(text.split('\n'));
  const missing = paths.map((path) => `/${path}`).filter((line) => !present.has(line));
  if (missing.length === 0) return;
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  await writeBeside(place, `${before}${missing.join('\n')}\n`, nextDraft());
}

/** Writes the files into a checkout, in place of earlier ones. They are excluded from git before. */
export async function placePersonFiles(
  checkoutDir: string,
  files: readonly PersonFile[],
  nextDraft: () => string,
): Promise<void> {
  for (const { path, bytes } of files) {
    await makeFoldersAbove(checkoutDir, path);
    const place = join(checkoutDir, path);
    const stats = await lstat(place).catch(() => null);
    if (stats?.isDirectory())
      throw new SvcError(
        'invalid',
        `${path} cannot be copied into the checkout: its place is taken by a folder. Remove it, or the file from checkout.repositories[].copyFiles.`,
      );
    await writeBeside(place, bytes, nextDraft());
  }
}
