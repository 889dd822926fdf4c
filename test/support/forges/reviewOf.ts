import type { Forge } from '../../../src/contract/forge/forge.ts';
import type { ReviewComment, ReviewWrite } from '../../../src/contract/forge/review.ts';

export const remark = (more: Partial<ReviewComment> = {}): ReviewComment => ({
  path: 'feature.txt',
  line: 1,
  startLine: null,
  side: 'after',
  body: 'Why?',
  suggestion: null,
  replyTo: null,
  ...more,
});

/** Sends every part of a review in its order; answers what the forge said of each. */
export async function send(
  forge: Forge,
  review: Omit<ReviewWrite, 'head'> & { head?: string },
  operationId = 'review',
): Promise<Record<string, unknown>[]> {
  const { headCommit } = await forge.pullRequest(review.repo, review.number);
  const answers: Record<string, unknown>[] = [];
  for (const { id, operation, args } of forge.reviewParts({ head: headCommit, ...review })) {
    const actor = { author: 'ann', at: Date.now(), operationId: `${operationId}/${id}` };
    answers.push((await forge.write(operation, args, actor)).result);
  }
  return answers;
}
