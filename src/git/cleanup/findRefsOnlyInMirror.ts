import { KNOWN_REFS, type MirrorRef, listMirrorRefs, SEEN } from './dropMirror.ts';
import { TRANSFER_TIMEOUT_MS } from '../checkout.ts';
import { runGit } from '../runGit.ts';

/**
 * Refs of a mirror that are not from the forge, such as work that was saved from checkouts, and whose
 * commits are in no branch that the forge had when it was seen last. Throws SvcError where git cannot
 * read it.
 */
export async function findRefsOnlyInMirror(gitDir: string): Promise<MirrorRef[]> {
  const only: MirrorRef[] = [];
  for (const one of await listMirrorRefs(gitDir)) {
    // Branches belong to the forge; commits to be pushed are still in their checkout, or were kept.
    if (KNOWN_REFS.test(one.ref)) continue;
    const { stdout } = await runGit(
      [
        '--git-dir',
        gitDir,
        'rev-list',
        '--max-count=1',
        one.commit,
        '--not',
        '--branches',
        `--glob=${SEEN}*`,
        '--',
      ],
      { timeoutMs: TRANSFER_TIMEOUT_MS },
    );
    if (stdout.trim() !== '') only.push(one);
  }
  return only;
}
