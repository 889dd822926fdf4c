import type { PullRequest, PullRequestThread } from '../../../src/contract/schema/api/replies.ts';
import type { Io } from '../../io.ts';
import { toPrintable, toPrintableLine } from '../text/toPrintable.ts';
import { formatTimeWithAgo } from '../text/formatTimeWithAgo.ts';

export const formatPrLine = (pr: PullRequest): string => {
  const approvals = pr.approvals.length === 0 ? '' : `, approved by ${pr.approvals.join(', ')}`;
  return `${toPrintableLine(`${pr.prId} ${pr.state}${approvals}: ${pr.title}`)}\n`;
};

const indentLines = (text: string): string =>
  toPrintable(text.replace(/\r\n?/g, '\n'))
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('');

/**
 * What its checks amount to, as far as there are any; a runner of an earlier version does not say.
 */
function describePrChecks({ checksState }: Partial<PullRequestThread>): string[] {
  if (!checksState || checksState.state === 'none') return [];
  return [
    `checks     ${checksState.state}${checksState.reason === '' ? '' : `: ${checksState.reason}`}`,
  ];
}

function mergeableLine({ mergeable, mergeRefusal }: PullRequestThread): string[] {
  if (mergeable === null) return [];
  if (mergeRefusal !== undefined) return [`mergeable  no: ${mergeRefusal}`];
  return [`mergeable  ${mergeable ? 'yes' : 'no'}`];
}

/** A pull request with its text and thread; `more`: further facts, a line each. */
export function formatPullRequest(
  pr: PullRequestThread,
  io: Pick<Io, 'color' | 'now'>,
  more: readonly string[] = [],
): string {
  const now = io.now();
  const facts = [
    `branches   ${pr.head} -> ${pr.base}`,
    `author     ${pr.author}, ${formatTimeWithAgo(pr.createdAt, now)}`,
    ...mergeableLine(pr),
    ...describePrChecks(pr),
    ...(pr.unread ?? []).map(({ why }) => `not read   ${why}`),
    ...more,
    ...(pr.mergedAt === null ? [] : [`merged     ${formatTimeWithAgo(pr.mergedAt, now)}`]),
    `address    ${pr.url}`,
  ];
  const thread = pr.thread.map(
    ({ id, author, body, inReplyTo, at }) =>
      `\n${io.color.bold(toPrintableLine(author))} ${toPrintableLine(`${formatTimeWithAgo(at, now)} (${id}${inReplyTo === null ? '' : `, answers ${inReplyTo}`})`)}\n${indentLines(body)}`,
  );
  return [
    io.color.bold(formatPrLine(pr).trimEnd()),
    '\n',
    ...facts.map((fact) => `${toPrintableLine(fact)}\n`),
    pr.body === '' ? '' : `\n${indentLines(pr.body)}`,
    ...thread,
  ].join('');
}
