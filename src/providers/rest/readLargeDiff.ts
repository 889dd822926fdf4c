import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { Mirrors } from '../../git/mirror.ts';
import { readCommitHash, readUnifiedDiff } from '../../git/readUnifiedDiff.ts';
import { MAX_DIFF_BYTES } from '../account/answerBody.ts';

export interface DiffEnds {
  /** A commit's hash, or its beginning; empty = the forge does not say. */
  base: string;
  head: string;
  /** The forge's ref for `head`; null = one of the branches has it. */
  ref: string | null;
  /** The repository with the ref, if it is a fork. */
  fork?: string;
}

interface LargeDiff {
  mirrors: Pick<Mirrors, 'read'>;
  slug: string;
  /** Asks the forge. */
  ask(): Promise<string>;
  /** The commits to compare where the forge gives no diff; only asked for then. */
  ends(): Promise<DiffEnds>;
}

/**
 * Answers of a forge that gives no diff of a pull request: too many files or lines (GitHub 406 and
 * 422), no such question (GitLab before 17.9: 404), a time-out (Bitbucket 555, and every other
 * server failure).
 */
const isWithoutDiff = ({ code, data }: SvcError): boolean => {
  const status = Number(data.status ?? 0);
  return code === 'too-large' || [404, 406, 413, 422].includes(status) || status >= 500;
};

/**
 * The forge's diff of a pull request or, where it gives none, git's diff from svc's own mirror.
 * Throws the forge's refusal where both fail.
 */
export async function readLargeDiff({ mirrors, slug, ask, ends }: LargeDiff): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof SvcError) || !isWithoutDiff(error)) throw error;
    try {
      const { base, head, ref, fork } = await ends();
      return await mirrors.read(
        slug,
        ref === null ? null : { slug: fork ?? slug, ref },
        async (gitDir) => {
          const [from, to] = [
            await readCommitHash(gitDir, base),
            await readCommitHash(gitDir, head),
          ];
          return readUnifiedDiff(gitDir, [`${from}...${to}`], MAX_DIFF_BYTES);
        },
      );
    } catch (reason) {
      // The pull request itself does not exist.
      if (reason instanceof SvcError && reason.data.status === 404) throw error;
      throw new SvcError(
        error.code,
        `${error.message.replace(/\.?$/, '.')} svc cannot compute the diff from its own mirror either: ${toErrorMessage(reason)}`,
        { data: error.data, cause: error },
      );
    }
  }
}
