import type { AuthoredEvent } from '../../contract/forge/forge.ts';
import type {
  ScmComment,
  ScmPullRequestDetail,
  ScmReview,
  ScmUser,
} from '../../contract/forge/scmForge.ts';
import {
  toCheckEvents,
  toConflictEvent,
  type Doer,
  composeNews,
  type RawEvent,
} from '../../providers/rest/composeNews.ts';
import type { Hindrance } from '../../providers/rest/hindrance.ts';
import type { UnreadParts } from '../../providers/rest/unreadParts.ts';
import { summariseScmChecks, toScmPrId } from './scmViews.ts';

interface AboutNews {
  /** Login of svc's account. */
  self: string;
  selfIsPerson: boolean;
  now: number;
}

const toScmDoer = ({ login, bot = false, member = false }: ScmUser): Doer => ({
  login,
  bot,
  member,
});
const UNKNOWN: Doer = { login: 'unknown', bot: false, member: false };

const toCommentNews = ({ id, author, body, at, url, place }: ScmComment): RawEvent => {
  const where = place ? `${place.path}${place.line === null ? '' : `:${place.line}`}\n` : '';
  return {
    kind: place ? 'review_thread' : 'commented',
    id,
    at,
    by: toScmDoer(author),
    text: `${where}${body}`,
    url: url ?? null,
  };
};

const toReviewNews = ({ id, author, verdict, at, body = '' }: ScmReview): RawEvent => ({
  kind: verdict === 'withdrawn' ? 'commented' : verdict,
  id,
  at,
  by: toScmDoer(author),
  text: verdict === 'withdrawn' ? `(withdrew the review) ${body}`.trim() : body,
});

function listStateNews(pr: ScmPullRequestDetail, now: number): RawEvent[] {
  const { state, endedAt, endedBy, mergeCommit, headCommit, head, base, mergeable } = pr;
  if (state === 'open')
    return mergeable === false && headCommit !== ''
      ? [toConflictEvent(headCommit, head, base, now)]
      : [];
  const at = endedAt ?? '';
  const id = state === 'merged' ? (mergeCommit ?? at) : at;
  return [{ kind: state, id, at, by: endedBy ? toScmDoer(endedBy) : UNKNOWN }];
}

/** All news of a pull request; see `composeNews`. */
export function collectScmNews(
  forge: string,
  pr: ScmPullRequestDetail,
  about: AboutNews,
  parts: UnreadParts,
): AuthoredEvent[] {
  const { repo, number, url, headCommit, checks } = pr;
  const endedChecks = (checks ?? []).flatMap(({ id, name, state, url: page, at }) =>
    at === null ? [] : [{ run: id, name, state, url: page, at }],
  );
  const reportedEvents = [
    ...pr.comments.map(toCommentNews),
    ...pr.reviews.map(toReviewNews),
    ...toCheckEvents(
      headCommit,
      endedChecks,
      summariseScmChecks(checks, parts.why('checks')).state === 'green',
    ),
  ];
  const of = { forge, repo, number, prId: toScmPrId(forge, pr), url };
  return composeNews(of, reportedEvents, listStateNews(pr, about.now), about);
}

/** Why its news are incomplete: hindrances from the plugin, and unreadable parts. */
export const hindrancesIn = (
  { state, hindrances = [] }: ScmPullRequestDetail,
  parts: UnreadParts,
): Hindrance[] => [
  ...(state === 'open' ? hindrances : []).map((why) => ({ why, asks: false, isUnread: false })),
  ...parts.hindrances(),
];
