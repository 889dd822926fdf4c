import { adfToMarkdown } from './adf/adfToMarkdown.ts';
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
import { JIRA_SIGNATURE } from '../hooks/builtInSignatures.ts';
import { createSignedReader } from '../hooks/createSignedReader.ts';

/** Keeps wiki text, converts a document to markdown. */
const toHookMarkdown = (value: unknown): string =>
  typeof value === 'string' ? value : adfToMarkdown(value);

const KEY = /^([A-Z][A-Z0-9_]{0,30})-(\d{1,9})$/;

/** Display names are not unique. `name` and `key` are those of Data Center. */
const listJiraIdentities = (user: unknown): string[] =>
  dropEmptyTexts(
    readTextAt(user, 'accountId'),
    readTextAt(user, 'name'),
    readTextAt(user, 'key'),
    readTextAt(user, 'emailAddress'),
  );

/**
 * The site for people behind an API address; empty for Atlassian's gateway, which does not tell.
 */
function readJiraSite(self: string): string {
  const [, site = ''] = /^(https?:\/\/.+?)\/rest\/api\//.exec(self) ?? [];
  return site.startsWith('https://api.atlassian.com/') ? '' : site;
}

function toJiraBaseEvent(site: string, issue: unknown, user: unknown): DeliveredEvent {
  const key = readTextAt(issue, 'key');
  const [, project = '', number] = KEY.exec(key) ?? [];
  const type = readTextAt(user, 'accountType');
  const web = site || readJiraSite(readTextAt(issue, 'self'));
  return {
    ...bareEvent,
    event: '',
    repo: project,
    number: toWholeNumber(Number(number)),
    ref: number === undefined ? null : key,
    author: readTextAt(user, 'displayName') || (listJiraIdentities(user)[0] ?? ''),
    identities: listJiraIdentities(user),
    bot: type === 'app',
    member: type === '' ? null : type === 'atlassian',
    title: readTextAt(issue, 'fields', 'summary'),
    text: toHookMarkdown(readAtPath(issue, 'fields', 'description')),
    url: web === '' ? '' : `${web}/browse/${key}`,
    labels: readListAt(issue, 'fields', 'labels').filter((label) => typeof label === 'string'),
  };
}

/** The kind of update, in GitHub's words where it has them. */
function classifyJiraUpdate(items: readonly unknown[]): { what: string; newLabels: string[] } {
  const findChange = (field: string) => items.find((item) => readTextAt(item, 'field') === field);
  const splitWords = (text: string) => dropEmptyTexts(...text.split(' '));
  const labels = findChange('labels');
  const before = splitWords(readTextAt(labels, 'fromString'));
  const newLabels = splitWords(readTextAt(labels, 'toString')).filter(
    (label) => !before.includes(label),
  );
  if (labels !== undefined)
    return { what: newLabels.length > 0 ? 'labeled' : 'unlabeled', newLabels };
  return {
    what: findChange('status') ? 'transitioned' : findChange('assignee') ? 'assigned' : 'edited',
    newLabels,
  };
}

const CHANGES: Readonly<Record<string, string>> = {
  'jira:issue_created': 'opened',
  'jira:issue_deleted': 'deleted',
};
const COMMENTS: Readonly<Record<string, string>> = {
  comment_created: 'commented',
  comment_updated: 'comment_edited',
  comment_deleted: 'comment_deleted',
};

/**
 * What a delivery of Jira says has happened; null for what concerns no issue. `site`: where people
 * see issues; empty = what the delivery says.
 */
export function readJiraEvent(payload: unknown, site = ''): DeliveredEvent | null {
  const name = readTextAt(payload, 'webhookEvent');
  const [issue, comment] = [readAtPath(payload, 'issue'), readAtPath(payload, 'comment')];
  if (!hasValueAt(payload, 'issue')) return null;
  // Data Center sends a comment as an update of the issue.
  const isComment =
    Object.hasOwn(COMMENTS, name) ||
    readTextAt(payload, 'issue_event_type_name') === 'issue_commented';
  if (isComment && hasValueAt(payload, 'comment')) {
    const what = COMMENTS[name] ?? 'commented';
    const common = toJiraBaseEvent(
      site,
      issue,
      readAtPath(comment, what === 'comment_edited' ? 'updateAuthor' : 'author'),
    );
    const id = readTextAt(comment, 'id');
    return {
      ...common,
      event: `issue.${what}`,
      kind: what === 'commented' ? 'commented' : null,
      id: `comment-${id}`,
      text: toHookMarkdown(readAtPath(comment, 'body')),
      happenedAt: readTimeAt(comment, 'created') ?? readTimeAt(payload, 'timestamp'),
      url: common.url === '' ? '' : `${common.url}?focusedCommentId=${encodeURIComponent(id)}`,
    };
  }
  const common = toJiraBaseEvent(site, issue, readAtPath(payload, 'user'));
  const { what, newLabels } = classifyJiraUpdate(readListAt(payload, 'changelog', 'items'));
  if (name !== 'jira:issue_updated' && !Object.hasOwn(CHANGES, name)) return null;
  return {
    ...common,
    event: `issue.${CHANGES[name] ?? what}`,
    id: readTextAt(payload, 'timestamp'),
    newLabels,
    happenedAt: readTimeAt(payload, 'timestamp'),
  };
}

export const createJiraWebhook = (site: string) =>
  createSignedReader({
    id: 'jira',
    signature: () => JIRA_SIGNATURE,
    idHeaders: ['X-Atlassian-Webhook-Identifier'],
    read: (payload) => ({ subject: null, event: readJiraEvent(payload, site) }),
  });
