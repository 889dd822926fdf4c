import type { PullRequest, PullRequestThread } from '../../src/schema/replies.ts';
import type { Io } from '../io.ts';
import { printable, printableLine } from './printable.ts';
import { when } from './when.ts';

/** A pull request on one line: what it is after a command. */
export const prLine = (pr: PullRequest): string => {
  const approvals = pr.approvals.length === 0 ? '' : `, approved by ${pr.approvals.join(', ')}`;
  return `${printableLine(`${pr.prId} ${pr.state}${approvals}: ${pr.title}`)}\n`;
};

const indented = (text: string): string =>
  printable(text.replace(/\r\n?/g, '\n'))
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('');

/**
 * What its checks amount to, as far as there are any; a runner of an earlier version does not say.
 */
function checksOf({ checksState }: Partial<PullRequestThread>): string[] {
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
export function prText(
  pr: PullRequestThread,
  io: Pick<Io, 'color' | 'now'>,
  more: readonly string[] = [],
): string {
  const now = io.now();
  const facts = [
    `branches   ${pr.head} -> ${pr.base}`,
    `author     ${pr.author}, ${when(pr.createdAt, now)}`,
    ...mergeableLine(pr),
    ...checksOf(pr),
    ...(pr.unread ?? []).map(({ why }) => `not read   ${why}`),
    ...more,
    ...(pr.mergedAt === null ? [] : [`merged     ${when(pr.mergedAt, now)}`]),
    `address    ${pr.url}`,
  ];
  const thread = pr.thread.map(
    ({ id, author, body, inReplyTo, at }) =>
      `\n${io.color.bold(printableLine(author))} ${printableLine(`${when(at, now)} (${id}${inReplyTo === null ? '' : `, answers ${inReplyTo}`})`)}\n${indented(body)}`,
  );
  return [
    io.color.bold(prLine(pr).trimEnd()),
    '\n',
    ...facts.map((fact) => `${printableLine(fact)}\n`),
    pr.body === '' ? '' : `\n${indented(pr.body)}`,
    ...thread,
  ].join('');
}
