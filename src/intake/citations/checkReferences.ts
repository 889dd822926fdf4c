import { readBlobs } from '../../git/readBlobs.ts';
import type { Citation } from '../../schema/evidence.ts';
import type { Reference } from './findReferences.ts';
import { judgeReference, type SeenLines } from './judgeReferences.ts';

interface CheckOptions {
  /** Bare repository on this disk. */
  repoPath: string;
  /** The commit that the conversation looks at. */
  commit: string;
  /** The newest commit of its branch; equal to `commit` where that is not known. */
  newest: string;
  seen: readonly SeenLines[];
}

/** Checks cited places against the repository, all at once; nothing is asked of the forge. */
export async function checkReferences(
  references: readonly Reference[],
  { repoPath, commit, newest, seen }: CheckOptions,
): Promise<Citation[]> {
  const names = references.flatMap(({ path }) => [`${commit}:${path}`, `${newest}:${path}`]);
  const blobs = await readBlobs(repoPath, names);
  return references.map((reference) =>
    judgeReference(reference, {
      pinned: blobs.get(`${commit}:${reference.path}`) ?? null,
      newest: blobs.get(`${newest}:${reference.path}`) ?? null,
      seen,
    }),
  );
}
