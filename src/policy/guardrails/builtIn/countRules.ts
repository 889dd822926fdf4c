import type { Rule } from '../rule.ts';
import { createBuiltInRule, toFinding } from './createBuiltInRule.ts';

/** Operations that write a comment, at a forge or a tracker. */
export const COMMENTS: readonly string[] = ['post_pr_comment', 'reply_to_comment', 'post_comment'];

export const countRules: readonly Rule[] = [
  createBuiltInRule({
    id: 'max-prs',
    when: ['write.before'],
    tools: ['create_pr'],
    do: 'park',
    limit: 20,
    condition: 'the job has `limit` open pull requests already',
    message: 'Wait until some are merged or closed, or put more into one',
    test: ({ done, pr }, { limit }) =>
      pr === null && done.openPrs >= (limit ?? Number.POSITIVE_INFINITY)
        ? toFinding(`the job has ${done.openPrs} open pull requests, and ${limit} is the most`)
        : null,
  }),
  createBuiltInRule({
    id: 'max-comments-per-hour',
    when: ['write.before'],
    tools: COMMENTS,
    do: 'deny',
    limit: 10,
    condition: 'the job has written `limit` comments within an hour',
    message: 'Say what matters in one comment, or wait.',
    test: ({ done }, { limit }) =>
      done.commentsInHour >= (limit ?? Number.POSITIVE_INFINITY)
        ? toFinding(`the job has written ${done.commentsInHour} comments within an hour`)
        : null,
  }),
];
