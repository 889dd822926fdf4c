import type { JobPullRequest } from '../../../src/contract/schema/forge/review.ts';
import { escapeMarkdown, toMarkdownLink } from '../../shell/markdown/writeMarkdown.ts';
import { describeApprovals, describeChecks } from './pullRequestFacts.ts';
import { collectThreads } from './review/threads.ts';

type SharedReview = Pick<
  JobPullRequest,
  | 'repo'
  | 'number'
  | 'title'
  | 'state'
  | 'thread'
  | 'reviewThreads'
  | 'checksState'
  | 'checks'
  | 'approvals'
  | 'headApprovals'
  | 'svcApprovals'
>;

/** What a person wrote, quoted: its own Markdown stays, and cannot leave the quote. */
const quoteText = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

const quoteComment = ({ author, body }: { author: string; body: string }): string =>
  `${escapeMarkdown(author)}:\n\n${quoteText(body)}`;

/**
 * A pull request with its review for a ticket or a chat: state, checks, approvals, the threads at
 * lines, then the other comments. `hash`: its tab of this dashboard, whose address `page` is.
 */
export function formatReviewMarkdown(detail: SharedReview, hash: string, page: string): string {
  const { threads, conversation } = collectThreads(detail);
  const facts = [
    detail.state,
    `checks: ${describeChecks(detail)}`,
    `approvals: ${describeApprovals(detail)}`,
  ];
  return [
    `**${toMarkdownLink(`${detail.repo}#${detail.number} ${detail.title}`, hash, page)}**`,
    escapeMarkdown(facts.join(' · ')),
    ...threads.flatMap(({ thread: { path, line, resolved }, comments }) => [
      `**${escapeMarkdown(line === null ? path : `${path}:${line}`)}**${resolved ? ' (resolved)' : ''}`,
      ...comments.map(quoteComment),
    ]),
    ...conversation.map(quoteComment),
  ]
    .join('\n\n')
    .concat('\n');
}
