import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from './runGit.ts';
import { toRawPathBytes, showRawPath, splitFields } from './rawPaths.ts';
import { readShallow } from './shallow.ts';

/** Most bytes of the list of a checkout's files: 64 MiB. What is beyond is not counted. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
/** Most files of Git LFS that are read; those beyond count as pointers. */
const MAX_POINTERS_READ = 1_000;
const POINTER_START = 'version https://git-lfs.github.com/spec/';
export const MAX_NAMED_GAPS = 3;

export interface NamedFiles {
  count: number;
  examples: string[];
}

/** What a checkout lacks compared with that of a person who works on the repository. */
export interface CheckoutGaps {
  /** Folders of submodules that are empty in the checkout. */
  submodules: NamedFiles;
  /** Folders of submodules that hold files without a repository. */
  copied: NamedFiles;
  /** Files that stay unfiltered, by the filter that a person's git applies. */
  filtered: Map<string, NamedFiles>;
  /** The history is cut because that of the repository is. */
  isShallow: boolean;
}

const toNamedFiles = (paths: readonly string[]): NamedFiles => ({
  count: paths.length,
  examples: paths.slice(0, MAX_NAMED_GAPS).map(showRawPath),
});

const NO_GAPS: CheckoutGaps = {
  submodules: toNamedFiles([]),
  copied: toNamedFiles([]),
  filtered: new Map(),
  isShallow: false,
};

const toPlace = (checkoutDir: string, raw: string): Buffer =>
  Buffer.concat([Buffer.from(`${checkoutDir}/`), toRawPathBytes(raw)]);

type SubmoduleState = 'empty' | 'copied' | 'repository';

/** A setup may have fetched one as a repository of its own. */
async function readSubmoduleState(place: Buffer): Promise<SubmoduleState> {
  const names: string[] = await readdir(place).catch(() => []);
  if (names.length === 0) return 'empty';
  return names.includes('.git') ? 'repository' : 'copied';
}

/** Whether the file is a pointer of Git LFS still, or is not there. */
async function isPointer(place: Buffer): Promise<boolean> {
  const file = await open(
    place,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch(() => null);
  if (file === null) return true;
  try {
    const start = Buffer.alloc(POINTER_START.length);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    return start.subarray(0, bytesRead).toString('latin1') === POINTER_START;
  } finally {
    await file.close();
  }
}

async function filterAsync<T>(
  list: readonly T[],
  keeps: (one: T) => Promise<boolean>,
): Promise<T[]> {
  const readParts: T[] = [];
  for (const one of list) if (await keeps(one)) readParts.push(one);
  return readParts;
}

/** `git check-attr -z filter`: path, attribute and value in turn. */
async function groupPathsByFilter(
  output: string,
  checkoutDir: string,
): Promise<Map<string, NamedFiles>> {
  const fields = splitFields(output);
  const paths = new Map<string, string[]>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , name = ''] = fields.slice(at, at + 3);
    if (['unspecified', 'unset', 'set', ''].includes(name)) continue;
    paths.set(name, [...(paths.get(name) ?? []), path]);
  }
  const lfs = paths.get('lfs') ?? [];
  const pointers = [
    ...(await filterAsync(lfs.slice(0, MAX_POINTERS_READ), (path) =>
      isPointer(toPlace(checkoutDir, path)).catch(() => true),
    )),
    ...lfs.slice(MAX_POINTERS_READ),
  ];
  if (pointers.length > 0) paths.set('lfs', pointers);
  else paths.delete('lfs');
  return new Map([...paths].map(([name, some]) => [name, toNamedFiles(some)]));
}

/**
 * Finds what a checkout lacks: contents of submodules and of files with a filter, and older commits.
 * Runs nothing that the checkout names; never rejects.
 */
export async function readGaps(checkoutDir: string): Promise<CheckoutGaps> {
  const gitDir = join(checkoutDir, '.git');
  const git = (args: readonly string[], input = '') =>
    runGit(['--git-dir', gitDir, '--work-tree', checkoutDir, ...args], {
      cwd: checkoutDir,
      encoding: 'latin1',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_LIST_BYTES,
      cutOutput: true,
      input: toRawPathBytes(input),
    });
  try {
    const stagedEntries = splitFields((await git(['ls-files', '--stage', '-z'])).stdout);
    const submodules: Record<SubmoduleState, string[]> = { empty: [], copied: [], repository: [] };
    for (const line of stagedEntries) {
      const [, path] = /^160000 [^\t]*\t(.*)$/s.exec(line) ?? [];
      if (path !== undefined)
        submodules[await readSubmoduleState(toPlace(checkoutDir, path))].push(path);
    }
    // Limited to files that have the attribute.
    const { stdout: attributedPaths } = await git([
      'ls-files',
      '-z',
      '--',
      ':(exclude,attr:!filter)',
    ]);
    const pathsByFilter =
      attributedPaths === ''
        ? new Map<string, NamedFiles>()
        : await groupPathsByFilter(
            (await git(['check-attr', '--stdin', '-z', 'filter'], attributedPaths)).stdout,
            checkoutDir,
          );
    return {
      submodules: toNamedFiles(submodules.empty),
      copied: toNamedFiles(submodules.copied),
      filtered: pathsByFilter,
      isShallow: (await readShallow(gitDir)).length > 0,
    };
  } catch {
    return NO_GAPS;
  }
}
