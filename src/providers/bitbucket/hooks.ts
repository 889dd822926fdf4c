import type { WebhookManifest } from '../../schema/plugin.ts';
import type { PrSubject } from '../../contract/hook.ts';
import type { HookEvent } from '../../contract/hookEvent.ts';
import { bareEvent } from '../hooks/event.ts';
import { at, has, listAt, numberAt, textAt, texts, timeAt } from '../../lib/untrusted.ts';
import { signedReader } from '../hooks/signedReader.ts';

/** How Bitbucket Cloud signs. The header has the name of GitHub's older one, which is SHA-1. */
export const BITBUCKET_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'X-Hub-Signature',
  format: 'prefixed-hex',
  idHeader: 'X-Request-UUID',
};

const FAILED = new Set(['FAILED', 'ERROR']);

/**
 * The header that names the event. It is not signed: the payload says what it is about, and this
 * only whether that is new.
 */
const EVENT_KEY = 'X-Event-Key';
/**
 * How far apart the times of creation and last change are for something new, ms, where a delivery
 * comes without its key: Bitbucket writes them in sequence, up to a second apart.
 */
const NEW_WITHIN_MS = 3_000;

/** Anyone can take a nickname: accounts are identified by their ids. */
const accountIds = (user: unknown): string[] =>
  texts(textAt(user, 'account_id'), textAt(user, 'uuid'));

/** Keys of approvals and requested changes that were given, and of those that were taken back. */
const GIVEN = new Set(['pullrequest:approved', 'pullrequest:changes_request_created']);
const TAKEN_BACK = new Set(['pullrequest:unapproved', 'pullrequest:changes_request_removed']);

function base(payload: unknown, thing: unknown, mark: '#' | '!'): HookEvent {
  const repo = textAt(payload, 'repository', 'full_name');
  const number = numberAt(thing, 'id');
  const actor = at(payload, 'actor');
  return {
    ...bareEvent,
    event: '',
    repo,
    number,
    ref: number === null ? null : `${repo}${mark}${number}`,
    author: texts(textAt(actor, 'nickname'), textAt(actor, 'display_name'))[0] ?? '',
    identities: accountIds(actor),
    bot: has(actor) && textAt(actor, 'type') !== 'user',
    title: textAt(thing, 'title'),
    text: textAt(thing, 'description') || textAt(thing, 'content', 'raw'),
    url: textAt(thing, 'links', 'html', 'href'),
    happenedAt: timeAt(thing, 'updated_on'),
  };
}

const ENDS = {
  created: '',
  updated: '_edited',
  deleted: '_deleted',
  resolved: '_resolved',
  reopened: '_reopened',
} as const;
type Change = keyof typeof ENDS;

const isChange = (text: string): text is Change => Object.hasOwn(ENDS, text);

/** The outcome of a thing: by the key of the event, else by its times. */
function changeOf(key: string, thing: unknown): Change {
  const named = key.replace(/^.*:(?:comment_)?/, '');
  if (isChange(named)) return named;
  const [made, changed] = [timeAt(thing, 'created_on'), timeAt(thing, 'updated_on')];
  return made !== null && changed !== null && Math.abs(changed - made) > NEW_WITHIN_MS
    ? 'updated'
    : 'created';
}

function commentOf(
  payload: unknown,
  common: HookEvent,
  thing: 'pull_request' | 'issue',
  key: string,
): HookEvent {
  const comment = at(payload, 'comment');
  const path = textAt(comment, 'inline', 'path');
  const line = textAt(comment, 'inline', 'to');
  const what = path === '' ? 'commented' : 'review_thread';
  const change = at(comment, 'deleted') === true ? 'deleted' : changeOf(key, comment);
  return {
    ...common,
    event: `${thing}.${what}${ENDS[change]}`,
    id: `comment-${textAt(comment, 'id')}`,
    text: `${path === '' ? '' : `${path}${line === '' ? '' : `:${line}`}\n`}${textAt(comment, 'content', 'raw')}`,
    kind: change === 'created' ? what : null,
    url: textAt(comment, 'links', 'html', 'href'),
    happenedAt: timeAt(comment, 'created_on'),
  };
}

/** What it is about follows from the content of the payload, which is signed. */
function pullRequestOf(payload: unknown, key: string): HookEvent {
  const pr = at(payload, 'pullrequest');
  const common = base(payload, pr, '!');
  if (has(payload, 'comment')) return commentOf(payload, common, 'pull_request', key);
  const by = accountIds(at(payload, 'actor'));
  for (const [part, what] of [
    ['approval', 'approved'],
    ['changes_request', 'changes_requested'],
  ] as const) {
    const date = textAt(payload, part, 'date');
    if (!has(payload, part)) continue;
    // The same part comes when it is taken back: the key tells, else the list of those who have a
    // say.
    const isListed = listAt(pr, 'participants').some(
      (one) =>
        accountIds(at(one, 'user')).some((id) => by.includes(id)) && textAt(one, 'state') === what,
    );
    const stands = GIVEN.has(key) || (!TAKEN_BACK.has(key) && isListed);
    return {
      ...common,
      event: `pull_request.${stands ? what : `un${what}`}`,
      kind: stands ? what : null,
      text: '',
      id: `${by[0] ?? ''}:${date}`,
      happenedAt: timeAt(payload, part, 'date'),
    };
  }
  const state = key === 'pullrequest:updated' ? 'OPEN' : textAt(pr, 'state');
  if (state === 'MERGED')
    return {
      ...common,
      event: 'pull_request.merged',
      kind: 'merged',
      id: textAt(pr, 'merge_commit', 'hash'),
    };
  if (state === 'DECLINED' || state === 'SUPERSEDED')
    return {
      ...common,
      event: 'pull_request.closed',
      kind: 'closed',
      id: textAt(pr, 'updated_on'),
    };
  const isNew = changeOf(key, pr) === 'created';
  return {
    ...common,
    event: `pull_request.${isNew ? 'opened' : 'edited'}`,
    id: textAt(pr, 'updated_on'),
  };
}

function issueOf(payload: unknown, key: string): HookEvent {
  const issue = at(payload, 'issue');
  const common = base(payload, issue, '#');
  // A change of an issue may bring a comment along.
  if (has(payload, 'comment') && !has(payload, 'changes'))
    return commentOf(payload, common, 'issue', key);
  const isEdited = has(payload, 'changes') || changeOf(key, issue) === 'updated';
  return {
    ...common,
    event: `issue.${isEdited ? 'edited' : 'opened'}`,
    id: textAt(issue, 'updated_on'),
  };
}

function statusOf(payload: unknown): HookEvent {
  const status = at(payload, 'commit_status');
  const [name, state] = [textAt(status, 'name') || textAt(status, 'key'), textAt(status, 'state')];
  const outcome = FAILED.has(state)
    ? 'failed'
    : state === 'SUCCESSFUL'
      ? 'passed'
      : state.toLowerCase();
  return {
    ...base(payload, null, '!'),
    event: `check.${outcome}`,
    kind: outcome === 'failed' ? 'check_failed' : null,
    author: name,
    identities: [],
    bot: false,
    member: true,
    title: name,
    url: textAt(status, 'url'),
    id: `${textAt(status, 'key')}:${textAt(status, 'updated_on')}`,
    happenedAt: timeAt(status, 'updated_on'),
    text: outcome === 'failed' ? `The check ${name} has failed.` : '',
  };
}

/**
 * What a delivery of Bitbucket says has happened; null for what concerns neither issues nor pull
 * requests. `key`: of the event, such as `pullrequest:created`; empty where the delivery does not
 * name it.
 */
export function bitbucketEvent(payload: unknown, key = ''): HookEvent | null {
  if (has(payload, 'pullrequest')) return pullRequestOf(payload, key);
  if (has(payload, 'issue')) return issueOf(payload, key);
  return has(payload, 'commit_status') ? statusOf(payload) : null;
}

/**
 * The pull requests that a delivery is about; a build of a commit may be of any of the repository.
 */
export function bitbucketSubject(payload: unknown): PrSubject | null {
  const repo = textAt(payload, 'repository', 'full_name');
  const number = numberAt(payload, 'pullrequest', 'id');
  if (repo === '') return null;
  if (number !== null) return { repo, numbers: [number] };
  return has(payload, 'commit_status') ? { repo, numbers: null } : null;
}

/** Reads deliveries of Bitbucket Cloud. */
export const bitbucketWebhook = signedReader({
  id: 'bitbucket',
  signature: () => BITBUCKET_SIGNATURE,
  idHeaders: ['X-Request-UUID'],
  read: (payload, header) => ({
    subject: bitbucketSubject(payload),
    event: bitbucketEvent(payload, header(EVENT_KEY) ?? ''),
  }),
});
