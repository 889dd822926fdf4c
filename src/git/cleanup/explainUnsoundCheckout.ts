import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasOwnLfsObjects } from '../contents/storedLfsObjects.ts';
import { refusePartial } from '../partialClone.ts';
import { hasWhatIsCut } from '../shallow.ts';

type Entry = 'folder' | 'file' | 'link' | 'other';

async function readEntryKind(path: string): Promise<Entry | null> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return null;
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}

/** The parts that every clone of svc has, with their kinds. */
const PARTS: readonly (readonly [string, Entry])[] = [
  ['HEAD', 'file'],
  ['config', 'file'],
  ['objects', 'folder'],
  ['refs', 'folder'],
];
/** Parts that lead to other places, or hold work that fetching the branches does not bring. */
const FOREIGN: readonly (readonly [string, string])[] = [
  ['.git', 'its .git contains a second repository'],
  ['commondir', 'its .git belongs to another repository'],
  ['objects/info/alternates', 'it borrows objects from another repository'],
];
const FILLED: readonly (readonly [string, string])[] = [
  ['worktrees', 'it has worktrees'],
  ['modules', 'it has submodules, whose work is not checked'],
];

/**
 * Why svc does not touch a checkout: its `.git` is not as svc has made it, or holds what cannot be
 * saved. null = it is sound. `sourceGitDir`: the repository that it was cloned from, whose history may
 * be cut too. No link is followed, and git is not run in the checkout.
 */
export async function explainUnsoundCheckout(
  checkoutDir: string,
  sourceGitDir: string,
): Promise<string | null> {
  const gitDir = join(checkoutDir, '.git');
  const kind = await readEntryKind(gitDir);
  if (kind === null) return 'it has no .git, so what was committed or pushed is unknown';
  if (kind !== 'folder') return 'its .git points elsewhere';
  for (const [name, expectedKind] of PARTS) {
    const entry = await readEntryKind(join(gitDir, name));
    if (entry === 'link') return `its .git is unsafe: ${name} points elsewhere`;
    if (entry !== expectedKind) return `its .git is broken: ${name} is missing`;
  }
  const partial = await refusePartial(checkoutDir).then(
    () => false,
    () => true,
  );
  if (partial) return 'it is a partial clone, whose objects may be elsewhere';
  for (const [name, why] of FOREIGN)
    if ((await readEntryKind(join(gitDir, name))) !== null) return why;
  const shallow = await readEntryKind(join(gitDir, 'shallow'));
  if (shallow !== null && (shallow !== 'file' || !(await hasWhatIsCut(sourceGitDir, gitDir))))
    return 'its history is shallow';
  for (const [name, why] of FILLED) {
    const entry = await readEntryKind(join(gitDir, name));
    if (entry === null) continue;
    if (entry !== 'folder' || (await readdir(join(gitDir, name))).length > 0) return why;
  }
  if (await hasOwnLfsObjects(gitDir, sourceGitDir))
    return 'it has Git LFS files of its own, which are not saved';
  return null;
}
