import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitRunner, loadObjects } from './loadObjects.ts';

const MAX_MERGED_BYTES = 256 * 1024 * 1024;

export interface FileVersions {
  base: string;
  ours: string;
  theirs: string;
}

/** `git merge-file` exits with the number of conflicts, or 255 for a file that is not text. */
const CONFLICTS = Array.from({ length: 255 }, (_, index) => index + 1);

/**
 * Id of the file merged by `git merge-file`; null where the changes conflict. Nothing is written
 * into the repository. `dir`: a folder for drafts.
 */
export async function mergeBlobs(
  git: GitRunner,
  dir: string,
  { base, ours, theirs }: FileVersions,
): Promise<string | null> {
  if (ours === theirs || base === theirs) return ours;
  if (base === ours) return theirs;
  const objects = await loadObjects(git, [base, ours, theirs]);
  const drafts = await mkdtemp(join(dir, 'file-'));
  try {
    for (const [name, oid] of Object.entries({ base, ours, theirs }))
      await writeFile(join(drafts, name), objects.get(oid)?.bytes ?? '');
    const hash = createHash('sha1');
    const pieces: Buffer[] = [];
    const paths = ['ours', 'base', 'theirs'].map((name) => join(drafts, name));
    const { exitCode } = await git(['merge-file', '--quiet', '-p', ...paths], {
      answers: CONFLICTS,
      maxBytes: MAX_MERGED_BYTES,
      onOutput: (piece) => pieces.push(piece),
    });
    if (exitCode !== 0) return null;
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    hash.update(`blob ${size}\0`);
    for (const piece of pieces) hash.update(piece);
    return hash.digest('hex');
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
}
