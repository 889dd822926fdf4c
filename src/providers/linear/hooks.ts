import type { DeliveredEvent } from '../../contract/forge/deliveredEvent.ts';
import { bareEvent } from '../hooks/event.ts';
import {
  readAtPath,
  hasValueAt,
  readListAt,
  readTextAt,
  dropEmptyTexts,
  readTimeAt,
  toWholeNumber,
} from '../../base/json/untrusted.ts';
import { LINEAR_SIGNATURE } from '../hooks/builtInSignatures.ts';
import { createSignedReader } from '../hooks/createSignedReader.ts';

const KEY = /^([A-Z][A-Z0-9]{0,30})-(\d{1,9})$/;
const KEY_IN_URL = /\/issue\/([A-Z][A-Z0-9]{0,30}-\d{1,9})(?:[/#?]|$)/;

/** Names are not unique. */
const listLinearIdentities = (user: unknown): string[] =>
  dropEmptyTexts(readTextAt(user, 'id'), readTextAt(user, 'email'));

function toLinearBaseEvent(payload: unknown, issue: unknown): DeliveredEvent {
  const actor = readAtPath(payload, 'actor') ?? readAtPath(payload, 'data', 'user');
  const url =
    dropEmptyTexts(readTextAt(payload, 'url'), readTextAt(payload, 'data', 'url'))[0] ?? '';
  const key = readTextAt(issue, 'identifier') || (KEY_IN_URL.exec(url)?.[1] ?? '');
  const [, team = '', number] = KEY.exec(key) ?? [];
  // A delivery without an actor names the author of the comment, a user of the workspace.
  const type =
    readTextAt(actor, 'type') || (hasValueAt(payload, 'actor') || actor == null ? '' : 'user');
  const isOutsider =
    hasValueAt(payload, 'data', 'externalUser') || hasValueAt(payload, 'data', 'externalUserId');
  return {
    ...bareEvent,
    event: '',
    url,
    repo: team,
    number: toWholeNumber(Number(number)),
    ref: number === undefined ? null : key,
    author: dropEmptyTexts(readTextAt(actor, 'name'), readTextAt(actor, 'email'))[0] ?? '',
    identities: isOutsider ? [] : listLinearIdentities(actor),
    bot: hasValueAt(payload, 'data', 'botActor') || (type !== '' && type.toLowerCase() !== 'user'),
    member: isOutsider ? false : type.toLowerCase() === 'user' ? true : null,
    title: readTextAt(issue, 'title'),
    labels: readListAt(issue, 'labels').map((label) => readTextAt(label, 'name')),
    happenedAt: readTimeAt(payload, 'createdAt'),
  };
}

function readLinearIssueEvent(payload: unknown, action: string): DeliveredEvent {
  const issue = readAtPath(payload, 'data');
  const before = readListAt(payload, 'updatedFrom', 'labelIds');
  const isRelabeled = hasValueAt(payload, 'updatedFrom', 'labelIds');
  const newLabels = isRelabeled
    ? readListAt(issue, 'labels').flatMap((label) =>
        before.includes(readAtPath(label, 'id')) ? [] : dropEmptyTexts(readTextAt(label, 'name')),
      )
    : [];
  const updated = isRelabeled
    ? newLabels.length > 0
      ? 'labeled'
      : 'unlabeled'
    : hasValueAt(payload, 'updatedFrom', 'stateId')
      ? 'transitioned'
      : readAtPath(payload, 'updatedFrom', 'assigneeId') !== undefined
        ? 'assigned'
        : 'edited';
  const what = { create: 'opened', remove: 'deleted' }[action] ?? updated;
  return {
    ...toLinearBaseEvent(payload, issue),
    event: `issue.${what}`,
    newLabels,
    text: readTextAt(issue, 'description'),
    id: `${readTextAt(issue, 'id')}:${readTextAt(payload, 'createdAt')}`,
  };
}

function readLinearCommentEvent(payload: unknown, action: string): DeliveredEvent {
  const comment = readAtPath(payload, 'data');
  const what = { create: 'commented', remove: 'comment_deleted' }[action] ?? 'comment_edited';
  return {
    ...toLinearBaseEvent(payload, readAtPath(comment, 'issue')),
    event: `issue.${what}`,
    id: `comment-${readTextAt(comment, 'id')}`,
    kind: what === 'commented' ? 'commented' : null,
    text: readTextAt(comment, 'body'),
    happenedAt: readTimeAt(comment, 'createdAt') ?? readTimeAt(payload, 'createdAt'),
  };
}

/** What a delivery of Linear says has happened; null for what concerns no issue. */
export function readLinearEvent(payload: unknown): DeliveredEvent | null {
  const [type, action] = [readTextAt(payload, 'type'), readTextAt(payload, 'action')];
  if (type === 'Issue') return readLinearIssueEvent(payload, action);
  const comment = type === 'Comment' ? readLinearCommentEvent(payload, action) : null;
  // Projects and documents have comments too.
  return comment?.ref == null ? null : comment;
}

export const linearWebhook = createSignedReader({
  id: 'linear',
  signature: () => LINEAR_SIGNATURE,
  idHeaders: ['Linear-Delivery'],
  read: (payload) => ({ subject: null, event: readLinearEvent(payload) }),
});
