import { toIsoDate } from '../../../base/json/untrusted.ts';
import { expectDate, expectId, expectText } from '../../rest/expectedValues.ts';
import { LenientReader } from '../../rest/lenientReader.ts';
import { cutIssueText } from '../../rest/trackerLimits.ts';
import type { Issue, IssueComment } from '../../../contract/forge/tracker.ts';
import { adfToMarkdown } from '../adf/adfToMarkdown.ts';

/** Texts are documents in version 3 and plain in version 2. */
export interface JiraIssue {
  key: string;
  fields: {
    summary?: string | null;
    description?: unknown;
    status?: { name?: string } | null;
    labels?: string[] | null;
    components?: { name?: string }[] | null;
    reporter?: JiraUser | null;
  };
}

export interface JiraUser {
  /** Only on Cloud. */
  accountId?: string;
  /** Only on Data Center and Server. */
  key?: string;
  name?: string;
  displayName?: string;
  emailAddress?: string;
  /**
   * Only on Cloud: `customer` of a service project, `app`, or `atlassian` for people of the site.
   */
  accountType?: string;
}

export interface JiraComment {
  id: string;
  author?: JiraUser | null;
  body?: unknown;
  created: string;
}

export interface JiraTransition {
  id: string;
  name: string;
  to?: { name?: string };
  /** Default true. */
  isAvailable?: boolean;
  /** Default true, since older servers do not send it. */
  hasScreen?: boolean;
  fields?: unknown;
}

export interface JiraRemoteLink {
  object?: { url?: string };
}

/** The unique id of an account, on both kinds of Jira. */
export const pickJiraUserId = (user: JiraUser | null | undefined): string =>
  user?.accountId ?? user?.key ?? user?.name ?? '';

/** Whether an account is shown to be one of the site's own people; never on Data Center. */
const isUserOfSite = (user: JiraUser | null | undefined): boolean =>
  user?.accountType === 'atlassian';

/** A text or a document; null and left out = it is empty. */
function expectDocument(value: unknown, what: string): unknown {
  const isDocument = typeof value === 'object' && !Array.isArray(value);
  return value === undefined || isDocument ? value : expectText(value, what);
}

const toJiraIssueText = (value: unknown): string =>
  cutIssueText(typeof value === 'string' ? value : adfToMarkdown(value));

/** Throws for an issue without a key. */
export const toJiraIssue = (
  web: string,
  jiraIssue: JiraIssue,
  links: readonly string[] = [],
  lenientReader = new LenientReader(),
): Issue => {
  const key = expectText(jiraIssue.key, 'its key');
  const reader = lenientReader.about(key);
  const { summary, description, status, labels, components, reporter } = Object(
    jiraIssue.fields,
  ) as JiraIssue['fields'];
  return {
    key,
    title: reader.readText('title', summary),
    body: reader.readValue('text', '', () => toJiraIssueText(expectDocument(description, 'it'))),
    status: reader.readText('status', status?.name),
    url: `${web}/browse/${key}`,
    labels: [
      ...reader.readList('label', labels, (label) => expectText(label, 'a label')),
      ...reader.readList(
        'component',
        components,
        ({ name }) => expectText(name ?? '', 'the name of a component') || [],
      ),
    ],
    links: [...links],
    member: isUserOfSite(reporter),
  };
};

/** Throws, with the wrong value, for a comment that svc cannot read. */
export function checkComment({ id, author, body, created }: JiraComment): void {
  expectId(id, 'the id of a comment');
  expectText(author?.displayName ?? author?.name ?? '', 'the name of an author');
  expectDocument(body, 'the body of a comment');
  expectDate(created, 'the date of a comment');
}

export const toJiraComment = ({ id, author, body, created }: JiraComment): IssueComment => ({
  id,
  author: author?.displayName ?? author?.name ?? 'unknown',
  body: toJiraIssueText(body),
  at: toIsoDate(created),
  member: isUserOfSite(author),
});
