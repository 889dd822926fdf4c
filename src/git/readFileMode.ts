import type { Repository } from './openRepository.ts';
import { runGit } from './runGit.ts';

/** Modes of files, executable or not; links, folders and submodules have others. */
export const PLAIN_MODES: ReadonlySet<string> = new Set(['100644', '100755']);

/** Longest line of an entry, bytes: its mode, type and id, and its path. */
const MAX_LINE_BYTES = 8 * 1024;

/** The mode of an entry of a commit, six digits; null = it has no such entry. `commit`: a full id. */
export async function readFileMode(
  { gitDir }: Repository,
  { commit, path }: { commit: string; path: string },
): Promise<string | null> {
  const { stdout } = await runGit(
    ['--git-dir', gitDir, 'ls-tree', '-z', '--full-tree', commit, '--', path],
    { maxBytes: MAX_LINE_BYTES },
  );
  return /^([0-9]{6}) /.exec(stdout)?.[1] ?? null;
}
