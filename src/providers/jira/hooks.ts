import type { WebhookManifest } from '../../schema/plugin.ts';
import { adfToMarkdown } from './adf/adfToMarkdown.ts';
import type { HookEvent } from '../../contract/hookEvent.ts';
import { bareEvent } from '../hooks/event.ts';
import { at, has, listAt, textAt, texts, timeAt, toCount } from '../../lib/untrusted.ts';
import { signedReader } from '../hooks/signedReader.ts';

/** How Jira signs webhooks that an administrator made with a secret. */
export const JIRA_SIGNATURE: WebhookManifest = {
  algorithm: 'sha256',
  header: 'X-Hub-Signature',
  format: 'prefixed-hex',
  idHeader: 'X-Atlassian-Webhook-Identifier',
};

/** Wiki text as it is, a document as markdown. */
const words = (value: unknown): string =>
  typeof value === 'string' ? value : adfToMarkdown(value);

const KEY = /^([A-Z][A-Z0-9_]{0,30})-(\d{1,9})$/;

/** Display names are anybody's to take. `name` and `key` are those of Data Center. */
const identitiesOf = (user: unknown): string[] =>
  texts(
    textAt(user, 'accountId'),
    textAt(user, 'name'),
    textAt(user, 'key'),
    textAt(user, 'emailAddress'),
  );

/**
 * Where people see the site that an address of its API belongs to; empty for Atlassian's gateway,
 * which does not say.
 */
function siteIn(self: string): string {
  const [, site = ''] = /^(https?:\/\/.+?)\/rest\/api\//.exec(self) ?? [];
  return site.startsWith('https://api.atlassian.com/') ? '' : site;
}

function base(site: string, issue: unknown, user: unknown): HookEvent {
  const key = textAt(issue, 'key');
  const [, project = '', number] = KEY.exec(key) ?? [];
  const type = textAt(user, 'accountType');
  const web = site || siteIn(textAt(issue, 'self'));
  return {
    ...bareEvent,
    event: '',
    repo: project,
    number: toCount(Number(number)),
    ref: number === undefined ? null : key,
    author: textAt(user, 'displayName') || (identitiesOf(user)[0] ?? ''),
    identities: identitiesOf(user),
    bot: type === 'app',
    member: type === '' ? null : type === 'atlassian',
    title: textAt(issue, 'fields', 'summary'),
    text: words(at(issue, 'fields', 'description')),
    url: web === '' ? '' : `${web}/browse/${key}`,
    labels: listAt(issue, 'fields', 'labels').filter((label) => typeof label === 'string'),
  };
}

/** What an update changed, in GitHub's words where it has them. */
function updateOf(items: readonly unknown[]): { what: string; newLabels: string[] } {
  const changed = (field: string) => items.find((item) => textAt(item, 'field') === field);
  const listed = (text: string) => texts(...text.split(' '));
  const labels = changed('labels');
  const before = listed(textAt(labels, 'fromString'));
  const newLabels = listed(textAt(labels, 'toString')).filter((label) => !before.includes(label));
  if (labels !== undefined)
    return { what: newLabels.length > 0 ? 'labeled' : 'unlabeled', newLabels };
  return {
    what: changed('status') ? 'transitioned' : changed('assignee') ? 'assigned' : 'edited',
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
export function jiraEvent(payload: unknown, site = ''): HookEvent | null {
  const name = textAt(payload, 'webhookEvent');
  const [issue, comment] = [at(payload, 'issue'), at(payload, 'comment')];
  if (!has(payload, 'issue')) return null;
  // Data Center tells a comment as an update of the issue.
  const isComment =
    Object.hasOwn(COMMENTS, name) || textAt(payload, 'issue_event_type_name') === 'issue_commented';
  if (isComment && has(payload, 'comment')) {
    const what = COMMENTS[name] ?? 'commented';
    const common = base(
      site,
      issue,
      at(comment, what === 'comment_edited' ? 'updateAuthor' : 'author'),
    );
    const id = textAt(comment, 'id');
    return {
      ...common,
      event: `issue.${what}`,
      kind: what === 'commented' ? 'commented' : null,
      id: `comment-${id}`,
      text: words(at(comment, 'body')),
      happenedAt: timeAt(comment, 'created') ?? timeAt(payload, 'timestamp'),
      url: common.url === '' ? '' : `${common.url}?focusedCommentId=${encodeURIComponent(id)}`,
    };
  }
  const common = base(site, issue, at(payload, 'user'));
  const { what, newLabels } = updateOf(listAt(payload, 'changelog', 'items'));
  if (name !== 'jira:issue_updated' && !Object.hasOwn(CHANGES, name)) return null;
  return {
    ...common,
    event: `issue.${CHANGES[name] ?? what}`,
    id: textAt(payload, 'timestamp'),
    newLabels,
    happenedAt: timeAt(payload, 'timestamp'),
  };
}

/** Reads deliveries of Jira. `site`: where people see issues. */
export const jiraWebhook = (site: string) =>
  signedReader({
    id: 'jira',
    signature: () => JIRA_SIGNATURE,
    idHeaders: ['X-Atlassian-Webhook-Identifier'],
    read: (payload) => ({ subject: null, event: jiraEvent(payload, site) }),
  });
