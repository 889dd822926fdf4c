import { runGit } from './runGit.ts';
import { parseRawPath, toRawPathBytes } from './rawPaths.ts';
import type { Repository } from './openRepository.ts';

const MAX_HEADER_BYTES = 200;

/**
 * The bytes of a file of a commit; `null` where none exists, `too-long` for one of more than
 * `maxBytes`. `commit`: a full id, or one with `^1`; `path`: quoted where its name is not plain
 * text.
 */
export async function readCommitFile(
  { gitDir }: Repository,
  { commit, path, maxBytes }: { commit: string; path: string; maxBytes: number },
): Promise<Buffer | 'too-long' | null> {
  const input = toRawPathBytes(`${commit}:${parseRawPath(path)}\0`);
  const gitRun = await runGit(['--git-dir', gitDir, 'cat-file', '--batch-check', '-z'], {
    input,
    maxBytes: MAX_HEADER_BYTES + input.length,
  });
  const [, oid, size] = /^([0-9a-f]+) blob (\d+)\n/.exec(gitRun.stdout) ?? [];
  if (oid === undefined) return null;
  if (Number(size) > maxBytes) return 'too-long';
  const pieces: Buffer[] = [];
  await runGit(['--git-dir', gitDir, 'cat-file', 'blob', oid], {
    maxBytes,
    onOutput: (piece) => pieces.push(piece),
  });
  return Buffer.concat(pieces);
}
