import type { FakeAnswer } from '../fakeForge/server.ts';
import {
  type ApiRequest,
  ok,
  paged,
  pipelineJson,
  projectJson,
  createRefusal,
  statusJson,
  userJson,
} from './json.ts';
import { DRAFT_ROUTES } from './drafts.ts';
import { report } from './mergeRequests.ts';
import {
  type FoundMergeRequest,
  type Handler,
  MERGE_REQUEST_ROUTES,
} from './mergeRequestRoutes.ts';
import { type FakeProject, OWNER, type FakeState, type FakeUser } from './state.ts';

const pipelines: Handler = (_, request, { project }) => {
  if (project.withoutCi) return createRefusal(403, '403 Forbidden');
  return paged(
    request,
    project.pipelines.toSorted((a, b) => b.updatedAt - a.updatedAt).map(pipelineJson),
  );
};

const statuses: Handler = (_, request, { project, rest: [sha] }) => {
  const pipelineId = project.ignoresPipeline ? null : request.query.get('pipeline_id');
  const chosenPipelines = project.pipelines.filter(
    (one) => one.sha === sha && (pipelineId === null || String(one.id) === pipelineId),
  );
  return paged(
    request,
    chosenPipelines.flatMap((pipeline) =>
      pipeline.statuses.map((status) => statusJson(pipeline, status)),
    ),
  );
};

const compare: Handler = (state, { query }, { project }) => {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  if (state.readCommit(project, from) === '' || state.readCommit(project, to) === '')
    return createRefusal(404, '404 Ref Not Found');
  const commits = Array.from({ length: state.commitsBetween(project, from, to) }, (_, n) => ({
    short_id: String(n),
  }));
  return ok({ commits, compare_same_ref: from === to });
};

const commit: Handler = (state, _, { project, rest: [sha = ''] }) =>
  ok({ id: sha, message: state.git('--git-dir', project.gitDir, 'log', '-1', '--format=%B', sha) });

const member: Handler = (state, _, { project, rest: [id] }) => {
  const user = [...state.users.values()].find((one) => String(one.id) === id);
  const level = project.members.get(user?.login ?? '');
  return user && level !== undefined
    ? ok({ ...userJson(state, user.login), access_level: level })
    : createRefusal(404, '404 Not found');
};

const reportStatus: Handler = (state, { body }, { project }) => {
  report(state, project, String(body.ref), String(body.name), String(body.state));
  return ok({}, 201);
};

const ROUTES: readonly [method: string, path: string, handler: Handler][] = [
  ['GET', '', (_state, { web }, { project }) => ok(projectJson(web, project))],
  ['GET', '/pipelines', pipelines],
  ['GET', '/repository/compare', compare],
  ['GET', '/repository/commits/*', commit],
  ['GET', '/repository/commits/*/statuses', statuses],
  ['POST', '/statuses/*', reportStatus],
  ['GET', '/members/all/*', member],
  ...MERGE_REQUEST_ROUTES,
  ...DRAFT_ROUTES,
];

/** The values of the placeholders of a pattern; null = another path. */
function matching(pattern: string, path: string): { iid: number | null; rest: string[] } | null {
  const [patternParts, pathParts] = [pattern.split('/'), path.split('/')];
  if (patternParts.length !== pathParts.length) return null;
  let iid: number | null = null;
  const rest: string[] = [];
  for (const [n, part] of patternParts.entries()) {
    const value = pathParts[n] ?? '';
    if (part === ':iid' && /^\d+$/.test(value)) iid = Number(value);
    else if (part === '*') rest.push(value);
    else if (part !== value) return null;
  }
  return { iid, rest };
}

const maySee = ({ login }: FakeUser, { visibility, members }: FakeProject): boolean =>
  visibility === 'public' || members.has(login);

export function answerApi(state: FakeState, request: ApiRequest): FakeAnswer {
  const { method, path, user, web, body } = request;
  const needed = method === 'GET' ? ['api', 'read_api'] : ['api'];
  if (!needed.some((scope) => user.scopes.includes(scope))) {
    const description = 'The request requires higher privileges than provided by the access token.';
    return {
      status: 403,
      body: {
        error: 'insufficient_scope',
        error_description: description,
        scope: needed.join(' '),
      },
    };
  }
  if (path === '/user') return ok({ ...userJson(state, user.login), bot: user.bot });
  if (path === '/users') {
    const name = request.query.get('username')?.toLowerCase();
    const users = [...state.users.values()].filter(({ login }) => login.toLowerCase() === name);
    return ok(users.map(({ login }) => userJson(state, login)));
  }
  const [, kind, key = ''] = /^\/(users|namespaces)\/([^/]+)$/.exec(path) ?? [];
  if (kind === 'users') {
    const account = [...state.users.values()].find(({ id }) => String(id) === key);
    return account
      ? ok({ ...userJson(state, account.login), bot: account.bot })
      : createRefusal(404, '404 User Not Found');
  }
  if (kind === 'namespaces') {
    const id = state.groups.get(decodeURIComponent(key));
    return id === undefined
      ? createRefusal(404, '404 Namespace Not Found')
      : ok({ id, full_path: decodeURIComponent(key) });
  }
  if (path === '/projects' && method === 'POST') return createProject(state, web, user, body);
  const [, id = '', rest = ''] = /^\/projects\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const projectKey = decodeURIComponent(id);
  const project = state.projects.find(
    (one) => one.path.toLowerCase() === projectKey.toLowerCase() || String(one.id) === projectKey,
  );
  const moved = state.projects.find(({ formerPaths }) => formerPaths.includes(projectKey));
  if (moved && maySee(user, moved)) {
    if (method !== 'GET')
      return createRefusal(405, 'Non GET methods are not allowed for moved projects');
    const search = request.query.size === 0 ? '' : `?${request.query}`;
    const location = `${web}/api/v4/projects/${moved.id}${rest}${search}`;
    return {
      status: 302,
      body: { message: 'This resource has been moved temporarily' },
      headers: { location },
    };
  }
  // What the token may not see is not there: GitLab does not tell the difference.
  if (!project || !maySee(user, project)) return createRefusal(404, '404 Project Not Found');
  for (const [verb, pattern, handler] of ROUTES) {
    const values = verb === method ? matching(pattern, rest) : null;
    if (!values) continue;
    const mr = project.mrs.find(({ iid }) => iid === values.iid);
    if (values.iid !== null && !mr) return createRefusal(404, '404 Not found');
    return handler(state, request, {
      project,
      mr: mr as FoundMergeRequest['mr'],
      rest: values.rest,
    });
  }
  return { status: 404, body: { error: '404 Not Found' } };
}

function createProject(
  state: FakeState,
  web: string,
  user: FakeUser,
  body: Record<string, unknown>,
): FakeAnswer {
  const group = [...state.groups].find(([, id]) => id === body.namespace_id)?.[0] ?? user.login;
  const path = `${group}/${String(body.path)}`;
  if (state.projects.some((one) => one.path === path)) {
    return createRefusal(400, {
      'project_namespace.name': ['has already been taken'],
      name: ['has already been taken'],
    });
  }
  const visibility = body.visibility === 'public' ? 'public' : 'private';
  const project = state.addProject(path, [user.login], {
    description: String(body.description ?? ''),
    visibility,
  });
  project.members.set(user.login, OWNER);
  return ok(projectJson(web, project), 201);
}
