import { commitsBetween, headOf, mergeableState, mergePr, openPr, seenState, visible } from './pulls.ts';
import type { FakeComment, FakePr, FakeRepo, FakeState, FakeUser } from './state.ts';

export interface RestAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface RestRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  user: FakeUser;
  accept: string;
  web: string;
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const ok = (body: unknown, status = 200): RestAnswer => ({ status, body });
const refused = (status: number, message: string, errors?: unknown[]): RestAnswer => ({
  status,
  body: { message, ...(errors ? { errors } : {}), documentation_url: 'https://docs.github.com/rest' },
});
const NOT_FOUND = refused(404, 'Not Found');

const person = (login: string | null) => (login === null ? null : { login });

const commentJson = (url: string, one: FakeComment) => ({
  ...{ id: one.id, body: one.body, user: person(one.author), html_url: `${url}#c${one.id}` },
  ...{ created_at: iso(one.at), updated_at: iso(one.at), author_association: one.association },
});

function prJson(state: FakeState, web: string, repo: FakeRepo, pr: FakePr) {
  const slug = `${repo.owner}/${repo.name}`;
  const seen = seenState(state, pr);
  const isMerged = seen === 'MERGED';
  return {
    ...{ number: pr.number, title: pr.title, body: pr.body, html_url: `${web}/${slug}/pull/${pr.number}` },
    ...{ state: seen === 'OPEN' ? 'open' : 'closed', merged: isMerged, draft: false },
    ...{ created_at: iso(pr.createdAt), updated_at: iso(pr.updatedAt), merged_at: isMerged ? iso(pr.mergedAt) : null },
    merge_commit_sha: isMerged ? pr.mergeCommit : null,
    merged_by: isMerged ? person(pr.mergedBy) : null,
    mergeable_state: seen === 'OPEN' ? mergeableState(state, repo, pr) : 'unknown',
    user: person(pr.author),
    head: { ref: pr.head, sha: headOf(state, repo, pr), label: `${repo.owner}:${pr.head}` },
    base: { ref: pr.base, sha: state.commitOf(repo, pr.base), repo: { full_name: slug } },
  };
}

const repoJson = (web: string, { owner, name, description, private: isPrivate, defaultBranch }: FakeRepo) => ({
  ...{ name, full_name: `${owner}/${name}`, description, private: isPrivate, default_branch: defaultBranch },
  html_url: `${web}/${owner}/${name}`,
});

/** One page of a list, with the Link header that leads to the next. */
function paged(request: RestRequest, list: readonly unknown[]): RestAnswer {
  const size = Math.min(100, Number(request.query.get('per_page') ?? 30));
  const page = Number(request.query.get('page') ?? 1);
  const body = list.slice((page - 1) * size, page * size);
  if (page * size >= list.length) return ok(body);
  const next = new URLSearchParams(request.query);
  next.set('page', String(page + 1));
  return { ...ok(body), headers: { link: `<${request.web}/api/v3${request.path}?${next}>; rel="next"` } };
}

type Handler = (state: FakeState, request: RestRequest, found: { repo: FakeRepo; pr: FakePr }, id: number) => RestAnswer;

const added = (state: FakeState, author: string, body: unknown): FakeComment => {
  const now = state.clock.now();
  return { id: state.id(), author, body: String(body), at: now, visibleAt: now + state.lagMs, association: 'MEMBER' };
};

const since = ({ query }: RestRequest, list: readonly FakeComment[]): FakeComment[] => {
  const from = query.get('since');
  return from === null ? [...list] : list.filter(({ at }) => at >= Date.parse(from));
};

const urlOf = ({ web }: RestRequest, { repo, pr }: { repo: FakeRepo; pr: FakePr }) =>
  `${web}/${repo.owner}/${repo.name}/pull/${pr.number}`;

const createPr: Handler = (state, { body, user, web }, { repo }) => {
  const [head, base] = [String(body.head), String(body.base)];
  const invalid = (message: string) => refused(422, 'Validation Failed', [{ resource: 'PullRequest', code: 'custom', message }]);
  if (state.commitOf(repo, base) === '')
    return refused(422, 'Validation Failed', [{ resource: 'PullRequest', field: 'base', code: 'invalid' }]);
  if (state.commitOf(repo, head) === '')
    return refused(422, 'Validation Failed', [{ resource: 'PullRequest', field: 'head', code: 'invalid' }]);
  if (repo.prs.some((pr) => pr.state === 'OPEN' && pr.head === head && pr.base === base)) {
    return invalid(`A pull request already exists for ${repo.owner}:${head}.`);
  }
  if (commitsBetween(state, repo, base, head) === 0) return invalid(`No commits between ${base} and ${head}`);
  const pr = openPr(state, repo, { head, base, title: String(body.title), body: String(body.body ?? ''), author: user.login });
  return ok(prJson(state, web, repo, pr), 201);
};

const merge: Handler = (state, { body, user }, { repo, pr }) => {
  if (pr.state !== 'OPEN') return refused(405, 'Pull Request is not mergeable');
  const now = mergeableState(state, repo, pr);
  if (now === 'dirty') return refused(405, 'Pull Request is not mergeable');
  if (now === 'blocked') return refused(405, 'At least 1 approving review is required by reviewers with write access.');
  if (body.sha !== undefined && body.sha !== headOf(state, repo, pr))
    return refused(409, 'Head branch was modified. Review and try the merge again.');
  const sha = mergePr(state, repo, pr, user.login, String(body.commit_message ?? ''));
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
};

const review: Handler = (state, request, found) => {
  const { body, user } = request;
  if (body.event === 'APPROVE' && found.pr.author === user.login) {
    return refused(422, 'Unprocessable Entity', ['Can not approve your own pull request']);
  }
  const kind = body.event === 'APPROVE' ? 'APPROVED' : body.event === 'REQUEST_CHANGES' ? 'CHANGES_REQUESTED' : 'COMMENTED';
  const made = {
    ...added(state, user.login, body.body ?? ''),
    state: kind as 'APPROVED',
    commit: headOf(state, found.repo, found.pr),
  };
  found.pr.reviews.push(made);
  found.pr.updatedAt = state.clock.now();
  return ok({ ...commentJson(urlOf(request, found), made), state: kind });
};

const reply: Handler = (state, request, found, id) => {
  const thread = found.pr.threads.find(({ comments }) => comments.some((one) => one.id === id));
  if (!thread) return NOT_FOUND;
  const made = { ...added(state, request.user.login, request.body.body), replyTo: id };
  thread.comments.push(made);
  found.pr.updatedAt = state.clock.now();
  return ok(commentJson(urlOf(request, found), made), 201);
};

/** Path below /repos/:owner/:repo, with `:n` for the pull request and `:id` for something of it. */
const ROUTES: readonly [method: string, path: string, handler: Handler][] = [
  ['GET', '', (_state, { web }, { repo }) => ok(repoJson(web, repo))],
  [
    'GET',
    '/pulls',
    (state, request, { repo }) => {
      const { query, web } = request;
      const wanted = query.get('state') ?? 'open';
      const head = query.get('head')?.split(':')[1];
      const base = query.get('base');
      const found = visible(state, repo.prs).filter(
        (pr) =>
          (wanted === 'all' || seenState(state, pr) === 'OPEN') &&
          (head === undefined || pr.head === head) &&
          (base === null || pr.base === base),
      );
      return paged(
        request,
        found.toReversed().map((pr) => prJson(state, web, repo, pr)),
      );
    },
  ],
  ['POST', '/pulls', createPr],
  [
    'GET',
    '/pulls/:n',
    (state, { web, accept }, { repo, pr }) =>
      accept.includes('diff')
        ? {
            status: 200,
            body: state.git('--git-dir', repo.gitDir, 'diff', `${pr.base}...${pr.head}`),
            headers: { 'content-type': 'application/vnd.github.v3.diff; charset=utf-8' },
          }
        : ok(prJson(state, web, repo, pr)),
  ],
  ['PUT', '/pulls/:n/merge', merge],
  [
    'GET',
    '/pulls/:n/reviews',
    (state, request, found) =>
      paged(
        request,
        visible(state, found.pr.reviews).map((one) => ({
          ...commentJson(urlOf(request, found), one),
          state: one.state,
          commit_id: one.commit,
        })),
      ),
  ],
  [
    'GET',
    '/pulls/:n/reviews/:id',
    (_state, request, found, id) => {
      const one = found.pr.reviews.find((each) => each.id === id);
      return one ? ok(commentJson(urlOf(request, found), one)) : NOT_FOUND;
    },
  ],
  ['POST', '/pulls/:n/reviews', review],
  [
    'GET',
    '/pulls/:n/comments',
    (state, request, found) =>
      paged(
        request,
        since(
          request,
          visible(
            state,
            found.pr.threads.flatMap(({ comments }) => comments),
          ),
        ).map((one) => commentJson(urlOf(request, found), one)),
      ),
  ],
  ['POST', '/pulls/:n/comments/:id/replies', reply],
  [
    'GET',
    '/issues/:n/comments',
    (state, request, found) =>
      paged(
        request,
        since(request, visible(state, found.pr.comments)).map((one) => commentJson(urlOf(request, found), one)),
      ),
  ],
  [
    'POST',
    '/issues/:n/comments',
    (state, request, found) => {
      const made = added(state, request.user.login, request.body.body);
      found.pr.comments.push(made);
      found.pr.updatedAt = state.clock.now();
      return ok(commentJson(urlOf(request, found), made), 201);
    },
  ],
  [
    'GET',
    '/issues/comments/:id',
    (_state, request, { repo }, id) => {
      for (const pr of repo.prs) {
        const one = pr.comments.find((each) => each.id === id);
        if (one) return ok(commentJson(urlOf(request, { repo, pr }), one));
      }
      return NOT_FOUND;
    },
  ],
  [
    'GET',
    '/commits/:sha',
    (state, { path }, { repo }) => {
      const sha = path.split('/').at(-1) ?? '';
      return ok({ sha, commit: { message: state.git('--git-dir', repo.gitDir, 'log', '-1', '--format=%B', sha) } });
    },
  ],
];

const matching = (pattern: string, path: string): Record<string, string> | null => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const found: Record<string, string> = {};
  for (const [n, part] of wanted.entries()) {
    const value = given[n] ?? '';
    if (part.startsWith(':') && (part === ':sha' || /^\d+$/.test(value))) found[part] = value;
    else if (part !== value) return null;
  }
  return found;
};

const mayWrite = ({ scopes }: FakeUser, { private: isPrivate }: { private: boolean }): boolean =>
  scopes.includes('repo') || (!isPrivate && scopes.includes('public_repo'));

/** Answers a request of the REST API. */
export function answerRest(state: FakeState, request: RestRequest): RestAnswer {
  const { method, path, user, web, body } = request;
  if (path === '/user') return ok({ login: user.login });
  const creation = method === 'POST' ? /^\/(?:user|orgs\/([^/]+))\/repos$/.exec(path) : null;
  if (creation) {
    const owner = creation[1] ?? user.login;
    if (!mayWrite(user, { private: body.private === true }))
      return { ...refused(403, 'Must have the scope'), headers: { 'x-accepted-oauth-scopes': 'public_repo, repo' } };
    if (state.repos.some((one) => one.owner === owner && one.name === body.name)) {
      return refused(422, 'Repository creation failed.', [
        { resource: 'Repository', code: 'custom', field: 'name', message: 'name already exists on this account' },
      ]);
    }
    const repo = state.addRepo(`${owner}/${String(body.name)}`, {
      private: body.private === true,
      description: String(body.description ?? ''),
    });
    return ok(repoJson(web, repo), 201);
  }
  const [, owner, name, rest = ''] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const repo = state.repos.find((one) => `${one.owner}/${one.name}`.toLowerCase() === `${owner}/${name}`.toLowerCase());
  // What the token may not see is not there: GitHub does not tell the difference.
  if (!repo || (repo.private && !mayWrite(user, repo))) return NOT_FOUND;
  for (const [verb, pattern, handler] of ROUTES) {
    const found = verb === method ? matching(pattern, rest) : null;
    if (!found) continue;
    const pr =
      found[':n'] === undefined ? undefined : repo.prs.find(({ number }) => number === Number(found[':n']));
    if (found[':n'] !== undefined && !pr) return NOT_FOUND;
    if (method !== 'GET' && !mayWrite(user, repo)) {
      return {
        ...refused(403, 'Resource not accessible by personal access token'),
        headers: { 'x-accepted-oauth-scopes': 'repo', 'x-oauth-scopes': user.scopes.join(', ') },
      };
    }
    return handler(state, request, { repo, pr: pr as FakePr }, Number(found[':id'] ?? 0));
  }
  return NOT_FOUND;
}
