import { SvcError } from '../../base/errors/errors.ts';
import { checkBranch } from '../../git/gitNames.ts';

/** Title and branch of a new pull request. Throws SvcError `bad-argument`. */
export function checkCreation({ head, title }: { head: string; title: string }): {
  head: string;
  title: string;
} {
  checkBranch(head, 'head');
  if (title.trim() === '')
    throw new SvcError('bad-argument', 'title is empty: summarize the pull request in one line.');
  return { head, title: title.trim() };
}

/** Throws SvcError `conflict` for a merge of a branch into itself. */
export function checkBranchesApart(head: string, base: string): void {
  if (head !== base) return;
  throw new SvcError(
    'conflict',
    `head and base are both ${base}: commit to a separate branch (\`git switch -c <name>\`).`,
  );
}

export const createNothingToMergeError = (head: string, base: string): SvcError =>
  new SvcError(
    'conflict',
    `${head} has no commit that ${base} does not have: commit your work to ${head} first.`,
  );

/** Throws SvcError `bad-argument` for an empty text. */
export function checkCommentText(body: string): string {
  if (body.trim() === '') throw new SvcError('bad-argument', 'body is empty: write the text.');
  return body;
}

/** The refusal of a comment id that is not the forge's. */
export const createCommentIdError = (commentId: string): SvcError =>
  new SvcError(
    'bad-argument',
    `commentId ${JSON.stringify(commentId)} is not a comment id; get_pr_comments lists them.`,
  );
