/** Lists are short, since Linear charges for every node that could come. */
const PAGE = 50;

const ISSUE =
  'identifier title description url archivedAt trashed state { name } creator { id } labels(first: 30) { nodes { name } } attachments(first: 30) { nodes { url } }';
const FOUND = 'identifier title description url state { name } creator { id }';
const COMMENT =
  'id body createdAt user { id displayName } botActor { name } externalUser { displayName }';

export interface LinearIssue {
  identifier: string;
  title: string;
  description: string | null;
  url: string;
  /** ISO 8601; null or left out = it is not archived. One in the trash is archived too. */
  archivedAt?: string | null;
  trashed?: boolean | null;
  state: { name: string };
  /** A user of the workspace; null for someone from outside, or a program. */
  creator: { id: string } | null;
  labels?: { nodes: { name: string }[] };
  attachments?: { nodes: { url: string }[] };
}

export interface LinearComment {
  id: string;
  body: string;
  createdAt: string;
  user: { id: string; displayName: string } | null;
  botActor: { name: string | null } | null;
  externalUser: { displayName: string } | null;
}

export interface PageInfo {
  hasNextPage: boolean;
  endCursor: string | null;
}

export const GET_ISSUE = `query ($id: String!) { issue(id: $id) { ${ISSUE} } }`;

export const GET_COMMENTS = `query ($id: String!, $after: String) {
  issue(id: $id) { comments(first: ${PAGE}, after: $after, orderBy: createdAt) { nodes { ${COMMENT} } pageInfo { hasNextPage endCursor } } }
}`;

export const GET_COMMENT = `query ($id: String!) { comment(id: $id) { ${COMMENT} } }`;

export const GET_STATES = `query ($id: String!) {
  issue(id: $id) { id team { states(first: ${PAGE}) { nodes { id name } } } }
}`;

export const GET_TEAM = `query ($key: String!) { teams(first: 1, filter: { key: { eq: $key } }) { nodes { id } } }`;

/** A filter, since the argument `teamId` would only rank the team's issues higher. */
export const SEARCH = `query ($term: String!, $first: Int!, $filter: IssueFilter) {
  searchIssues(term: $term, first: $first, filter: $filter) { nodes { ${FOUND} } }
}`;

export const LATEST = `query ($first: Int!, $filter: IssueFilter) {
  issues(first: $first, filter: $filter, orderBy: updatedAt) { nodes { ${FOUND} } }
}`;

export const CREATE_COMMENT = `mutation ($input: CommentCreateInput!) {
  commentCreate(input: $input) { success comment { ${COMMENT} } }
}`;

export const SET_STATE = `mutation ($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success issue { ${ISSUE} } }
}`;

export const GET_SELF = 'query { viewer { id email displayName organization { name } } }';
