import type { WebhookManifest } from '../../schema/plugin.ts';
import type { PrSubject } from '../../contract/hook.ts';
import type { HookEvent } from '../../contract/hookEvent.ts';
import { bareEvent } from '../hooks/event.ts';
import { at, has, listAt, numberAt, textAt, texts, timeAt } from '../../lib/untrusted.ts';
import { signedReader } from '../hooks/signedReader.ts';

/** How GitLab signs with a signing token (`whsec_…`): Standard Webhooks. */
export const GITLAB_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'webhook-signature',
  format: 'standard',
};
/** With an older secret token: it sends the token itself. */
export const GITLAB_TOKEN: WebhookManifest = {
  algorithm: 'sha256',
  header: 'X-Gitlab-Token',
  format: 'token',
  idHeader: 'Idempotency-Key',
};

/** Accounts that GitLab makes for access tokens of projects and groups. */
const BOT = /^(?:project|group)_\d+_bot/;

const ACTIONS: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approval: 'approved',
  unapproval: 'unapproved',
};
/** Kinds of events by what happened to a merge request. */
const REPORTED: Readonly<Record<string, HookEvent['kind']>> = {
  approved: 'approved',
  merged: 'merged',
  closed: 'closed',
};

const titles = (value: unknown, ...path: string[]): string[] =>
  listAt(value, ...path).map((label) => textAt(label, 'title'));

/** What an update changed, in GitHub's words. */
function updateOf(payload: unknown, newLabels: readonly string[]): string {
  if (has(payload, 'object_attributes', 'oldrev')) return 'synchronize';
  if (newLabels.length > 0) return 'labeled';
  if (has(payload, 'changes', 'labels')) return 'unlabeled';
  return has(payload, 'changes', 'assignees') ? 'assigned' : 'edited';
}

/**
 * Whom and what an event is about. A merge request is written `group/name!3`, an issue
 * `group/name#3`.
 */
function base(payload: unknown, thing: unknown, mark: '#' | '!'): HookEvent {
  const repo = textAt(payload, 'project', 'path_with_namespace');
  const number = numberAt(thing, 'iid');
  const login = textAt(payload, 'user', 'username');
  return {
    ...bareEvent,
    event: '',
    repo,
    number,
    ref: number === null ? null : `${repo}${mark}${number}`,
    author: login || textAt(payload, 'user', 'name'),
    identities: texts(login),
    bot: BOT.test(login),
    title: textAt(thing, 'title'),
    text: textAt(thing, 'description'),
    url: textAt(thing, 'url'),
    labels: titles(thing, 'labels'),
    happenedAt: timeAt(thing, 'updated_at'),
  };
}

function changeOf(payload: unknown, thing: 'pull_request' | 'issue'): HookEvent {
  const found = at(payload, 'object_attributes');
  const before = titles(payload, 'changes', 'labels', 'previous');
  const newLabels = titles(payload, 'changes', 'labels', 'current').filter(
    (label) => !before.includes(label),
  );
  const action = textAt(found, 'action') || 'update';
  const what = action === 'update' ? updateOf(payload, newLabels) : (ACTIONS[action] ?? action);
  const common = base(payload, found, thing === 'issue' ? '#' : '!');
  return {
    ...common,
    event: `${thing}.${what}`,
    newLabels,
    labels: titles(payload, 'labels'),
    kind: thing === 'issue' ? null : (REPORTED[what] ?? null),
    id: `${textAt(found, 'id')}:${textAt(found, 'updated_at')}`,
  };
}

function noteOf(payload: unknown): HookEvent | null {
  const note = at(payload, 'object_attributes');
  const [mr, issue] = [at(payload, 'merge_request'), at(payload, 'issue')];
  if (mr === undefined && issue === undefined) return null;
  const isThread =
    mr !== undefined &&
    (has(note, 'position') || has(note, 'st_diff') || textAt(note, 'type') === 'DiffNote');
  const action = textAt(note, 'action') || 'create';
  const thing = mr === undefined ? 'issue' : 'pull_request';
  const what = isThread ? 'review_thread' : 'commented';
  const isTold = action === 'create' && at(note, 'system') !== true;
  const path = texts(textAt(note, 'position', 'new_path'), textAt(note, 'st_diff', 'new_path'))[0];
  const line = textAt(note, 'position', 'new_line');
  const place = path === undefined ? '' : `${path}${line === '' ? '' : `:${line}`}\n`;
  return {
    ...base(payload, mr ?? issue, mr === undefined ? '#' : '!'),
    event: `${thing}.${what}${action === 'create' ? '' : '_edited'}`,
    kind: isTold ? what : null,
    id: `note-${textAt(note, 'id')}`,
    text: `${place}${textAt(note, 'note')}`,
    url: textAt(note, 'url'),
    happenedAt: timeAt(note, 'created_at'),
  };
}

function pipelineOf(payload: unknown): HookEvent {
  const found = at(payload, 'object_attributes');
  const status = textAt(found, 'status');
  const outcome = status === 'failed' ? 'failed' : status === 'success' ? 'passed' : status;
  const name = textAt(found, 'name') || 'pipeline';
  return {
    ...base(payload, at(payload, 'merge_request'), '!'),
    event: `check.${outcome}`,
    author: name,
    identities: [],
    bot: false,
    kind: outcome === 'failed' ? 'check_failed' : null,
    id: textAt(found, 'id'),
    member: true,
    title: name,
    text: outcome === 'failed' ? `The check ${name} has failed.` : '',
    url: textAt(found, 'url'),
    happenedAt: timeAt(found, 'finished_at') ?? timeAt(found, 'created_at'),
  };
}

/**
 * What a delivery of GitLab says has happened; null for what concerns neither issues nor merge
 * requests.
 */
export function gitlabEvent(payload: unknown): HookEvent | null {
  const kind = textAt(payload, 'object_kind');
  if (kind === 'merge_request') return changeOf(payload, 'pull_request');
  if (kind === 'issue' || kind === 'work_item') return changeOf(payload, 'issue');
  if (kind === 'note') return noteOf(payload);
  return kind === 'pipeline' ? pipelineOf(payload) : null;
}

/**
 * The merge requests that a delivery is about; a pipeline of a branch may be of any of the project.
 */
export function gitlabSubject(payload: unknown): PrSubject | null {
  const repo = textAt(payload, 'project', 'path_with_namespace');
  const kind = textAt(payload, 'object_kind');
  const number = numberAt(
    payload,
    kind === 'merge_request' ? 'object_attributes' : 'merge_request',
    'iid',
  );
  if (repo === '' || !['merge_request', 'note', 'pipeline'].includes(kind)) return null;
  if (number !== null) return { repo, numbers: [number] };
  return kind === 'pipeline' ? { repo, numbers: null } : null;
}

/**
 * Reads deliveries of GitLab. Where the secret is a signing token, a delivery that only carries a
 * secret token is refused.
 */
export const gitlabWebhook = signedReader({
  id: 'gitlab',
  signature: (secret) => (secret.startsWith('whsec_') ? GITLAB_SIGNATURE : GITLAB_TOKEN),
  idHeaders: ['webhook-id', 'Idempotency-Key'],
  read: (payload) => ({ subject: gitlabSubject(payload), event: gitlabEvent(payload) }),
});
