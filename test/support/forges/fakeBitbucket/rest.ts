import type { FakeAnswer, FakeRequest } from '../fakeForge/server.ts';
import {
  accountId,
  accountJson,
  createNotFound,
  ok,
  prJson,
  createRefusal,
  repoJson,
  seenState,
  visible,
} from './json.ts';
import { answerPr } from './pulls.ts';
import { matches, paged } from './query.ts';
import type { FakeRepo, FakeState, FakeUser } from './state.ts';

export type BitbucketRequest = FakeRequest<FakeUser> & { user: FakeUser };

/** What a request needs; null = nothing. */
function neededScope({ method, path }: BitbucketRequest): string | null {
  if (path === '/user') return 'read:user';
  if (path.startsWith('/workspaces/'))
    return path.includes('/pullrequests/') ? 'read:pullrequest' : 'read:workspace';
  const isRead = method === 'GET';
  // Readers may write comments.
  if (path.endsWith('/comments')) return 'read:pullrequest';
  if (path.includes('/pullrequests')) return isRead ? 'read:pullrequest' : 'write:pullrequest';
  if (isRead) return 'read:repository';
  return path.endsWith('/src') ? 'write:repository' : 'admin:repository';
}

const isMember = (state: FakeState, workspace: string, login: string): boolean =>
  state.members.get(workspace)?.has(login) === true;

const create = (state: FakeState, { body, web }: BitbucketRequest, slug: string): FakeAnswer => {
  if (state.find(slug))
    return createRefusal(400, 'Repository with this Slug and Owner already exists.');
  const more = {
    private: body.is_private === true,
    description: String(body.description ?? ''),
    empty: true,
  };
  return ok(repoJson(state, web, state.addRepo(slug, more)));
};

const listPrs = (
  state: FakeState,
  request: BitbucketRequest,
  repos: readonly FakeRepo[],
  author: string | null,
): FakeAnswer => {
  const { query, web } = request;
  const states = query.getAll('state');
  const prs = repos
    .flatMap((repo) => visible(state, repo.prs).map((pr) => ({ repo, pr })))
    .filter(({ pr }) => (states.length === 0 ? ['OPEN'] : states).includes(seenState(state, pr)))
    .filter(({ pr }) => author === null || pr.author === author)
    .map(({ repo, pr }) => prJson(state, web, repo, pr))
    .filter((pr) => matches(pr, query.get('q')))
    .toReversed();
  const asksForMore = query.get('fields')?.includes('participants') === true;
  // A list leaves them out unless they are named.
  return paged(
    request,
    prs.map((pr) => (asksForMore ? pr : { ...pr, participants: undefined })),
    50,
  );
};

function answerWorkspace(
  state: FakeState,
  request: BitbucketRequest,
  workspace: string,
  rest: string,
): FakeAnswer {
  const logins = [...(state.members.get(workspace) ?? [])];
  const [, thing, id] = /^\/([a-z]+)(?:\/(.+))?$/.exec(rest) ?? [];
  const uuid = id === undefined ? undefined : decodeURIComponent(id);
  if (!isMember(state, workspace, request.user.login)) return createNotFound('Workspace');
  if (thing === 'members' && uuid === undefined) {
    return paged(
      request,
      logins.map((login) => ({ type: 'workspace_membership', user: accountJson(state, login) })),
    );
  }
  // By UUID or Atlassian account id.
  const login = [...state.users.values()].find(
    (user) => user.uuid === uuid || accountId(user.login) === uuid,
  )?.login;
  if (thing === 'members' && login !== undefined && logins.includes(login))
    return ok({ user: accountJson(state, login) });
  if (thing === 'pullrequests' && login !== undefined) {
    return listPrs(
      state,
      request,
      state.repos.filter((repo) => repo.workspace === workspace),
      login,
    );
  }
  return createNotFound(`${thing} ${uuid}`);
}

function answerRepo(
  state: FakeState,
  request: BitbucketRequest,
  repo: FakeRepo,
  rest: string,
): FakeAnswer {
  const { method, body, web } = request;
  if (method === 'GET' && rest === '') return ok(repoJson(state, web, repo));
  if (method === 'POST' && rest === '/src') {
    const { message, branch, ...files } = body;
    const texts = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, String(text)]),
    );
    state.commit(repo, String(branch), texts, String(message));
    return ok('', 201);
  }
  const hash = /^\/commit\/([0-9a-f]{7,40})$/.exec(rest)?.[1];
  if (method === 'GET' && hash !== undefined) {
    const git = (format: string) =>
      state.git('--git-dir', repo.gitDir, 'log', '-1', `--format=${format}`, hash);
    return ok({ type: 'commit', hash: git('%H'), message: git('%B') });
  }
  const spec = /^\/diff\/(.+)$/.exec(rest)?.[1];
  if (method === 'GET' && spec !== undefined) {
    const [head = '', base = ''] = decodeURIComponent(spec).split('..');
    const text = state.git('--git-dir', repo.gitDir, 'diff', `${base}...${head}`);
    return { status: 200, body: text, headers: { 'content-type': 'text/plain; charset=utf-8' } };
  }
  if (method === 'GET' && rest === '/pullrequests') return listPrs(state, request, [repo], null);
  return answerPr(state, request, repo, rest);
}

export function answerRest(state: FakeState, request: BitbucketRequest): FakeAnswer {
  const { path, user, method } = request;
  // The account of an access token is not one that can be asked after.
  if (path === '/user' && user.kind === 'access-token') {
    return createRefusal(401, 'Token is invalid, expired, or not supported for this endpoint.');
  }
  const scope = `${neededScope(request)}:bitbucket`;
  if (!user.scopes.includes(scope)) {
    const detail = { granted: user.scopes, required: [scope] };
    return createRefusal(403, 'Your credentials lack one or more required privilege scopes.', {
      detail,
    });
  }
  if (path === '/user') return ok(accountJson(state, user.login));
  const [, workspace, below = ''] = /^\/workspaces\/([^/]+)(\/.*)$/.exec(path) ?? [];
  if (workspace !== undefined) return answerWorkspace(state, request, workspace, below);
  const [, owner = '', name = '', rest = ''] =
    /^\/repositories\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (method === 'POST' && rest === '') return create(state, request, `${owner}/${name}`);
  const repo = state.find(`${owner}/${name}`);
  // What a user may not see does not exist for them: Bitbucket does not show the difference.
  if (!repo || (repo.private && !isMember(state, owner, user.login)))
    return createNotFound(`Repository ${owner}/${name}`);
  return answerRepo(state, request, repo, rest);
}
