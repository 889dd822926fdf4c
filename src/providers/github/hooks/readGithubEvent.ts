import type { DeliveredEvent } from '../../../contract/forge/deliveredEvent.ts';
import { bareEvent } from '../../hooks/event.ts';
import {
  readAtPath,
  hasValueAt,
  readListAt,
  readNumberAt,
  readTextAt,
  dropEmptyTexts,
  readTimeAt,
} from '../../../base/json/untrusted.ts';

/** Associations of authors who may write to the repository. */
const MEMBERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
/** Actions on the work of others that need triage permission in a repository. */
const SORTING = new Set([
  'labeled',
  'unlabeled',
  'assigned',
  'unassigned',
  'milestoned',
  'demilestoned',
]);
const FAILED = new Set(['failure', 'error', 'timed_out', 'startup_failure', 'action_required']);

const GONE = 'ghost';

/** The author of an event. `post`: the object with the author's association. */
function readGithubAuthor(
  user: unknown,
  post: unknown,
  action = '',
): Pick<DeliveredEvent, 'author' | 'identities' | 'bot' | 'member'> {
  const login = readTextAt(user, 'login');
  const writer = readTextAt(post, 'user', 'login');
  const association = readTextAt(post, 'author_association');
  const member =
    login === writer && association !== ''
      ? MEMBERS.has(association)
      : SORTING.has(action)
        ? true
        : null;
  return {
    author: login || GONE,
    identities: dropEmptyTexts(login),
    bot: readTextAt(user, 'type') === 'Bot' || login.endsWith('[bot]'),
    member,
  };
}

function readGithubThing(
  payload: unknown,
  thing: unknown,
): Pick<DeliveredEvent, 'repo' | 'number' | 'ref' | 'title' | 'labels'> {
  const repo = readTextAt(payload, 'repository', 'full_name');
  const number = readNumberAt(thing, 'number');
  return {
    repo,
    number,
    ref: number === null ? null : `${repo}#${number}`,
    title: readTextAt(thing, 'title'),
    labels: readListAt(thing, 'labels').map((label) => readTextAt(label, 'name')),
  };
}

const readGithubCommentTime = (comment: unknown, action: string): number | null =>
  readTimeAt(comment, action === 'created' ? 'created_at' : 'updated_at');

const readGithubReviewEvent = (payload: unknown, action: string): DeliveredEvent => {
  const [pr, review] = [readAtPath(payload, 'pull_request'), readAtPath(payload, 'review')];
  const state = readTextAt(review, 'state').toLowerCase();
  const text = readTextAt(review, 'body');
  const kind = state === 'approved' || state === 'changes_requested' ? state : 'commented';
  // A review that only carries comments on code has no text of its own.
  const isTold = action === 'submitted' && (kind !== 'commented' || text.trim() !== '');
  return {
    ...bareEvent,
    ...readGithubThing(payload, pr),
    ...readGithubAuthor(readAtPath(payload, 'sender'), review),
    text,
    url: readTextAt(review, 'html_url'),
    event: `pull_request.${action === 'submitted' ? kind : `review_${action}`}`,
    kind: isTold ? kind : null,
    id: `review-${readTextAt(review, 'id')}`,
    happenedAt: readTimeAt(review, 'submitted_at'),
  };
};

const readGithubReviewCommentEvent = (payload: unknown, action: string): DeliveredEvent => {
  const [pr, comment] = [readAtPath(payload, 'pull_request'), readAtPath(payload, 'comment')];
  const line = readTextAt(comment, 'line');
  return {
    ...bareEvent,
    ...readGithubThing(payload, pr),
    ...readGithubAuthor(readAtPath(payload, 'sender'), comment),
    url: readTextAt(comment, 'html_url'),
    event: `pull_request.review_thread${action === 'created' ? '' : `_${action}`}`,
    id: `thread-${readTextAt(comment, 'id')}`,
    text: `${readTextAt(comment, 'path')}${line === '' ? '' : `:${line}`}\n${readTextAt(comment, 'body')}`,
    kind: action === 'created' ? 'review_thread' : null,
    happenedAt: readGithubCommentTime(comment, action),
  };
};

const readGithubCommentEvent = (payload: unknown, action: string): DeliveredEvent => {
  const [issue, comment] = [readAtPath(payload, 'issue'), readAtPath(payload, 'comment')];
  const thing = hasValueAt(issue, 'pull_request') ? 'pull_request' : 'issue';
  return {
    ...bareEvent,
    ...readGithubThing(payload, issue),
    ...readGithubAuthor(readAtPath(payload, 'sender'), comment),
    text: readTextAt(comment, 'body'),
    event: `${thing}.${action === 'created' ? 'commented' : `comment_${action}`}`,
    id: `issue-${readTextAt(comment, 'id')}`,
    kind: action === 'created' ? 'commented' : null,
    url: readTextAt(comment, 'html_url'),
    happenedAt: readGithubCommentTime(comment, action),
  };
};

const readGithubChangeEvent = (
  payload: unknown,
  action: string,
  thing: 'pull_request' | 'issue',
): DeliveredEvent => {
  const subject = readAtPath(payload, thing);
  const isMerged =
    thing === 'pull_request' && action === 'closed' && readAtPath(subject, 'merged') === true;
  const what = isMerged ? 'merged' : action;
  const isState = thing === 'pull_request' && action === 'closed';
  const time = isMerged ? 'merged_at' : isState ? 'closed_at' : 'updated_at';
  return {
    ...bareEvent,
    ...readGithubThing(payload, subject),
    ...readGithubAuthor(readAtPath(payload, 'sender'), subject, action),
    event: `${thing}.${what}`,
    kind: isState ? (isMerged ? 'merged' : 'closed') : null,
    text: readTextAt(subject, 'body'),
    id: isMerged ? readTextAt(subject, 'merge_commit_sha') : readTextAt(subject, time),
    url: readTextAt(subject, 'html_url'),
    newLabels: action === 'labeled' ? dropEmptyTexts(readTextAt(payload, 'label', 'name')) : [],
    happenedAt: readTimeAt(subject, time),
  };
};

const toGithubCheckEvent = (
  payload: unknown,
  check: unknown,
  how: { name: string; run: string; state: string; at: string },
): DeliveredEvent => {
  const pr =
    readListAt(check, 'pull_requests')[0] ?? readAtPath(check, 'check_suite', 'pull_requests', '0');
  const outcome = FAILED.has(how.state)
    ? 'failed'
    : how.state === 'success'
      ? 'passed'
      : how.state || 'pending';
  return {
    ...bareEvent,
    ...readGithubThing(payload, pr),
    author: how.name,
    member: true,
    title: how.name,
    event: `check.${outcome}`,
    kind: outcome === 'failed' ? 'check_failed' : null,
    id: how.run,
    text: outcome === 'failed' ? `The check ${how.name} has failed.` : '',
    url:
      dropEmptyTexts(
        readTextAt(check, 'details_url'),
        readTextAt(check, 'target_url'),
        readTextAt(check, 'html_url'),
      )[0] ?? '',
    happenedAt:
      readTimeAt(check, how.at) ??
      readTimeAt(check, 'started_at') ??
      readTimeAt(check, 'updated_at'),
  };
};

function readGithubCheckEvent(payload: unknown, action: string): DeliveredEvent | null {
  const [run, suite] = [readAtPath(payload, 'check_run'), readAtPath(payload, 'check_suite')];
  if (run !== undefined) {
    const name = readTextAt(run, 'name');
    const id = `${readTextAt(run, 'head_sha')}:${name}:${readTextAt(run, 'id')}`;
    return toGithubCheckEvent(payload, run, {
      name,
      run: id,
      state: action === 'completed' ? readTextAt(run, 'conclusion') : action,
      at: 'completed_at',
    });
  }
  if (suite !== undefined) {
    const name = readTextAt(suite, 'app', 'name');
    const state = action === 'completed' ? readTextAt(suite, 'conclusion') : action;
    // The runs of a suite are reported themselves.
    return {
      ...toGithubCheckEvent(payload, suite, {
        name,
        run: readTextAt(suite, 'id'),
        state,
        at: 'updated_at',
      }),
      kind: null,
    };
  }
  if (readTextAt(payload, 'sha') === '' || !hasValueAt(payload, 'state')) return null;
  const name = readTextAt(payload, 'context');
  const id = `${readTextAt(payload, 'sha')}:${name}:${readTextAt(payload, 'created_at')}`;
  return toGithubCheckEvent(payload, payload, {
    name,
    run: id,
    state: readTextAt(payload, 'state'),
    at: 'created_at',
  });
}

/**
 * What a delivery of GitHub says has happened; null for what concerns neither issues nor pull
 * requests.
 */
export function readGithubEvent(payload: unknown): DeliveredEvent | null {
  const action = readTextAt(payload, 'action');
  if (hasValueAt(payload, 'pull_request')) {
    if (hasValueAt(payload, 'review')) return readGithubReviewEvent(payload, action);
    if (hasValueAt(payload, 'comment')) return readGithubReviewCommentEvent(payload, action);
    if (hasValueAt(payload, 'thread')) {
      const thread = readGithubChangeEvent(payload, action, 'pull_request');
      return { ...thread, event: `pull_request.thread_${action}`, kind: null };
    }
    return readGithubChangeEvent(payload, action, 'pull_request');
  }
  if (hasValueAt(payload, 'issue'))
    return hasValueAt(payload, 'comment')
      ? readGithubCommentEvent(payload, action)
      : readGithubChangeEvent(payload, action, 'issue');
  return readGithubCheckEvent(payload, action);
}
