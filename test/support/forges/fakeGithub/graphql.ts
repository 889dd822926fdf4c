import { answer, parseQuery, UnknownField } from './graphqlText.ts';
import { listChecks, readHead, isMergeable, mergeableState, seenState, visible } from './pulls.ts';
import {
  type FakeCheck,
  type FakeComment,
  type FakePr,
  type FakeRepo,
  type FakeState,
  type FakeThread,
  type FakeUser,
  iso,
} from './state.ts';

const MAX_PAGE = 100;

/** A list in pages; cursors are places in it. */
const connection =
  <T>(nodes: readonly T[]) =>
  ({ first, last, after }: { first?: number; last?: number; after?: string | null } = {}) => {
    const size = first ?? last ?? 0;
    if (size > MAX_PAGE) throw new Error('a page has at most 100');
    const from = after ? Number(after) : last === undefined ? 0 : Math.max(0, nodes.length - last);
    const to = Math.min(nodes.length, from + size);
    return {
      totalCount: nodes.length,
      pageInfo: { hasNextPage: to < nodes.length, endCursor: String(to) },
      // The schema lets every entry of a list be null: one that the token may not see.
      nodes: [...nodes.slice(from, to), null],
    };
  };

const actor = (state: FakeState, login: string | null) =>
  login === null
    ? null
    : { login: login.replace(/\[bot\]$/, ''), __typename: state.getUserType(login) };

const MAX_INT = 2 ** 31 - 1;

const toNumbered = ({ numbers }: FakeState, id: number) => ({
  id: `N_${id}`,
  databaseId: numbers === 'none' || id > MAX_INT ? null : id,
  ...(numbers === 'old' ? {} : { fullDatabaseId: numbers === 'none' ? null : String(id) }),
});

const comment = (state: FakeState, url: string, one: FakeComment) => ({
  __typename: 'IssueComment',
  ...toNumbered(state, one.id),
  body: one.body,
  url: `${url}#c${one.id}`,
  createdAt: iso(one.at),
  authorAssociation: one.association,
  author: actor(state, one.author),
});

const thread = (state: FakeState, url: string, one: FakeThread) => ({
  __typename: 'PullRequestReviewThread',
  id: one.id,
  path: one.path,
  line: one.line,
  diffSide: one.side ?? 'RIGHT',
  isResolved: one.resolved,
  comments: connection(
    visible(state, one.comments).map((each) => ({
      ...comment(state, url, each),
      replyTo: each.replyTo === null ? null : toNumbered(state, each.replyTo),
    })),
  ),
});

const rollup = (checks: readonly FakeCheck[], required: readonly string[]) => {
  if (checks.length === 0) return null;
  const failed = checks.some(({ conclusion }) => conclusion === 'FAILURE');
  const open = checks.some(({ status }) => status !== 'COMPLETED');
  return {
    state: failed ? 'FAILURE' : open ? 'PENDING' : 'SUCCESS',
    contexts: connection(
      checks.map(({ id, name, status, conclusion, at }) => ({
        __typename: 'CheckRun',
        id: `CR_${id}`,
        databaseId: id > MAX_INT ? null : id,
        name,
        status,
        conclusion,
        detailsUrl: `https://ci.test/${id}`,
        completedAt: status === 'COMPLETED' ? iso(at) : null,
        isRequired: (_: { pullRequestNumber: number }) => required.includes(name),
      })),
    ),
  };
};

const pullRequest = (state: FakeState, web: string, repo: FakeRepo, pr: FakePr) => {
  const url = `${web}/${repo.owner}/${repo.name}/pull/${pr.number}`;
  const prState = seenState(state, pr);
  const isOver = prState !== 'OPEN';
  const head = readHead(state, repo, pr);
  const { number, title, body } = pr;
  return {
    number,
    title,
    body,
    url,
    state: prState,
    createdAt: iso(pr.createdAt),
    updatedAt: iso(pr.updatedAt),
    locked: pr.locked === true,
    isCrossRepository: false,
    headRef: state.readCommit(repo, pr.head) === '' ? null : { name: pr.head },
    baseRef: state.readCommit(repo, pr.base) === '' ? null : { name: pr.base },
    headRefName: pr.head,
    baseRefName: pr.base,
    headRefOid: head,
    mergedAt: prState === 'MERGED' ? iso(pr.mergedAt) : null,
    closedAt: isOver ? iso(pr.closedAt) : null,
    get mergeable() {
      return isOver ? 'UNKNOWN' : isMergeable(state, repo, pr) ? 'MERGEABLE' : 'CONFLICTING';
    },
    get mergeStateStatus() {
      return isOver ? 'UNKNOWN' : mergeableState(state, repo, pr).toUpperCase();
    },
    author: actor(state, pr.author),
    mergedBy: prState === 'MERGED' ? actor(state, pr.mergedBy) : null,
    mergeCommit: prState === 'MERGED' ? { oid: pr.mergeCommit } : null,
    comments: connection(visible(state, pr.comments).map((one) => comment(state, url, one))),
    reviews: connection(
      visible(state, pr.reviews).map((one) => ({
        ...comment(state, url, one),
        state: one.state,
        submittedAt: iso(one.at),
        commit: { oid: one.commit },
      })),
    ),
    reviewThreads: connection(pr.threads.map((one) => thread(state, url, one))),
    commits: () => ({
      nodes: [
        {
          commit: {
            oid: head,
            statusCheckRollup: rollup(listChecks(state, repo, pr), repo.requiredChecks),
          },
        },
      ],
    }),
    timelineItems: () => ({
      nodes:
        prState === 'CLOSED'
          ? [
              {
                __typename: 'ClosedEvent',
                createdAt: iso(pr.closedAt),
                actor: actor(state, pr.closedBy),
              },
            ]
          : [],
    }),
  };
};

interface ThreadInput {
  input: { threadId: string };
}

interface Problem {
  /** None of a question that does not fit the schema. */
  type?: string;
  extensions?: object;
  message: string;
  path?: (string | number)[];
}

/** Removes checks that this token may not read from an answer, each with its error. */
function withoutChecks(data: unknown, errors: Problem[]): void {
  const commits = Object(Object(Object(data).repository).pullRequest).commits;
  const contexts = Object(Object(commits).nodes?.[0]?.commit?.statusCheckRollup).contexts;
  const nodes: unknown[] = contexts?.nodes ?? [];
  nodes.forEach((_, index) => {
    const place = [
      'repository',
      'pullRequest',
      'commits',
      'nodes',
      0,
      'commit',
      'statusCheckRollup',
      'contexts',
      'nodes',
      index,
    ];
    errors.push({
      type: 'FORBIDDEN',
      path: place,
      message: 'Resource not accessible by personal access token',
    });
    nodes[index] = null;
  });
}

/** Answers a GraphQL question as GitHub does: missing things are null with error NOT_FOUND. */
export function answerGraphql(
  state: FakeState,
  web: string,
  user: FakeUser,
  { query, variables = {} }: { query: string; variables?: Record<string, unknown> },
): { data?: unknown; errors?: Problem[] } {
  const errors: Problem[] = [];
  const missing = (message: string): null => {
    errors.push({ type: 'NOT_FOUND', message });
    return null;
  };
  const setResolved = (id: string, resolved: boolean) => {
    for (const { prs } of state.repos) {
      for (const pr of prs) {
        const reviewThread = pr.threads.find((one) => one.id === id);
        if (!reviewThread) continue;
        reviewThread.resolved = resolved;
        pr.updatedAt = state.clock.now();
        return {
          __typename: 'ResolveReviewThreadPayload',
          thread: thread(state, '', reviewThread),
        };
      }
    }
    return missing(`Could not resolve to a node with the global id of '${id}'.`);
  };
  const root = {
    __typename: 'Query',
    repository({ owner, name }: { owner: string; name: string }) {
      const slug = `${owner}/${name}`.toLowerCase();
      const repo =
        state.renamed.get(slug) ??
        state.repos.find((one) => `${one.owner}/${one.name}`.toLowerCase() === slug);
      if (!repo)
        return missing(`Could not resolve to a Repository with the name '${owner}/${name}'.`);
      return {
        __typename: 'Repository',
        nameWithOwner: `${repo.owner}/${repo.name}`,
        isArchived: repo.archived === true,
        isLocked: false,
        isDisabled: false,
        pullRequest({ number }: { number: number }) {
          const pr = visible(state, repo.prs).find((one) => one.number === number);
          return pr
            ? pullRequest(state, web, repo, pr)
            : missing(`Could not resolve to a PullRequest with the number of ${number}.`);
        },
      };
    },
    node({ id }: { id: string }) {
      for (const repo of state.repos) {
        for (const pr of repo.prs) {
          const reviewThread = pr.threads.find((one) => one.id === id);
          if (reviewThread)
            return thread(
              state,
              `${web}/${repo.owner}/${repo.name}/pull/${pr.number}`,
              reviewThread,
            );
        }
      }
      return missing(`Could not resolve to a node with the global id of '${id}'.`);
    },
    resolveReviewThread: ({ input }: ThreadInput) => setResolved(input.threadId, true),
    unresolveReviewThread: ({ input }: ThreadInput) => setResolved(input.threadId, false),
  };
  let data: unknown;
  try {
    data = answer(root, parseQuery(query, variables));
  } catch (error) {
    if (!(error instanceof UnknownField)) throw error;
    const { type, field, message } = error;
    const extensions = { code: 'undefinedField', typeName: type, fieldName: field };
    return { errors: [{ path: ['query', field], extensions, message }] };
  }
  if (!user.seesChecks) withoutChecks(data, errors);
  return errors.length > 0 ? { data, errors } : { data };
}
