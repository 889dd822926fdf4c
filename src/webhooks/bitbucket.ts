import type { WebhookManifest } from '../schema/plugin.ts';
import type { PrSubject } from './delivery.ts';
import { bareEvent, type HookEvent } from './event.ts';
import { at, has, listAt, numberAt, textAt, texts, timeAt } from './payload.ts';
import { signedReader } from './signedReader.ts';

/** How Bitbucket Cloud signs. The header has the name of GitHub's older one, which is SHA-1. */
export const BITBUCKET_SIGNATURE: WebhookManifest = {
  ...{ algorithm: 'sha256', header: 'X-Hub-Signature', format: 'prefixed-hex', idHeader: 'X-Request-UUID' },
};

const FAILED = new Set(['FAILED', 'ERROR']);

/** Nicknames are anybody's to take: accounts are told apart by their ids. */
const accountIds = (user: unknown): string[] => texts(textAt(user, 'account_id'), textAt(user, 'uuid'));

function base(payload: unknown, thing: unknown, mark: '#' | '!'): HookEvent {
  const repo = textAt(payload, 'repository', 'full_name');
  const number = numberAt(thing, 'id');
  const actor = at(payload, 'actor');
  return {
    ...{ ...bareEvent, event: '', repo, number, ref: number === null ? null : `${repo}${mark}${number}` },
    author: texts(textAt(actor, 'nickname'), textAt(actor, 'display_name'))[0] ?? '',
    ...{ identities: accountIds(actor), bot: has(actor) && textAt(actor, 'type') !== 'user' },
    ...{ title: textAt(thing, 'title'), text: textAt(thing, 'description') || textAt(thing, 'content', 'raw') },
    ...{ url: textAt(thing, 'links', 'html', 'href'), happenedAt: timeAt(thing, 'updated_on') },
  };
}

function commentOf(payload: unknown, common: HookEvent, thing: 'pull_request' | 'issue'): HookEvent {
  const comment = at(payload, 'comment');
  const path = textAt(comment, 'inline', 'path');
  const line = textAt(comment, 'inline', 'to');
  const what = path === '' ? 'commented' : 'review_thread';
  const isGone = at(comment, 'deleted') === true;
  const isNew = !isGone && textAt(comment, 'created_on') === textAt(comment, 'updated_on');
  return {
    ...{
      ...common,
      event: `${thing}.${what}${isGone ? '_deleted' : isNew ? '' : '_edited'}`,
      id: `comment-${textAt(comment, 'id')}`,
    },
    text: `${path === '' ? '' : `${path}${line === '' ? '' : `:${line}`}\n`}${textAt(comment, 'content', 'raw')}`,
    ...{ kind: isNew ? what : null, url: textAt(comment, 'links', 'html', 'href'), happenedAt: timeAt(comment, 'created_on') },
  };
}

/** The name of the event stands in a header that is not signed; so it is told from what the payload holds. */
function pullRequestOf(payload: unknown): HookEvent {
  const pr = at(payload, 'pullrequest');
  const common = base(payload, pr, '!');
  if (has(payload, 'comment')) return commentOf(payload, common, 'pull_request');
  const by = accountIds(at(payload, 'actor'));
  for (const [part, what] of [
    ['approval', 'approved'],
    ['changes_request', 'changes_requested'],
  ] as const) {
    const date = textAt(payload, part, 'date');
    if (!has(payload, part)) continue;
    // The same part comes when it is taken back; the list of those who have a say tells.
    const stands = listAt(pr, 'participants').some(
      (one) => accountIds(at(one, 'user')).some((id) => by.includes(id)) && textAt(one, 'state') === what,
    );
    return {
      ...{ ...common, event: `pull_request.${stands ? what : `un${what}`}`, kind: stands ? what : null, text: '' },
      ...{ id: `${by[0] ?? ''}:${date}`, happenedAt: timeAt(payload, part, 'date') },
    };
  }
  const state = textAt(pr, 'state');
  if (state === 'MERGED')
    return { ...common, event: 'pull_request.merged', kind: 'merged', id: textAt(pr, 'merge_commit', 'hash') };
  if (state === 'DECLINED' || state === 'SUPERSEDED')
    return { ...common, event: 'pull_request.closed', kind: 'closed', id: textAt(pr, 'updated_on') };
  const isNew = textAt(pr, 'created_on') === textAt(pr, 'updated_on');
  return { ...common, event: `pull_request.${isNew ? 'opened' : 'edited'}`, id: textAt(pr, 'updated_on') };
}

function issueOf(payload: unknown): HookEvent {
  const issue = at(payload, 'issue');
  const common = base(payload, issue, '#');
  if (has(payload, 'comment') && !has(payload, 'changes')) return commentOf(payload, common, 'issue');
  return { ...common, event: `issue.${has(payload, 'changes') ? 'edited' : 'opened'}`, id: textAt(issue, 'updated_on') };
}

function statusOf(payload: unknown): HookEvent {
  const status = at(payload, 'commit_status');
  const [name, state] = [textAt(status, 'name') || textAt(status, 'key'), textAt(status, 'state')];
  const outcome = FAILED.has(state) ? 'failed' : state === 'SUCCESSFUL' ? 'passed' : state.toLowerCase();
  return {
    ...{ ...base(payload, null, '!'), event: `check.${outcome}`, kind: outcome === 'failed' ? 'check_failed' : null },
    ...{ author: name, identities: [], bot: false, member: true, title: name, url: textAt(status, 'url') },
    ...{ id: `${textAt(status, 'key')}:${textAt(status, 'updated_on')}`, happenedAt: timeAt(status, 'updated_on') },
    text: outcome === 'failed' ? `The check ${name} has failed.` : '',
  };
}

/** What a delivery of Bitbucket says has happened; null for what concerns neither issues nor pull requests. */
export function bitbucketEvent(payload: unknown): HookEvent | null {
  if (has(payload, 'pullrequest')) return pullRequestOf(payload);
  if (has(payload, 'issue')) return issueOf(payload);
  return has(payload, 'commit_status') ? statusOf(payload) : null;
}

/** The pull requests that a delivery is about; a build of a commit may be of any of the repository. */
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
  read: (payload) => ({ subject: bitbucketSubject(payload), event: bitbucketEvent(payload) }),
});
