import type { PrSubject } from '../../contract/forge/hook.ts';
import type { DeliveredEvent } from '../../contract/forge/deliveredEvent.ts';
import { bareEvent } from '../hooks/event.ts';
import {
  readAtPath,
  hasValueAt,
  readListAt,
  readNumberAt,
  readTextAt,
  dropEmptyTexts,
  readTimeAt,
} from '../../base/json/untrusted.ts';
import { BITBUCKET_SIGNATURE } from '../hooks/builtInSignatures.ts';
import { createSignedReader } from '../hooks/createSignedReader.ts';

const FAILED = new Set(['FAILED', 'ERROR']);

/**
 * The header that names the event. It is not signed: the payload says what happened, and this
 * header only whether it is new.
 */
const EVENT_KEY = 'X-Event-Key';
/**
 * Largest difference between the times of creation and last change of something new, ms, for a
 * delivery without its event key: Bitbucket sets them up to a second apart.
 */
const NEW_WITHIN_MS = 3_000;

const listBitbucketAccountIds = (user: unknown): string[] =>
  dropEmptyTexts(readTextAt(user, 'account_id'), readTextAt(user, 'uuid'));

/**
 * Event keys of approvals and requested changes that were given, and of those that were withdrawn.
 */
const GIVEN = new Set(['pullrequest:approved', 'pullrequest:changes_request_created']);
const TAKEN_BACK = new Set(['pullrequest:unapproved', 'pullrequest:changes_request_removed']);

function toBitbucketBaseEvent(payload: unknown, thing: unknown, mark: '#' | '!'): DeliveredEvent {
  const repo = readTextAt(payload, 'repository', 'full_name');
  const number = readNumberAt(thing, 'id');
  const actor = readAtPath(payload, 'actor');
  return {
    ...bareEvent,
    event: '',
    repo,
    number,
    ref: number === null ? null : `${repo}${mark}${number}`,
    author:
      dropEmptyTexts(readTextAt(actor, 'nickname'), readTextAt(actor, 'display_name'))[0] ?? '',
    identities: listBitbucketAccountIds(actor),
    bot: hasValueAt(actor) && readTextAt(actor, 'type') !== 'user',
    title: readTextAt(thing, 'title'),
    text: readTextAt(thing, 'description') || readTextAt(thing, 'content', 'raw'),
    url: readTextAt(thing, 'links', 'html', 'href'),
    happenedAt: readTimeAt(thing, 'updated_on'),
  };
}

const ENDS = {
  created: '',
  updated: '_edited',
  deleted: '_deleted',
  resolved: '_resolved',
  reopened: '_reopened',
} as const;
type BitbucketChange = keyof typeof ENDS;

const isBitbucketChange = (text: string): text is BitbucketChange => Object.hasOwn(ENDS, text);

/** The change, by the event key or else by the times. */
function readBitbucketChange(key: string, thing: unknown): BitbucketChange {
  const action = key.replace(/^.*:(?:comment_)?/, '');
  if (isBitbucketChange(action)) return action;
  const [createdAt, updatedAt] = [readTimeAt(thing, 'created_on'), readTimeAt(thing, 'updated_on')];
  return createdAt !== null && updatedAt !== null && Math.abs(updatedAt - createdAt) > NEW_WITHIN_MS
    ? 'updated'
    : 'created';
}

function readBitbucketCommentEvent(
  payload: unknown,
  common: DeliveredEvent,
  thing: 'pull_request' | 'issue',
  key: string,
): DeliveredEvent {
  const comment = readAtPath(payload, 'comment');
  const path = readTextAt(comment, 'inline', 'path');
  const line = readTextAt(comment, 'inline', 'to');
  const what = path === '' ? 'commented' : 'review_thread';
  const change =
    readAtPath(comment, 'deleted') === true ? 'deleted' : readBitbucketChange(key, comment);
  return {
    ...common,
    event: `${thing}.${what}${ENDS[change]}`,
    id: `comment-${readTextAt(comment, 'id')}`,
    text: `${path === '' ? '' : `${path}${line === '' ? '' : `:${line}`}\n`}${readTextAt(comment, 'content', 'raw')}`,
    kind: change === 'created' ? what : null,
    url: readTextAt(comment, 'links', 'html', 'href'),
    happenedAt: readTimeAt(comment, 'created_on'),
  };
}

/** The kind of event follows from the payload, which is signed. */
function readBitbucketPrEvent(payload: unknown, key: string): DeliveredEvent {
  const pr = readAtPath(payload, 'pullrequest');
  const common = toBitbucketBaseEvent(payload, pr, '!');
  if (hasValueAt(payload, 'comment'))
    return readBitbucketCommentEvent(payload, common, 'pull_request', key);
  const by = listBitbucketAccountIds(readAtPath(payload, 'actor'));
  for (const [part, what] of [
    ['approval', 'approved'],
    ['changes_request', 'changes_requested'],
  ] as const) {
    const date = readTextAt(payload, part, 'date');
    if (!hasValueAt(payload, part)) continue;
    // A withdrawal has the same payload: the event key tells, else the list of participants.
    const isListed = readListAt(pr, 'participants').some(
      (one) =>
        listBitbucketAccountIds(readAtPath(one, 'user')).some((id) => by.includes(id)) &&
        readTextAt(one, 'state') === what,
    );
    const stands = GIVEN.has(key) || (!TAKEN_BACK.has(key) && isListed);
    return {
      ...common,
      event: `pull_request.${stands ? what : `un${what}`}`,
      kind: stands ? what : null,
      text: '',
      id: `${by[0] ?? ''}:${date}`,
      happenedAt: readTimeAt(payload, part, 'date'),
    };
  }
  const state = key === 'pullrequest:updated' ? 'OPEN' : readTextAt(pr, 'state');
  if (state === 'MERGED')
    return {
      ...common,
      event: 'pull_request.merged',
      kind: 'merged',
      id: readTextAt(pr, 'merge_commit', 'hash'),
    };
  if (state === 'DECLINED' || state === 'SUPERSEDED')
    return {
      ...common,
      event: 'pull_request.closed',
      kind: 'closed',
      id: readTextAt(pr, 'updated_on'),
    };
  const isNew = readBitbucketChange(key, pr) === 'created';
  return {
    ...common,
    event: `pull_request.${isNew ? 'opened' : 'edited'}`,
    id: readTextAt(pr, 'updated_on'),
  };
}

function readBitbucketIssueEvent(payload: unknown, key: string): DeliveredEvent {
  const issue = readAtPath(payload, 'issue');
  const common = toBitbucketBaseEvent(payload, issue, '#');
  // A change of an issue may include a comment.
  if (hasValueAt(payload, 'comment') && !hasValueAt(payload, 'changes'))
    return readBitbucketCommentEvent(payload, common, 'issue', key);
  const isEdited = hasValueAt(payload, 'changes') || readBitbucketChange(key, issue) === 'updated';
  return {
    ...common,
    event: `issue.${isEdited ? 'edited' : 'opened'}`,
    id: readTextAt(issue, 'updated_on'),
  };
}

function readBitbucketStatusEvent(payload: unknown): DeliveredEvent {
  const status = readAtPath(payload, 'commit_status');
  const [name, state] = [
    readTextAt(status, 'name') || readTextAt(status, 'key'),
    readTextAt(status, 'state'),
  ];
  const outcome = FAILED.has(state)
    ? 'failed'
    : state === 'SUCCESSFUL'
      ? 'passed'
      : state.toLowerCase();
  return {
    ...toBitbucketBaseEvent(payload, null, '!'),
    event: `check.${outcome}`,
    kind: outcome === 'failed' ? 'check_failed' : null,
    author: name,
    identities: [],
    bot: false,
    member: true,
    title: name,
    url: readTextAt(status, 'url'),
    id: `${readTextAt(status, 'key')}:${readTextAt(status, 'updated_on')}`,
    happenedAt: readTimeAt(status, 'updated_on'),
    text: outcome === 'failed' ? `The check ${name} has failed.` : '',
  };
}

/**
 * What a delivery of Bitbucket says has happened; null for what concerns neither issues nor pull
 * requests. `key`: of the event, such as `pullrequest:created`; empty where the delivery does not
 * name it.
 */
export function readBitbucketEvent(payload: unknown, key = ''): DeliveredEvent | null {
  if (hasValueAt(payload, 'pullrequest')) return readBitbucketPrEvent(payload, key);
  if (hasValueAt(payload, 'issue')) return readBitbucketIssueEvent(payload, key);
  return hasValueAt(payload, 'commit_status') ? readBitbucketStatusEvent(payload) : null;
}

/**
 * The pull requests that a delivery is about; a build of a commit may belong to any of the
 * repository.
 */
export function readBitbucketSubject(payload: unknown): PrSubject | null {
  const repo = readTextAt(payload, 'repository', 'full_name');
  const number = readNumberAt(payload, 'pullrequest', 'id');
  if (repo === '') return null;
  if (number !== null) return { repo, numbers: [number] };
  return hasValueAt(payload, 'commit_status') ? { repo, numbers: null } : null;
}

export const bitbucketWebhook = createSignedReader({
  id: 'bitbucket',
  signature: () => BITBUCKET_SIGNATURE,
  idHeaders: ['X-Request-UUID'],
  read: (payload, header) => ({
    subject: readBitbucketSubject(payload),
    event: readBitbucketEvent(payload, header(EVENT_KEY) ?? ''),
  }),
});
