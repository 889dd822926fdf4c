import type { WebhookManifest } from '../../schema/plugin.ts';
import type { HookEvent } from '../../contract/hookEvent.ts';
import { bareEvent } from '../hooks/event.ts';
import { at, has, listAt, textAt, texts, timeAt, toCount } from '../../lib/untrusted.ts';
import { signedReader } from '../hooks/signedReader.ts';

/** How Linear signs; the signed content includes the time of sending. */
export const LINEAR_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'Linear-Signature',
  format: 'hex',
  idHeader: 'Linear-Delivery',
  timestampField: 'webhookTimestamp',
};

const KEY = /^([A-Z][A-Z0-9]{0,30})-(\d{1,9})$/;
const KEY_IN_URL = /\/issue\/([A-Z][A-Z0-9]{0,30}-\d{1,9})(?:[/#?]|$)/;

/** Names are anybody's to take. */
const identitiesOf = (user: unknown): string[] => texts(textAt(user, 'id'), textAt(user, 'email'));

function base(payload: unknown, issue: unknown): HookEvent {
  const actor = at(payload, 'actor') ?? at(payload, 'data', 'user');
  const url = texts(textAt(payload, 'url'), textAt(payload, 'data', 'url'))[0] ?? '';
  const key = textAt(issue, 'identifier') || (KEY_IN_URL.exec(url)?.[1] ?? '');
  const [, team = '', number] = KEY.exec(key) ?? [];
  // A delivery without an actor names the user of the comment, who is one of the workspace.
  const type = textAt(actor, 'type') || (has(payload, 'actor') || actor == null ? '' : 'user');
  const isOutsider = has(payload, 'data', 'externalUser') || has(payload, 'data', 'externalUserId');
  return {
    ...bareEvent,
    event: '',
    url,
    repo: team,
    number: toCount(Number(number)),
    ref: number === undefined ? null : key,
    author: texts(textAt(actor, 'name'), textAt(actor, 'email'))[0] ?? '',
    identities: isOutsider ? [] : identitiesOf(actor),
    bot: has(payload, 'data', 'botActor') || (type !== '' && type.toLowerCase() !== 'user'),
    member: isOutsider ? false : type.toLowerCase() === 'user' ? true : null,
    title: textAt(issue, 'title'),
    labels: listAt(issue, 'labels').map((label) => textAt(label, 'name')),
    happenedAt: timeAt(payload, 'createdAt'),
  };
}

function issueOf(payload: unknown, action: string): HookEvent {
  const issue = at(payload, 'data');
  const before = listAt(payload, 'updatedFrom', 'labelIds');
  const isRelabeled = has(payload, 'updatedFrom', 'labelIds');
  const newLabels = isRelabeled
    ? listAt(issue, 'labels').flatMap((label) =>
        before.includes(at(label, 'id')) ? [] : texts(textAt(label, 'name')),
      )
    : [];
  const updated = isRelabeled
    ? newLabels.length > 0
      ? 'labeled'
      : 'unlabeled'
    : has(payload, 'updatedFrom', 'stateId')
      ? 'transitioned'
      : at(payload, 'updatedFrom', 'assigneeId') !== undefined
        ? 'assigned'
        : 'edited';
  const what = { create: 'opened', remove: 'deleted' }[action] ?? updated;
  return {
    ...base(payload, issue),
    event: `issue.${what}`,
    newLabels,
    text: textAt(issue, 'description'),
    id: `${textAt(issue, 'id')}:${textAt(payload, 'createdAt')}`,
  };
}

function commentOf(payload: unknown, action: string): HookEvent {
  const comment = at(payload, 'data');
  const what = { create: 'commented', remove: 'comment_deleted' }[action] ?? 'comment_edited';
  return {
    ...base(payload, at(comment, 'issue')),
    event: `issue.${what}`,
    id: `comment-${textAt(comment, 'id')}`,
    kind: what === 'commented' ? 'commented' : null,
    text: textAt(comment, 'body'),
    happenedAt: timeAt(comment, 'createdAt') ?? timeAt(payload, 'createdAt'),
  };
}

/** What a delivery of Linear says has happened; null for what concerns no issue. */
export function linearEvent(payload: unknown): HookEvent | null {
  const [type, action] = [textAt(payload, 'type'), textAt(payload, 'action')];
  if (type === 'Issue') return issueOf(payload, action);
  const comment = type === 'Comment' ? commentOf(payload, action) : null;
  // Updates of projects and documents have comments too.
  return comment?.ref == null ? null : comment;
}

/** Reads deliveries of Linear. */
export const linearWebhook = signedReader({
  id: 'linear',
  signature: () => LINEAR_SIGNATURE,
  idHeaders: ['Linear-Delivery'],
  read: (payload) => ({ subject: null, event: linearEvent(payload) }),
});
