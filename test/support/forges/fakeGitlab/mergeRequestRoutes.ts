import { findVersion } from './drafts.ts';
import type { FakeAnswer } from '../fakeForge/server.ts';
import {
  type ApiRequest,
  approvalsJson,
  carJson,
  discussionJson,
  mrJson,
  noteJson,
  ok,
  paged,
  createRefusal,
  userJson,
  wholeMrJson,
} from './json.ts';
import {
  readHead,
  mergeMr,
  mergeStatus,
  note,
  openMr,
  recheck,
  seenState,
  systemNote,
  visible,
} from './mergeRequests.ts';
import { DEVELOPER, type FakeMr, type FakeProject, type FakeState } from './state.ts';

export interface FoundMergeRequest {
  project: FakeProject;
  mr: FakeMr;
  rest: string[];
}
export type Handler = (
  state: FakeState,
  request: ApiRequest,
  target: FoundMergeRequest,
) => FakeAnswer;

const list: Handler = (state, request, { project }) => {
  const { query, web } = request;
  const [wantedState, source, target] = ['state', 'source_branch', 'target_branch'].map((name) =>
    query.get(name),
  );
  const iids = query.getAll('iids[]').map(Number);
  const mrs = visible(state, project.mrs).filter(
    (mr) =>
      (wantedState === null || wantedState === 'all' || wantedState === seenState(state, mr)) &&
      (source === null || mr.source === source) &&
      (target === null || mr.target === target) &&
      (iids.length === 0 || iids.includes(mr.iid)),
  );
  if (query.get('with_merge_status_recheck') === 'true')
    for (const mr of mrs) recheck(state, project, mr);
  return paged(
    request,
    mrs.toReversed().map((mr) => mrJson(state, web, project, mr)),
  );
};

const create: Handler = (state, { body, user, web }, { project }) => {
  const [source, target] = [String(body.source_branch), String(body.target_branch)];
  if ((project.members.get(user.login) ?? 0) < DEVELOPER)
    return createRefusal(403, '403 Forbidden');
  const open = project.mrs.find(
    (mr) => mr.state === 'opened' && mr.source === source && mr.target === target,
  );
  if (open)
    return createRefusal(409, [
      `Another open merge request already exists for this source branch: !${open.iid}`,
    ]);
  const newMr = openMr(state, project, {
    source,
    target,
    title: String(body.title),
    description: String(body.description ?? ''),
    author: user.login,
  });
  return ok(wholeMrJson(state, web, project, newMr), 201);
};

const read: Handler = (state, { web }, { project, mr }) => {
  recheck(state, project, mr);
  return ok(wholeMrJson(state, web, project, mr));
};

const change: Handler = (state, { body, user, web }, { project, mr }) => {
  const now = state.clock.now();
  if (body.state_event === 'close')
    Object.assign(mr, { state: 'closed', closedAt: now, closedBy: user.login, updatedAt: now });
  return ok(wholeMrJson(state, web, project, mr));
};

const merge: Handler = (state, { body, user, web }, { project, mr }) => {
  if ((project.members.get(user.login) ?? 0) < project.mergeLevel)
    return createRefusal(401, '401 Unauthorized');
  recheck(state, project, mr);
  const status = mergeStatus(state, project, mr);
  if (status === 'conflict') return createRefusal(422, 'Branch cannot be merged');
  if (status !== 'mergeable') return createRefusal(405, '405 Method Not Allowed');
  const head = readHead(state, project, mr);
  if (body.sha !== undefined && body.sha !== head)
    return createRefusal(409, `SHA does not match HEAD of source branch: ${head}`);
  mergeMr(state, project, mr, user.login, {
    squash: body.squash === true,
    ...(typeof body.merge_commit_message === 'string'
      ? { message: body.merge_commit_message }
      : {}),
    ...(typeof body.squash_commit_message === 'string'
      ? { squashMessage: body.squash_commit_message }
      : {}),
  });
  return ok({
    ...wholeMrJson(state, web, project, mr),
    state: 'merged',
    merged_at: new Date(mr.mergedAt ?? 0).toISOString(),
    merge_commit_sha: mr.mergeCommit,
    squash_commit_sha: mr.squashCommit,
  });
};

const joinTrain: Handler = (state, { body, user }, { project, mr }) => {
  if (!project.mergeTrains) return createRefusal(403, '403 Forbidden');
  if ((project.members.get(user.login) ?? 0) < project.mergeLevel)
    return createRefusal(401, '401 Unauthorized');
  recheck(state, project, mr);
  const head = readHead(state, project, mr);
  if (body.sha !== undefined && body.sha !== head)
    return createRefusal(409, `SHA does not match HEAD of source branch: ${head}`);
  if (mergeStatus(state, project, mr) !== 'mergeable' || mr.car)
    return createRefusal(400, 'Failed to merge');
  mr.car = { by: user.login, at: state.clock.now(), squash: body.squash === true };
  systemNote(state, mr, user.login, 'started a merge train');
  return ok([carJson(state, project, mr)], 201);
};

const readCar: Handler = (state, _, { project, mr }) => {
  if (!project.mergeTrains) return createRefusal(403, '403 Forbidden');
  return mr.car ? ok(carJson(state, project, mr)) : createRefusal(404, '404 Not Found');
};

const approve: Handler = (state, { body, user }, { project, mr }) => {
  const head = readHead(state, project, mr);
  if (body.sha !== undefined && body.sha !== head)
    return createRefusal(409, `SHA does not match HEAD of source branch: ${head}`);
  if (!approvalsJson(state, project, mr, user).user_can_approve)
    return createRefusal(401, '401 Unauthorized');
  mr.approvals.push(user.login);
  if (mr.reviewers.has(user.login)) mr.reviewers.set(user.login, 'approved');
  systemNote(state, mr, user.login, 'approved this merge request');
  return ok(approvalsJson(state, project, mr, user), 201);
};

const reviewers: Handler = (state, request, { mr }) =>
  paged(
    request,
    [...mr.reviewers].map(([login, word]) => ({
      user: userJson(state, login),
      state: word,
      created_at: new Date(mr.createdAt).toISOString(),
    })),
  );

const unapprove: Handler = (state, { user }, { project, mr }) => {
  if (!mr.approvals.includes(user.login)) return createRefusal(404, '404 Not found');
  mr.approvals = mr.approvals.filter((login) => login !== user.login);
  systemNote(state, mr, user.login, 'unapproved this merge request');
  return ok(approvalsJson(state, project, mr, user), 201);
};

/** A reply turns a single note into a thread. */
const answer: Handler = (state, { body, user }, { mr, rest: [thread = ''] }) => {
  const known = mr.discussions.find(({ id }) => id === thread);
  const first = known?.notes[0];
  if (!known || !first) return createRefusal(404, '404 Discussion Not Found');
  if (first.type === null) first.type = 'DiscussionNote';
  const { type, position, resolvable } = first;
  const reply = note(state, mr, user.login, String(body.body), {
    thread,
    type,
    position,
    resolvable,
  });
  return ok(noteJson(state, mr, reply), 201);
};

const notes: Handler = (state, request, { mr }) => {
  const all = visible(
    state,
    mr.discussions.flatMap(({ notes: some }) => some),
  ).toSorted((a, b) => a.id - b.id);
  const ordered = request.query.get('sort') === 'asc' ? all : all.toReversed();
  return paged(
    request,
    ordered.map((one) => noteJson(state, mr, one)),
  );
};

const say: Handler = (state, { body, user }, { mr }) =>
  String(body.body ?? '').trim() === ''
    ? createRefusal(400, { note: ["can't be blank"] })
    : ok(noteJson(state, mr, note(state, mr, user.login, String(body.body))), 201);

const discussions: Handler = (state, request, { mr }) => {
  const shownDiscussions = mr.discussions.filter((one) => visible(state, one.notes).length > 0);
  return paged(
    request,
    shownDiscussions.map((one) => discussionJson(state, mr, one)),
  );
};

const diff: Handler = (state, _, { project, mr }) => ({
  status: 200,
  body: `${state.git('--git-dir', project.gitDir, 'diff', `${mr.target}...${mr.source}`)}\n`,
  headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
});

/** Path below /projects/:id; `*` is any text, the first number that of the merge request. */
export const MERGE_REQUEST_ROUTES: readonly [method: string, path: string, handler: Handler][] = [
  ['GET', '/merge_requests', list],
  ['POST', '/merge_requests', create],
  ['GET', '/merge_requests/:iid', read],
  ['PUT', '/merge_requests/:iid', change],
  ['PUT', '/merge_requests/:iid/merge', merge],
  ['POST', '/merge_trains/merge_requests/:iid', joinTrain],
  ['GET', '/merge_trains/merge_requests/:iid', readCar],
  [
    'GET',
    '/merge_requests/:iid/approvals',
    (state, { user }, { project, mr }) => ok(approvalsJson(state, project, mr, user)),
  ],
  [
    'GET',
    '/merge_requests/:iid/versions',
    (state, request, { project, mr }) =>
      paged(request, [
        {
          id: mr.iid * 10,
          ...findVersion(state, { project, mr }),
          state: 'collected',
          created_at: new Date(
            Math.max(mr.createdAt, state.movedAt(project, mr.source)),
          ).toISOString(),
        },
      ]),
  ],
  ['GET', '/merge_requests/:iid/reviewers', reviewers],
  ['POST', '/merge_requests/:iid/approve', approve],
  ['POST', '/merge_requests/:iid/unapprove', unapprove],
  ['GET', '/merge_requests/:iid/notes', notes],
  ['POST', '/merge_requests/:iid/notes', say],
  ['GET', '/merge_requests/:iid/discussions', discussions],
  ['POST', '/merge_requests/:iid/discussions/*/notes', answer],
  ['GET', '/merge_requests/:iid/raw_diffs', diff],
];
