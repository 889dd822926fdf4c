import { readBlobs } from '../../git/readBlobs.ts';
import type { Citation, CitationVerdict } from '../../contract/schema/planning/evidence.ts';
import type { Reference } from './findReferences.ts';
import { checkCitedLines, type SeenLines } from './checkCitedLines.ts';

export interface CheckOptions {
  repo: string;
  /** Local bare repository. */
  repoPath: string;
  /** The commit that the conversation looks at. */
  commit: string;
  /** The newest commit of its branch; equal to `commit` if unknown. */
  newest: string;
  seen: readonly SeenLines[];
}

/** Checks all places against the local repository without asking the forge. */
export async function checkReferences(
  references: readonly Reference[],
  { repo, repoPath, commit, newest, seen }: CheckOptions,
): Promise<Citation[]> {
  const names = references.flatMap(({ path }) => [`${commit}:${path}`, `${newest}:${path}`]);
  const blobs = await readBlobs(repoPath, names);
  return references.map((reference) =>
    checkCitedLines(reference, {
      repo,
      pinned: blobs.get(`${commit}:${reference.path}`) ?? null,
      newest: blobs.get(`${newest}:${reference.path}`) ?? null,
      seen,
    }),
  );
}

/** If a place is in several repositories, the first of these counts. */
const BEST_FIRST: readonly CitationVerdict[] = ['seen', 'exists', 'moved', 'new', 'missing'];
const rankCitation = ({ verdict }: Citation): number => BEST_FIRST.indexOf(verdict);

/** The same in all repositories of a conversation, the one that was read first leading. */
export async function checkInAll(
  references: readonly Reference[],
  repositories: readonly CheckOptions[],
): Promise<Citation[]> {
  const lists = await Promise.all(repositories.map((one) => checkReferences(references, one)));
  return references.flatMap((_, index) => {
    const verdicts = lists.flatMap((list) => list[index] ?? []);
    return verdicts.sort((one, other) => rankCitation(one) - rankCitation(other)).slice(0, 1);
  });
}
