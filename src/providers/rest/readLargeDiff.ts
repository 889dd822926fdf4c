import { toErrorMessage, SvcError } from '../../shared/errors/errors.ts';
import type { Mirrors } from '../../git/mirror.ts';
import { readCommitHash, readUnifiedDiff } from '../../git/readUnifiedDiff.ts';
import { MAX_DIFF_BYTES } from '../account/answerBody.ts';

/** What a pull request compares. */
export interface DiffEnds {
  /** A commit's hash, or the beginning of one; empty = the forge does not say. */
  base: string;
  head: string;
  /** The ref at the forge that has `head`; null = one of the branches has it. */
  ref: string | null;
  /** The repository that has the ref, where it is another one: a fork. */
  fork?: string;
}

interface LargeDiff {
  mirrors: Pick<Mirrors, 'read'>;
  slug: string;
  /** Asks the forge. */
  ask(): Promise<string>;
  /** What to compare where the forge gives no diff; asked for only then. */
  ends(): Promise<DiffEnds>;
}

/**
 * Answers with which a forge says that it makes no diff of this pull request: too many files or lines
 * (GitHub 406 and 422), no such question (GitLab before 17.9: 404), out of time (Bitbucket 555, and
 * every other status of a server that has failed).
 */
const isWithoutDiff = ({ code, data }: SvcError): boolean => {
  const status = Number(data.status ?? 0);
  return code === 'too-large' || [404, 406, 413, 422].includes(status) || status >= 500;
};

/**
 * The diff of a pull request by its forge; where that makes none, by git from svc's own mirror. Throws
 * the refusal of the forge where that is not possible either.
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
