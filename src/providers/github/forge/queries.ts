const PAGE = 100;
const ACTOR = 'author { login __typename }';
const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';

export interface Actor {
  login: string;
  /** `User`, `Bot`, `Mannequin`, `Organization`, `EnterpriseUserAccount`. */
  __typename: string;
}

export interface Page<Node> {
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: Node[];
}

/**
 * The number of a comment. `fullDatabaseId` is a text, for numbers of more than 32 bits; older
 * servers have `databaseId`.
 */
export type NumberField = 'fullDatabaseId' | 'databaseId';

/** The schema lets every member but `id` be null. */
export interface NumberedComment {
  /** GitHub's global id, which the REST API does not take. */
  id: string;
  fullDatabaseId?: string | number | null;
  databaseId?: number | null;
}

export interface CommentNode extends NumberedComment {
  body: string;
  url: string;
  createdAt: string;
  authorAssociation: string;
  /** null: the account is gone. */
  author: Actor | null;
}

export interface ReviewNode extends Omit<CommentNode, 'createdAt'> {
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING';
  /** null while it is being written. */
  submittedAt: string | null;
  /** The reviewed commit. */
  commit: { oid: string } | null;
}

export interface ThreadCommentNode extends CommentNode {
  replyTo: NumberedComment | null;
}

export interface ThreadNode {
  id: string;
  path: string;
  line: number | null;
  diffSide: 'LEFT' | 'RIGHT';
  isResolved: boolean;
  comments: Page<ThreadCommentNode>;
}

export type CheckNode =
  | {
      __typename: 'CheckRun';
      id: string;
      databaseId: number | null;
      name: string;
      status: string;
      conclusion: string | null;
      detailsUrl: string | null;
      completedAt: string | null;
      isRequired: boolean;
    }
  | {
      __typename: 'StatusContext';
      context: string;
      state: string;
      targetUrl: string | null;
      createdAt: string;
      isRequired: boolean;
    };

export interface Rollup {
  state: string;
  contexts: Page<CheckNode>;
}

export interface PrNode {
  number: number;
  title: string;
  body: string;
  url: string;
  state: 'OPEN' | 'CLOSED' | 'MERGED';
  createdAt: string;
  mergedAt: string | null;
  closedAt: string | null;
  headRefName: string;
  baseRefName: string;
  headRefOid: string;
  mergeable: 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN';
  /** `mergeable_state` of the REST API, in capitals. */
  mergeStateStatus: string;
  author: Actor | null;
  mergedBy: Actor | null;
  mergeCommit: { oid: string } | null;
  comments: Page<CommentNode>;
  reviews: Page<ReviewNode>;
  reviewThreads: Page<ThreadNode>;
  commits: { nodes: { commit: { oid: string; statusCheckRollup: Rollup | null } }[] };
  timelineItems: { nodes: { createdAt: string; actor: Actor | null }[] };
  /** Only people with write access can comment then. */
  locked?: boolean;
  isCrossRepository?: boolean;
  /** null: the branch is gone, or in a repository that the token may not see. */
  headRef?: { name: string } | null;
  baseRef?: { name: string } | null;
}

export interface RepositoryState {
  isArchived?: boolean;
  isLocked?: boolean;
  isDisabled?: boolean;
}

export interface PrAnswer {
  repository:
    | (RepositoryState & {
        nameWithOwner: string;
        /** Its members are checked when they are read. */
        pullRequest: (Omit<PrNode, ListName> & Partial<Record<ListName, unknown>>) | null;
      })
    | null;
}

const buildCommentFields = (number: NumberField): string =>
  `id ${number} body url createdAt authorAssociation ${ACTOR}`;
const buildThreadCommentFields = (number: NumberField): string =>
  `${PAGE_INFO} nodes { ${buildCommentFields(number)} replyTo { id ${number} } }`;

/** The lists of a pull request; GitHub may fail to answer any of them. */
export const LISTS = ['comments', 'reviews', 'reviewThreads', 'commits'] as const;
export type ListName = (typeof LISTS)[number];

const listFields = (number: NumberField): Readonly<Record<ListName, string>> => ({
  comments: `comments(first: ${PAGE}, after: $comments) { ${PAGE_INFO} nodes { ${buildCommentFields(number)} } }`,
  reviews: `reviews(first: ${PAGE}, after: $reviews) { ${PAGE_INFO} nodes { id ${number} state body url submittedAt authorAssociation ${ACTOR} commit { oid } } }`,
  reviewThreads: `reviewThreads(first: ${PAGE}, after: $threads) { ${PAGE_INFO} nodes { id path line diffSide isResolved comments(first: ${PAGE}) { ${buildThreadCommentFields(number)} } } }`,
  commits: `commits(last: 1) { nodes { commit { oid statusCheckRollup { state contexts(first: ${PAGE}, after: $checks) { ${PAGE_INFO} nodes { __typename
        ... on CheckRun { id databaseId name status conclusion detailsUrl completedAt isRequired(pullRequestNumber: $number) }
        ... on StatusContext { context state targetUrl createdAt isRequired(pullRequestNumber: $number) }
      } } } } } }`,
});
/** GraphQL refuses a variable that no list uses. */
const CURSORS: Readonly<Record<ListName, string>> = {
  comments: ', $comments: String',
  reviews: ', $reviews: String',
  reviewThreads: ', $threads: String',
  commits: ', $checks: String',
};

/**
 * Queries a pull request with these lists. All lists together are everything that was said about
 * it, and its check results.
 */
export const buildPullRequestQuery =
  (lists: readonly ListName[]) =>
  (number: NumberField): string =>
    `query ($owner: String!, $repo: String!, $number: Int!${lists.map((one) => CURSORS[one]).join('')}) {
  repository(owner: $owner, name: $repo) {
    nameWithOwner isArchived isLocked isDisabled
    pullRequest(number: $number) {
      number title body url state createdAt mergedAt closedAt headRefName baseRefName headRefOid mergeable mergeStateStatus
      locked isCrossRepository headRef { name } baseRef { name }
      ${ACTOR} mergedBy { login __typename } mergeCommit { oid }
      ${lists.map((one) => listFields(number)[one]).join('\n      ')}
      timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { createdAt actor { login __typename } } } }
    }
  }
}`;

export const buildThreadQuery = (number: NumberField): string => `query ($id: ID!, $after: String) {
  node(id: $id) { ... on PullRequestReviewThread { comments(first: ${PAGE}, after: $after) { ${buildThreadCommentFields(number)} } } }
}`;

export interface ThreadAnswer {
  node: { comments: Page<ThreadCommentNode> } | null;
}

/** Fields of which one changes whenever anything happens to a pull request; compared as text. */
const TRACES = `updatedAt state locked headRefOid mergeable headRef { name } baseRef { name } comments { totalCount } reviews { totalCount } reviewThreads { totalCount }
  commits(last: 1) { nodes { commit { statusCheckRollup { state } } } }`;

/** Most pull requests in one question. */
export const TRACED_AT_ONCE = 100;

/** Asks for the traces of many pull requests: member `p<n>` of the answer belongs to the nth. */
export function buildTracesQuery(count: number): string {
  const each = Array.from({ length: count }, (_, n) => n);
  const variables = each.map((n) => `$o${n}: String!, $r${n}: String!, $n${n}: Int!`).join(', ');
  const fields = each.map(
    (n) =>
      `p${n}: repository(owner: $o${n}, name: $r${n}) { isArchived isLocked isDisabled pullRequest(number: $n${n}) { ${TRACES} } }`,
  );
  return `query (${variables}) {\n${fields.join('\n')}\n}`;
}

const buildResolveQuery = (mutation: string): string =>
  `mutation ($id: ID!) { thread: ${mutation}(input: { threadId: $id }) { thread { id isResolved } } }`;
export const resolveThreadQuery = buildResolveQuery('resolveReviewThread');
export const unresolveThreadQuery = buildResolveQuery('unresolveReviewThread');
