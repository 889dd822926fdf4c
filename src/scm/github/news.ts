import type { PrEventKind } from '../../schema/pr.ts';
import type { PrNews } from '../forge.ts';
import { isMarked, withoutMark } from '../marks.ts';
import { checkOf, checksOf, commentId, GITHUB, loginOf, prIdOf } from './describe.ts';
import type { Actor, PrNode } from './queries.ts';
import type { ReadPr } from './readPullRequest.ts';

/** How an author belongs to a repository that he may write to. */
const MEMBERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

/** Longest text that is told, characters; the whole of it stands at GitHub, and get_pr_comments reads it there. */
const MAX_NEWS_CHARS = 16_384;

const shortened = (text: string): string =>
  text.length <= MAX_NEWS_CHARS ? text : `${text.slice(0, MAX_NEWS_CHARS)}\n(${text.length - MAX_NEWS_CHARS} more characters)`;

interface Happening {
  kind: PrEventKind;
  id: string;
  at: string;
  author: Actor | null;
  association?: string;
  text?: string;
  url?: string;
}

const commentsIn = ({ comments }: PrNode): Happening[] =>
  comments.nodes.map(({ databaseId, body, url, createdAt, author, authorAssociation }) => ({
    ...{
      kind: 'commented',
      id: commentId.issue(databaseId),
      at: createdAt,
      author,
      association: authorAssociation,
      text: body,
      url,
    },
  }));

const reviewsIn = ({ reviews }: PrNode): Happening[] =>
  reviews.nodes.flatMap(({ databaseId, state, body, url, submittedAt, author, authorAssociation }): Happening[] => {
    const kind = state === 'APPROVED' ? 'approved' : state === 'CHANGES_REQUESTED' ? 'changes_requested' : 'commented';
    // A review that only carries comments in the code says nothing of its own.
    const empty = kind === 'commented' && body.trim() === '';
    if (submittedAt === null || state === 'PENDING' || state === 'DISMISSED' || empty) return [];
    return [{ kind, id: commentId.review(databaseId), at: submittedAt, author, association: authorAssociation, text: body, url }];
  });

const threadsIn = ({ reviewThreads }: PrNode): Happening[] =>
  reviewThreads.nodes.flatMap(({ path, line, comments }) =>
    comments.nodes.map(({ databaseId, body, url, createdAt, author, authorAssociation }): Happening => {
      const text = `${path}${line === null ? '' : `:${line}`}\n${body}`;
      return {
        kind: 'review_thread',
        id: commentId.thread(databaseId),
        at: createdAt,
        author,
        association: authorAssociation,
        text,
        url,
      };
    }),
  );

/** CI is a program that must be heard; its results are attributed to the check. */
const program = (login: string): Actor => ({ login, __typename: 'User' });

const checksIn = (pr: PrNode): Happening[] => {
  const rollup = pr.commits.nodes[0]?.commit.statusCheckRollup;
  const nodes = checksOf(pr);
  const times = nodes.map((node) => (node.__typename === 'CheckRun' ? node.completedAt : node.createdAt) ?? pr.createdAt);
  const failed = nodes.flatMap((node, n): Happening[] => {
    const { name, state, url } = checkOf(node);
    const run = node.__typename === 'CheckRun' ? node.databaseId : node.createdAt;
    if (state !== 'failed') return [];
    return [
      {
        kind: 'check_failed',
        id: `${pr.headRefOid}:${name}:${run}`,
        at: times[n] ?? '',
        author: program(name),
        association: 'OWNER',
        text: `The check ${name} has failed.`,
        url,
      },
    ];
  });
  if (rollup?.state !== 'SUCCESS') return failed;
  const at = times.toSorted().at(-1) ?? pr.createdAt;
  return [
    ...failed,
    {
      kind: 'check_passed',
      id: `${pr.headRefOid}:${at}`,
      at,
      author: program('checks'),
      association: 'OWNER',
      text: 'All checks have passed.',
    },
  ];
};

const stateIn = (pr: PrNode, now: number): Happening[] => {
  if (pr.state === 'MERGED') {
    return [{ kind: 'merged', id: pr.mergeCommit?.oid ?? '', at: pr.mergedAt ?? '', author: pr.mergedBy, association: 'OWNER' }];
  }
  if (pr.state === 'CLOSED') {
    const [closed] = pr.timelineItems.nodes;
    const at = pr.closedAt ?? closed?.createdAt ?? '';
    return [{ kind: 'closed', id: at, at, author: closed?.actor ?? null, association: 'OWNER' }];
  }
  if (pr.mergeable !== 'CONFLICTING') return [];
  const text = `${pr.headRefName} conflicts with ${pr.baseRefName}: merge ${pr.baseRefName} into it and mend the files.`;
  return [
    {
      kind: 'conflict',
      id: pr.headRefOid,
      at: new Date(now).toISOString(),
      author: program('conflict'),
      association: 'OWNER',
      text,
    },
  ];
};

/**
 * All that has happened to a pull request, oldest first. The state goes last, whatever the clocks say: nothing of what
 * came before may be lost on a job that goes on at the merge. `self`: login of svc's account; `selfIsPerson`: a person uses the
 * account too, so only what svc has marked is its own.
 */
export function newsOf(
  { slug, pr }: ReadPr,
  { self, selfIsPerson, now }: { self: string; selfIsPerson: boolean; now: number },
): PrNews[] {
  const told = [...commentsIn(pr), ...reviewsIn(pr), ...threadsIn(pr), ...checksIn(pr)];
  const ordered = [...told.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)), ...stateIn(pr, now)];
  return ordered.map(({ kind, id, at, author, association = 'NONE', text = '', url }) => {
    const isState = kind === 'merged' || kind === 'closed';
    const ours = author?.login.toLowerCase() === self.toLowerCase();
    const time = Date.parse(at);
    return {
      // Who merged is no reason to keep quiet about it: another job may have done it under the same account.
      own: !isState && ours && (!selfIsPerson || isMarked(text)),
      bot: !isState && author?.__typename === 'Bot',
      member: MEMBERS.has(association),
      event: {
        ...{ kind, forge: GITHUB, repo: slug, number: pr.number, prId: prIdOf(slug, pr.number), author: loginOf(author) },
        ...{ text: shortened(withoutMark(text)), url: url || pr.url, externalId: `${prIdOf(slug, pr.number)}:${kind}:${id}` },
        happenedAt: Number.isFinite(time) ? time : now,
      },
    };
  });
}
