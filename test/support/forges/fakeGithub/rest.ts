import { createReview, createReviewComment } from './reviews.ts';
import {
  readHead,
  mergeableState,
  mergePr,
  openPr,
  seenState,
  setPullRef,
  visible,
} from './pulls.ts';
import type { FakeAnswer } from '../fakeForge/server.ts';
import type { FakeComment, FakePr, FakeRepo, FakeState, FakeUser } from './state.ts';
import {
  commentJson,
  mergeSettings,
  NOT_FOUND,
  ok,
  paged,
  prJson,
  type RestRequest,
  createRefusal,
  repoJson,
} from './restJson.ts';

const MOST_DIFF_LINES = 20_000;
const tooLargeDiff: FakeAnswer = {
  status: 406,
  body: {
    message: 'Sorry, the diff exceeded the maximum number of lines (20000)',
    errors: [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }],
    status: '406',
  },
};

type Handler = (
  state: FakeState,
  request: RestRequest,
  target: { repo: FakeRepo; pr: FakePr },
  id: number,
) => FakeAnswer;

const createComment = (state: FakeState, author: string, body: unknown): FakeComment => {
  const now = state.clock.now();
  return {
    id: state.id(),
    author,
    body: String(body),
    at: now,
    visibleAt: now + state.lagMs,
    association: 'MEMBER',
  };
};

const since = ({ query }: RestRequest, list: readonly FakeComment[]): FakeComment[] => {
  const from = query.get('since');
  return from === null ? [...list] : list.filter(({ at }) => at >= Date.parse(from));
};

const toPrUrl = ({ web }: RestRequest, { repo, pr }: { repo: FakeRepo; pr: FakePr }) =>
  `${web}/${repo.owner}/${repo.name}/pull/${pr.number}`;

const createPr: Handler = (state, { body, user, web }, { repo }) => {
  const [head, base] = [String(body.head), String(body.base)];
  const invalid = (message: string) =>
    createRefusal(422, 'Validation Failed', [{ resource: 'PullRequest', code: 'custom', message }]);
  if (state.readCommit(repo, base) === '')
    return createRefusal(422, 'Validation Failed', [
      { resource: 'PullRequest', field: 'base', code: 'invalid' },
    ]);
  if (state.readCommit(repo, head) === '')
    return createRefusal(422, 'Validation Failed', [
      { resource: 'PullRequest', field: 'head', code: 'invalid' },
    ]);
  if (repo.prs.some((pr) => pr.state === 'OPEN' && pr.head === head && pr.base === base)) {
    return invalid(`A pull request already exists for ${repo.owner}:${head}.`);
  }
  if (state.commitsBetween(repo, base, head) === 0)
    return invalid(`No commits between ${base} and ${head}`);
  const pr = openPr(state, repo, {
    head,
    base,
    title: String(body.title),
    body: String(body.body ?? ''),
    author: user.login,
  });
  return ok(prJson(state, web, repo, pr), 201);
};

const METHODS: Readonly<Record<string, string>> = {
  merge: 'Merge commits',
  squash: 'Squash merges',
  rebase: 'Rebase merges',
};

const merge: Handler = (state, { body, user }, { repo, pr }) => {
  if (pr.state !== 'OPEN') return createRefusal(405, 'Pull Request is not mergeable');
  const now = mergeableState(state, repo, pr);
  if (now === 'dirty') return createRefusal(405, 'Pull Request is not mergeable');
  const method = body.merge_method ?? 'merge';
  const name = METHODS[String(method)];
  if (name === undefined)
    return createRefusal(422, 'Validation Failed', [
      { resource: 'PullRequest', field: 'merge_method', code: 'invalid' },
    ]);
  if (!repo.mergeMethods.some((one) => one === method))
    return createRefusal(405, `${name} are not allowed on this repository.`);
  if (repo.mergeQueue)
    return createRefusal(
      405,
      'Repository rule violations found\n\nChanges must be made through the merge queue\n\n',
    );
  if (now === 'blocked')
    return createRefusal(
      405,
      'At least 1 approving review is required by reviewers with write access.',
    );
  if (body.sha !== undefined && body.sha !== readHead(state, repo, pr))
    return createRefusal(409, 'Head branch was modified. Review and try the merge again.');
  const sha = mergePr(state, repo, pr, user.login, String(body.commit_message ?? ''));
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
};

const review: Handler = (state, request, target) =>
  createReview(state, request, toPrUrl(request, target), target);

const commentOnCode: Handler = (state, request, target) =>
  createReviewComment(state, request, toPrUrl(request, target), target);

const reply: Handler = (state, request, target, id) => {
  const thread = target.pr.threads.find(({ comments }) => comments.some((one) => one.id === id));
  if (!thread) return NOT_FOUND;
  const comment = { ...createComment(state, request.user.login, request.body.body), replyTo: id };
  thread.comments.push(comment);
  target.pr.updatedAt = state.clock.now();
  return ok(commentJson(toPrUrl(request, target), comment), 201);
};

/** GitHub's older words for roles: `permission` knows four. */
const PERMISSIONS = {
  read: 'read',
  triage: 'read',
  write: 'write',
  maintain: 'write',
  admin: 'admin',
} as const;

/** Everybody may read a public repository, which GitHub reports of every account that exists. */
const permission: Handler = (state, { path, user }, { repo }) => {
  const login = decodeURIComponent(path.split('/').at(-2) ?? '');
  if (!mayWrite(user, repo))
    return createRefusal(403, 'Must have push access to view collaborator permission.');
  const known = [...state.users.values()].find((one) => one.login === login);
  if (!known && !repo.roles.has(login)) return createRefusal(404, `${login} is not a user`);
  const role = repo.roles.get(login) ?? (repo.private ? undefined : 'read');
  return ok({
    permission: role ? PERMISSIONS[role] : 'none',
    role_name: role ?? '',
    user: { login },
  });
};

/** Path below /repos/:owner/:repo, with `:n` for the pull request and `:id` for something of it. */
const ROUTES: readonly [method: string, path: string, handler: Handler][] = [
  [
    'GET',
    '',
    (_state, { web, user }, { repo }) =>
      ok({ ...repoJson(web, repo), ...(mayWrite(user, repo) ? mergeSettings(repo) : {}) }),
  ],
  [
    'GET',
    '/pulls',
    (state, request, { repo }) => {
      const { query, web } = request;
      const wantedState = query.get('state') ?? 'open';
      const head = query.get('head')?.split(':')[1];
      const base = query.get('base');
      const prs = visible(state, repo.prs).filter(
        (pr) =>
          (wantedState === 'all' || seenState(state, pr) === 'OPEN') &&
          (head === undefined || pr.head === head) &&
          (base === null || pr.base === base),
      );
      return paged(
        request,
        prs.toReversed().map((pr) => prJson(state, web, repo, pr)),
      );
    },
  ],
  ['POST', '/pulls', createPr],
  [
    'GET',
    '/pulls/:n',
    (state, { web, accept }, { repo, pr }) => {
      setPullRef(state, repo, pr);
      if (!accept.includes('diff')) return ok(prJson(state, web, repo, pr));
      const body = state.git('--git-dir', repo.gitDir, 'diff', `${pr.base}...${pr.head}`);
      if (body.split('\n').length > MOST_DIFF_LINES) return tooLargeDiff;
      const type = 'application/vnd.github.v3.diff; charset=utf-8';
      return { status: 200, body, headers: { 'content-type': type } };
    },
  ],
  ['PUT', '/pulls/:n/merge', merge],
  [
    'GET',
    '/pulls/:n/reviews',
    (state, request, target) =>
      paged(
        request,
        visible(state, target.pr.reviews).map((one) => ({
          ...commentJson(toPrUrl(request, target), one),
          state: one.state,
          commit_id: one.commit,
        })),
      ),
  ],
  [
    'GET',
    '/pulls/:n/reviews/:id',
    (_state, request, target, id) => {
      const one = target.pr.reviews.find((each) => each.id === id);
      return one ? ok(commentJson(toPrUrl(request, target), one)) : NOT_FOUND;
    },
  ],
  ['POST', '/pulls/:n/reviews', review],
  [
    'GET',
    '/pulls/:n/comments',
    (state, request, target) =>
      paged(
        request,
        since(
          request,
          visible(
            state,
            target.pr.threads.flatMap(({ comments }) => comments),
          ),
        ).map((one) => commentJson(toPrUrl(request, target), one)),
      ),
  ],
  ['POST', '/pulls/:n/comments', commentOnCode],
  ['POST', '/pulls/:n/comments/:id/replies', reply],
  [
    'GET',
    '/issues/:n/comments',
    (state, request, target) =>
      paged(
        request,
        since(request, visible(state, target.pr.comments)).map((one) =>
          commentJson(toPrUrl(request, target), one),
        ),
      ),
  ],
  [
    'POST',
    '/issues/:n/comments',
    (state, request, target) => {
      const comment = createComment(state, request.user.login, request.body.body);
      target.pr.comments.push(comment);
      target.pr.updatedAt = state.clock.now();
      return ok(commentJson(toPrUrl(request, target), comment), 201);
    },
  ],
  [
    'GET',
    '/issues/comments/:id',
    (_state, request, { repo }, id) => {
      for (const pr of repo.prs) {
        const one = pr.comments.find((each) => each.id === id);
        if (one) return ok(commentJson(toPrUrl(request, { repo, pr }), one));
      }
      return NOT_FOUND;
    },
  ],
  ['GET', '/collaborators/:name/permission', permission],
  [
    'GET',
    '/commits/:sha',
    (state, { path }, { repo }) => {
      const sha = path.split('/').at(-1) ?? '';
      return ok({
        sha,
        commit: { message: state.git('--git-dir', repo.gitDir, 'log', '-1', '--format=%B', sha) },
      });
    },
  ],
];

/** Parts of a path that are no numbers. */
const WORDS = new Set([':sha', ':name']);

const matching = (pattern: string, path: string): Record<string, string> | null => {
  const [patternParts, pathParts] = [pattern.split('/'), path.split('/')];
  if (patternParts.length !== pathParts.length) return null;
  const values: Record<string, string> = {};
  for (const [n, part] of patternParts.entries()) {
    const value = pathParts[n] ?? '';
    if (part.startsWith(':') && (WORDS.has(part) || /^\d+$/.test(value))) values[part] = value;
    else if (part !== value) return null;
  }
  return values;
};

const mayWrite = (
  { scopes, installedFor }: FakeUser,
  { private: isPrivate, owner }: { private: boolean; owner: string },
): boolean =>
  (installedFor === undefined || installedFor === owner) &&
  (scopes.includes('repo') || (!isPrivate && scopes.includes('public_repo')));
const NOT_FOR_APPS = createRefusal(403, 'Resource not accessible by integration');

export function answerRest(state: FakeState, request: RestRequest): FakeAnswer {
  const { method, path, user, web, body } = request;
  if (path === '/user' || (method === 'POST' && path === '/user/repos')) {
    if (user.installedFor !== undefined) return NOT_FOR_APPS;
    if (method === 'GET') return ok({ login: user.login });
  }
  const creation = method === 'POST' ? /^\/(?:user|orgs\/([^/]+))\/repos$/.exec(path) : null;
  if (creation) {
    const owner = creation[1] ?? user.login;
    if (!mayWrite(user, { private: body.private === true, owner }))
      return {
        ...createRefusal(403, 'Must have the scope'),
        headers: { 'x-accepted-oauth-scopes': 'public_repo, repo' },
      };
    if (state.repos.some((one) => one.owner === owner && one.name === body.name)) {
      return createRefusal(422, 'Repository creation failed.', [
        {
          resource: 'Repository',
          code: 'custom',
          field: 'name',
          message: 'name already exists on this account',
        },
      ]);
    }
    const repo = state.addRepo(`${owner}/${String(body.name)}`, {
      private: body.private === true,
      description: String(body.description ?? ''),
    });
    return ok(repoJson(web, repo), 201);
  }
  const [, id, below = ''] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? [];
  const byId = id === undefined ? undefined : state.repos[Number(id) - 1];
  const [, owner, name, rest = below] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const repo =
    byId ??
    state.repos.find(
      (one) => `${one.owner}/${one.name}`.toLowerCase() === `${owner}/${name}`.toLowerCase(),
    );
  // What the token may not see is not there: GitHub does not tell the difference.
  if (!repo || (repo.private && !mayWrite(user, repo))) return NOT_FOUND;
  for (const [verb, pattern, handler] of ROUTES) {
    const values = verb === method ? matching(pattern, rest) : null;
    if (!values) continue;
    const pr =
      values[':n'] === undefined
        ? undefined
        : repo.prs.find(({ number }) => number === Number(values[':n']));
    if (values[':n'] !== undefined && !pr) return NOT_FOUND;
    if (method !== 'GET' && !mayWrite(user, repo)) {
      return {
        ...createRefusal(
          403,
          `Resource not accessible by ${user.installedFor === undefined ? 'personal access token' : 'integration'}`,
        ),
        headers: { 'x-accepted-oauth-scopes': 'repo', 'x-oauth-scopes': user.scopes.join(', ') },
      };
    }
    return handler(state, request, { repo, pr: pr as FakePr }, Number(values[':id'] ?? 0));
  }
  return NOT_FOUND;
}
