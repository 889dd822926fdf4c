import { toIsoDate } from '../../../shared/json/untrusted.ts';
import { expectDate, expectId, expectText } from '../../rest/expectedValues.ts';
import { LenientReader } from '../../rest/lenientReader.ts';
import { cutIssueText } from '../../rest/trackerLimits.ts';
import type { Issue, IssueComment } from '../../../contract/forge/tracker.ts';
import { adfToMarkdown } from '../adf/adfToMarkdown.ts';

/**
 * What Jira answers, as far as we look at it. A text is a document in version 3 and plain in
 * version 2.
 */
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
  /** Cloud alone. */
  accountId?: string;
  /** Data Center and Server alone. */
  key?: string;
  name?: string;
  displayName?: string;
  emailAddress?: string;
  /** Cloud alone: `customer` of a service project, `app`, or `atlassian`: one of the site. */
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
  /** Default true: older servers do not say it. */
  hasScreen?: boolean;
  /** Fields of its screen by their id. */
  fields?: unknown;
}

export interface JiraRemoteLink {
  object?: { url?: string };
}

/** What tells accounts apart, in both kinds of Jira. */
export const pickJiraUserId = (user: JiraUser | null | undefined): string =>
  user?.accountId ?? user?.key ?? user?.name ?? '';

/** Whether an answer shows that an account is one of the site's own people; Data Center does not. */
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
  given: JiraIssue,
  links: readonly string[] = [],
  noted = new LenientReader(),
): Issue => {
  const key = expectText(given.key, 'its key');
  const reader = noted.about(key);
  const { summary, description, status, labels, components, reporter } = Object(
    given.fields,
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

/** Throws, with the value that is wrong, for a comment that svc cannot read. */
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
