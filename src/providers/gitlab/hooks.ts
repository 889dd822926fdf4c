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
import { chooseGitlabSignature } from '../hooks/builtInSignatures.ts';
import { createSignedReader } from '../hooks/createSignedReader.ts';

const BOT = /^(?:project|group)_\d+_bot/;

const ACTIONS: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approval: 'approved',
  unapproval: 'unapproved',
};
/** Kinds of events by the action on a merge request. */
const REPORTED: Readonly<Record<string, DeliveredEvent['kind']>> = {
  approved: 'approved',
  merged: 'merged',
  closed: 'closed',
};

const listLabelTitles = (value: unknown, ...path: string[]): string[] =>
  readListAt(value, ...path).map((label) => readTextAt(label, 'title'));

/** The kind of update, in GitHub's words. */
function classifyGitlabUpdate(payload: unknown, newLabels: readonly string[]): string {
  if (hasValueAt(payload, 'object_attributes', 'oldrev')) return 'synchronize';
  if (newLabels.length > 0) return 'labeled';
  if (hasValueAt(payload, 'changes', 'labels')) return 'unlabeled';
  return hasValueAt(payload, 'changes', 'assignees') ? 'assigned' : 'edited';
}

/** The subject of an event. A merge request is written `group/name!3`, an issue `group/name#3`. */
function toGitlabBaseEvent(payload: unknown, thing: unknown, mark: '#' | '!'): DeliveredEvent {
  const repo = readTextAt(payload, 'project', 'path_with_namespace');
  const number = readNumberAt(thing, 'iid');
  const login = readTextAt(payload, 'user', 'username');
  return {
    ...bareEvent,
    event: '',
    repo,
    number,
    ref: number === null ? null : `${repo}${mark}${number}`,
    author: login || readTextAt(payload, 'user', 'name'),
    identities: dropEmptyTexts(login),
    bot: BOT.test(login),
    title: readTextAt(thing, 'title'),
    text: readTextAt(thing, 'description'),
    url: readTextAt(thing, 'url'),
    labels: listLabelTitles(thing, 'labels'),
    happenedAt: readTimeAt(thing, 'updated_at'),
  };
}

function readGitlabChangeEvent(payload: unknown, thing: 'pull_request' | 'issue'): DeliveredEvent {
  const attributes = readAtPath(payload, 'object_attributes');
  const before = listLabelTitles(payload, 'changes', 'labels', 'previous');
  const newLabels = listLabelTitles(payload, 'changes', 'labels', 'current').filter(
    (label) => !before.includes(label),
  );
  const action = readTextAt(attributes, 'action') || 'update';
  const what =
    action === 'update' ? classifyGitlabUpdate(payload, newLabels) : (ACTIONS[action] ?? action);
  const common = toGitlabBaseEvent(payload, attributes, thing === 'issue' ? '#' : '!');
  return {
    ...common,
    event: `${thing}.${what}`,
    newLabels,
    labels: listLabelTitles(payload, 'labels'),
    kind: thing === 'issue' ? null : (REPORTED[what] ?? null),
    id: `${readTextAt(attributes, 'id')}:${readTextAt(attributes, 'updated_at')}`,
  };
}

function readGitlabNoteEvent(payload: unknown): DeliveredEvent | null {
  const note = readAtPath(payload, 'object_attributes');
  const [mr, issue] = [readAtPath(payload, 'merge_request'), readAtPath(payload, 'issue')];
  if (mr === undefined && issue === undefined) return null;
  const isThread =
    mr !== undefined &&
    (hasValueAt(note, 'position') ||
      hasValueAt(note, 'st_diff') ||
      readTextAt(note, 'type') === 'DiffNote');
  const action = readTextAt(note, 'action') || 'create';
  const thing = mr === undefined ? 'issue' : 'pull_request';
  const what = isThread ? 'review_thread' : 'commented';
  const isTold = action === 'create' && readAtPath(note, 'system') !== true;
  const path = dropEmptyTexts(
    readTextAt(note, 'position', 'new_path'),
    readTextAt(note, 'st_diff', 'new_path'),
  )[0];
  const line = readTextAt(note, 'position', 'new_line');
  const place = path === undefined ? '' : `${path}${line === '' ? '' : `:${line}`}\n`;
  return {
    ...toGitlabBaseEvent(payload, mr ?? issue, mr === undefined ? '#' : '!'),
    event: `${thing}.${what}${action === 'create' ? '' : '_edited'}`,
    kind: isTold ? what : null,
    id: `note-${readTextAt(note, 'id')}`,
    text: `${place}${readTextAt(note, 'note')}`,
    url: readTextAt(note, 'url'),
    happenedAt: readTimeAt(note, 'created_at'),
  };
}

function readGitlabPipelineEvent(payload: unknown): DeliveredEvent {
  const attributes = readAtPath(payload, 'object_attributes');
  const status = readTextAt(attributes, 'status');
  const outcome = status === 'failed' ? 'failed' : status === 'success' ? 'passed' : status;
  const name = readTextAt(attributes, 'name') || 'pipeline';
  return {
    ...toGitlabBaseEvent(payload, readAtPath(payload, 'merge_request'), '!'),
    event: `check.${outcome}`,
    author: name,
    identities: [],
    bot: false,
    kind: outcome === 'failed' ? 'check_failed' : null,
    id: readTextAt(attributes, 'id'),
    member: true,
    title: name,
    text: outcome === 'failed' ? `The check ${name} has failed.` : '',
    url: readTextAt(attributes, 'url'),
    happenedAt: readTimeAt(attributes, 'finished_at') ?? readTimeAt(attributes, 'created_at'),
  };
}

export function readGitlabEvent(payload: unknown): DeliveredEvent | null {
  const kind = readTextAt(payload, 'object_kind');
  if (kind === 'merge_request') return readGitlabChangeEvent(payload, 'pull_request');
  if (kind === 'issue' || kind === 'work_item') return readGitlabChangeEvent(payload, 'issue');
  if (kind === 'note') return readGitlabNoteEvent(payload);
  return kind === 'pipeline' ? readGitlabPipelineEvent(payload) : null;
}

/**
 * The merge requests that a delivery is about; a pipeline of a branch may be of any of the project.
 */
export function readGitlabSubject(payload: unknown): PrSubject | null {
  const repo = readTextAt(payload, 'project', 'path_with_namespace');
  const kind = readTextAt(payload, 'object_kind');
  const number = readNumberAt(
    payload,
    kind === 'merge_request' ? 'object_attributes' : 'merge_request',
    'iid',
  );
  if (repo === '' || !['merge_request', 'note', 'pipeline'].includes(kind)) return null;
  if (number !== null) return { repo, numbers: [number] };
  return kind === 'pipeline' ? { repo, numbers: null } : null;
}

export const gitlabWebhook = createSignedReader({
  id: 'gitlab',
  signature: chooseGitlabSignature,
  idHeaders: ['webhook-id', 'Idempotency-Key'],
  read: (payload) => ({ subject: readGitlabSubject(payload), event: readGitlabEvent(payload) }),
});
