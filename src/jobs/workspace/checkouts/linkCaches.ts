import { lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isPathWithin } from '../../../base/system/files/isPathWithin.ts';
import { makeFolder } from '../../../base/system/files/makeFolder.ts';

export interface CacheLink {
  /** Folder that all checkouts of the repository share. */
  shared: string;
  /** Where the agents of one job see it, below their HOME. */
  link: string;
}

/**
 * Makes the shared folders and the links to them. What is already at a link's place stays. Answers
 * which caches are not linked, and why, as sentences.
 */
export async function linkCaches(home: string, caches: readonly CacheLink[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { shared, link } of caches) {
    await makeFolder(shared, 0o700);
    const why = await makeLink(home, shared, link);
    if (why !== null) problems.push(`The cache ${link} is not shared: ${why}.`);
  }
  return problems;
}

async function makeLink(home: string, target: string, link: string): Promise<string | null> {
  // An agent may have put links here, through which the runner would make folders elsewhere.
  const parent = await findExistingParent(link);
  if (!isPathWithin(await realpath(parent), await realpath(home)))
    return 'a folder above it is a link to another place';
  await mkdir(dirname(link), { recursive: true, mode: 0o700 });
  const entry = await lstat(link).catch(() => null);
  if (entry === null) {
    await symlink(target, link);
    return null;
  }
  if (entry.isSymbolicLink() && (await readlink(link)) === target) return null;
  return 'its place is taken by something else';
}

async function findExistingParent(path: string): Promise<string> {
  for (let at = dirname(path); ; at = dirname(at))
    if (at === dirname(at) || (await lstat(at).catch(() => null)) !== null) return at;
}
