import { toIsoDate } from '../../../lib/untrusted.ts';
import { cut } from '../../rest/trackerLimits.ts';
import type { Issue, IssueComment } from '../../../contract/tracker.ts';
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
export const userId = (user: JiraUser | null | undefined): string =>
  user?.accountId ?? user?.key ?? user?.name ?? '';

/** Whether an answer shows that an account is one of the site's own people; Data Center does not. */
const isOfSite = (user: JiraUser | null | undefined): boolean => user?.accountType === 'atlassian';

const textOf = (value: unknown): string =>
  cut(typeof value === 'string' ? value : adfToMarkdown(value));

export const issueOf = (
  web: string,
  { key, fields }: JiraIssue,
  links: readonly JiraRemoteLink[] = [],
): Issue => ({
  key,
  title: fields.summary ?? '',
  body: textOf(fields.description),
  status: fields.status?.name ?? '',
  url: `${web}/browse/${key}`,
  labels: [
    ...(fields.labels ?? []),
    ...(fields.components ?? []).flatMap(({ name }) => name ?? []),
  ],
  links: links.flatMap(({ object }) => object?.url ?? []),
  member: isOfSite(fields.reporter),
});

export const commentOf = ({ id, author, body, created }: JiraComment): IssueComment => ({
  id,
  author: author?.displayName ?? author?.name ?? 'unknown',
  body: textOf(body),
  at: toIsoDate(created),
  member: isOfSite(author),
});
