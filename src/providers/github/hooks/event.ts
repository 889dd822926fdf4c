import type { HookEvent } from '../../../contract/hookEvent.ts';
import { bareEvent } from '../../hooks/event.ts';
import { at, has, listAt, numberAt, textAt, texts, timeAt } from '../../../lib/untrusted.ts';

/** How an author belongs to a repository that he may write to. */
const MEMBERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
/** What only users with triage permission in a repository can do to the work of others. */
const SORTING = new Set([
  'labeled',
  'unlabeled',
  'assigned',
  'unassigned',
  'milestoned',
  'demilestoned',
]);
const FAILED = new Set(['failure', 'error', 'timed_out', 'startup_failure', 'action_required']);

/** GitHub's own name for accounts that are gone. */
const GONE = 'ghost';

/** Who did it. `written`: the thing that carries how its author belongs to the repository. */
function authorOf(
  user: unknown,
  written: unknown,
  action = '',
): Pick<HookEvent, 'author' | 'identities' | 'bot' | 'member'> {
  const login = textAt(user, 'login');
  const writer = textAt(written, 'user', 'login');
  const association = textAt(written, 'author_association');
  const member =
    login === writer && association !== ''
      ? MEMBERS.has(association)
      : SORTING.has(action)
        ? true
        : null;
  return {
    author: login || GONE,
    identities: texts(login),
    bot: textAt(user, 'type') === 'Bot' || login.endsWith('[bot]'),
    member,
  };
}

/** The pull request or issue that an event is about. */
function thingOf(
  payload: unknown,
  thing: unknown,
): Pick<HookEvent, 'repo' | 'number' | 'ref' | 'title' | 'labels'> {
  const repo = textAt(payload, 'repository', 'full_name');
  const number = numberAt(thing, 'number');
  return {
    repo,
    number,
    ref: number === null ? null : `${repo}#${number}`,
    title: textAt(thing, 'title'),
    labels: listAt(thing, 'labels').map((label) => textAt(label, 'name')),
  };
}

/** When a comment was made; for the outcome of it later, when that was. */
const said = (comment: unknown, action: string): number | null =>
  timeAt(comment, action === 'created' ? 'created_at' : 'updated_at');

const review = (payload: unknown, action: string): HookEvent => {
  const [pr, found] = [at(payload, 'pull_request'), at(payload, 'review')];
  const state = textAt(found, 'state').toLowerCase();
  const text = textAt(found, 'body');
  const kind = state === 'approved' || state === 'changes_requested' ? state : 'commented';
  // A review that only carries comments in the code says nothing of its own.
  const isTold = action === 'submitted' && (kind !== 'commented' || text.trim() !== '');
  return {
    ...bareEvent,
    ...thingOf(payload, pr),
    ...authorOf(at(payload, 'sender'), found),
    text,
    url: textAt(found, 'html_url'),
    event: `pull_request.${action === 'submitted' ? kind : `review_${action}`}`,
    kind: isTold ? kind : null,
    id: `review-${textAt(found, 'id')}`,
    happenedAt: timeAt(found, 'submitted_at'),
  };
};

const reviewComment = (payload: unknown, action: string): HookEvent => {
  const [pr, found] = [at(payload, 'pull_request'), at(payload, 'comment')];
  const line = textAt(found, 'line');
  return {
    ...bareEvent,
    ...thingOf(payload, pr),
    ...authorOf(at(payload, 'sender'), found),
    url: textAt(found, 'html_url'),
    event: `pull_request.review_thread${action === 'created' ? '' : `_${action}`}`,
    id: `thread-${textAt(found, 'id')}`,
    text: `${textAt(found, 'path')}${line === '' ? '' : `:${line}`}\n${textAt(found, 'body')}`,
    kind: action === 'created' ? 'review_thread' : null,
    happenedAt: said(found, action),
  };
};

const comment = (payload: unknown, action: string): HookEvent => {
  const [issue, found] = [at(payload, 'issue'), at(payload, 'comment')];
  const thing = has(issue, 'pull_request') ? 'pull_request' : 'issue';
  return {
    ...bareEvent,
    ...thingOf(payload, issue),
    ...authorOf(at(payload, 'sender'), found),
    text: textAt(found, 'body'),
    event: `${thing}.${action === 'created' ? 'commented' : `comment_${action}`}`,
    id: `issue-${textAt(found, 'id')}`,
    kind: action === 'created' ? 'commented' : null,
    url: textAt(found, 'html_url'),
    happenedAt: said(found, action),
  };
};

const change = (payload: unknown, action: string, thing: 'pull_request' | 'issue'): HookEvent => {
  const found = at(payload, thing);
  const isMerged = thing === 'pull_request' && action === 'closed' && at(found, 'merged') === true;
  const what = isMerged ? 'merged' : action;
  const isState = thing === 'pull_request' && action === 'closed';
  const time = isMerged ? 'merged_at' : isState ? 'closed_at' : 'updated_at';
  return {
    ...bareEvent,
    ...thingOf(payload, found),
    ...authorOf(at(payload, 'sender'), found, action),
    event: `${thing}.${what}`,
    kind: isState ? (isMerged ? 'merged' : 'closed') : null,
    text: textAt(found, 'body'),
    id: isMerged ? textAt(found, 'merge_commit_sha') : textAt(found, time),
    url: textAt(found, 'html_url'),
    newLabels: action === 'labeled' ? texts(textAt(payload, 'label', 'name')) : [],
    happenedAt: timeAt(found, time),
  };
};

/** A check or a status. Its author is the check: a program that must be heard. */
const check = (
  payload: unknown,
  found: unknown,
  how: { name: string; run: string; state: string; at: string },
): HookEvent => {
  const pr = listAt(found, 'pull_requests')[0] ?? at(found, 'check_suite', 'pull_requests', '0');
  const outcome = FAILED.has(how.state)
    ? 'failed'
    : how.state === 'success'
      ? 'passed'
      : how.state || 'pending';
  return {
    ...bareEvent,
    ...thingOf(payload, pr),
    author: how.name,
    member: true,
    title: how.name,
    event: `check.${outcome}`,
    kind: outcome === 'failed' ? 'check_failed' : null,
    id: how.run,
    text: outcome === 'failed' ? `The check ${how.name} has failed.` : '',
    url:
      texts(
        textAt(found, 'details_url'),
        textAt(found, 'target_url'),
        textAt(found, 'html_url'),
      )[0] ?? '',
    happenedAt: timeAt(found, how.at) ?? timeAt(found, 'started_at') ?? timeAt(found, 'updated_at'),
  };
};

function checkOf(payload: unknown, action: string): HookEvent | null {
  const [run, suite] = [at(payload, 'check_run'), at(payload, 'check_suite')];
  if (run !== undefined) {
    const name = textAt(run, 'name');
    const id = `${textAt(run, 'head_sha')}:${name}:${textAt(run, 'id')}`;
    return check(payload, run, {
      name,
      run: id,
      state: action === 'completed' ? textAt(run, 'conclusion') : action,
      at: 'completed_at',
    });
  }
  if (suite !== undefined) {
    const name = textAt(suite, 'app', 'name');
    const state = action === 'completed' ? textAt(suite, 'conclusion') : action;
    // Its runs tell for themselves.
    return {
      ...check(payload, suite, { name, run: textAt(suite, 'id'), state, at: 'updated_at' }),
      kind: null,
    };
  }
  if (textAt(payload, 'sha') === '' || !has(payload, 'state')) return null;
  const name = textAt(payload, 'context');
  const id = `${textAt(payload, 'sha')}:${name}:${textAt(payload, 'created_at')}`;
  return check(payload, payload, {
    name,
    run: id,
    state: textAt(payload, 'state'),
    at: 'created_at',
  });
}

/**
 * What a delivery of GitHub says has happened; null for what concerns neither issues nor pull
 * requests.
 */
export function githubEvent(payload: unknown): HookEvent | null {
  const action = textAt(payload, 'action');
  if (has(payload, 'pull_request')) {
    if (has(payload, 'review')) return review(payload, action);
    if (has(payload, 'comment')) return reviewComment(payload, action);
    if (has(payload, 'thread')) {
      const thread = change(payload, action, 'pull_request');
      return { ...thread, event: `pull_request.thread_${action}`, kind: null };
    }
    return change(payload, action, 'pull_request');
  }
  if (has(payload, 'issue'))
    return has(payload, 'comment') ? comment(payload, action) : change(payload, action, 'issue');
  return checkOf(payload, action);
}
