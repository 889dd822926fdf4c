import type { FakeAnswer, FakeRequest } from '../fakeForge/server.ts';
import { readHead, headPipeline, mergeStatus, pipelineStatus, seenState } from './mergeRequests.ts';
import {
  DEVELOPER,
  type FakeDiscussion,
  type FakeMr,
  type FakeNote,
  type FakePipeline,
  type FakeProject,
  type FakeState,
  type FakeStatus,
  type FakeUser,
} from './state.ts';

export type ApiRequest = FakeRequest<FakeUser> & { user: FakeUser };

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
export const ok = (body: unknown, status = 200): FakeAnswer => ({ status, body });
export const createRefusal = (status: number, message: unknown): FakeAnswer => ({
  status,
  body: { message },
});

export const userJson = (state: FakeState, login: string | null) => {
  if (login === null) return null;
  const user = state.user(login);
  return {
    id: user?.id ?? 1,
    username: login,
    name: login,
    state: 'active',
    web_url: `https://gitlab.test/${login}`,
  };
};

export const pipelineJson = (pipeline: FakePipeline) => {
  const { id, sha, ref, updatedAt } = pipeline;
  return {
    id,
    sha,
    ref,
    status: pipelineStatus(pipeline),
    updated_at: iso(updatedAt),
    source: 'external',
  };
};

export const statusJson = (
  pipeline: FakePipeline,
  { id, name, status, allowFailure, at }: FakeStatus,
) => ({
  id,
  name,
  status,
  sha: pipeline.sha,
  ref: pipeline.ref,
  pipeline_id: pipeline.id,
  allow_failure: allowFailure,
  target_url: `https://ci.test/${id}`,
  created_at: iso(at),
  started_at: iso(at),
  finished_at: status === 'running' || status === 'pending' ? null : iso(at),
});

export const noteJson = (state: FakeState, mr: FakeMr, note: FakeNote) => ({
  id: note.id,
  type: note.type,
  body: note.body,
  author: userJson(state, note.author),
  system: note.system,
  created_at: iso(note.at),
  updated_at: iso(note.at),
  noteable_type: 'MergeRequest',
  noteable_iid: mr.iid,
  resolvable: note.resolvable,
  internal: false,
  ...(note.resolvable ? { resolved: note.resolved } : {}),
  ...(note.position === null ? {} : { position: { position_type: 'text', ...note.position } }),
});

export const discussionJson = (state: FakeState, mr: FakeMr, { id, notes }: FakeDiscussion) => ({
  id,
  individual_note: notes.every(({ type }) => type === null),
  notes: notes
    .filter(({ visibleAt }) => visibleAt <= state.clock.now())
    .map((note) => noteJson(state, mr, note)),
});

export function mrJson(state: FakeState, web: string, project: FakeProject, mr: FakeMr) {
  const mrState = seenState(state, mr);
  const isMerged = mrState === 'merged';
  const status = mergeStatus(state, project, mr);
  return {
    id: project.id * 1000 + mr.iid,
    iid: mr.iid,
    project_id: project.id,
    title: mr.title,
    description: mr.description,
    state: mrState,
    created_at: iso(mr.createdAt),
    updated_at: iso(mr.updatedAt),
    draft: mr.draft,
    merged_at: isMerged ? iso(mr.mergedAt) : null,
    merge_user: isMerged ? userJson(state, mr.mergedBy) : null,
    closed_at: iso(mr.closedAt),
    closed_by: userJson(state, mr.closedBy),
    author: userJson(state, mr.author),
    source_branch: mr.source,
    target_branch: mr.target,
    sha: readHead(state, project, mr) || null,
    merge_commit_sha: isMerged ? mr.mergeCommit : null,
    squash_commit_sha: isMerged ? mr.squashCommit : null,
    // What is not known yet is shown as it was before: GitLab itself says that it must not be
    // trusted then.
    has_conflicts: mr.conflicts,
    detailed_merge_status: mrState === 'opened' && mr.state === 'merged' ? 'mergeable' : status,
    user_notes_count: mr.discussions.flatMap(({ notes }) => notes).filter(({ system }) => !system)
      .length,
    web_url: `${web}/${project.path}/-/merge_requests/${mr.iid}`,
    references: { short: `!${mr.iid}`, relative: `!${mr.iid}`, full: `${project.path}!${mr.iid}` },
  };
}

/** What GitLab compares; it has the newest commit of each merge request under a ref of its own. */
function diffRefs(state: FakeState, project: FakeProject, mr: FakeMr) {
  const head = readHead(state, project, mr);
  const start = state.readCommit(project, mr.target);
  if (head === '' || start === '') return null;
  const git = (...args: string[]) => state.git('--git-dir', project.gitDir, ...args);
  git('update-ref', `refs/merge-requests/${mr.iid}/head`, head);
  const base = git('merge-base', start, head).trim();
  return { base_sha: base, head_sha: head, start_sha: start };
}

export function wholeMrJson(state: FakeState, web: string, project: FakeProject, mr: FakeMr) {
  const pipeline = headPipeline(state, project, mr);
  return {
    ...mrJson(state, web, project, mr),
    diff_refs: diffRefs(state, project, mr),
    merge_error: null,
    head_pipeline: pipeline ? pipelineJson(pipeline) : null,
  };
}

export const approvalsJson = (
  state: FakeState,
  project: FakeProject,
  mr: FakeMr,
  { login }: FakeUser,
) => {
  const hasApproved = mr.approvals.includes(login);
  const may = (project.members.get(login) ?? 0) >= DEVELOPER && login !== mr.author;
  return {
    user_has_approved: hasApproved,
    user_can_approve: may && !hasApproved,
    approved: mr.approvals.length > 0,
    approved_by: mr.approvals.map((one) => ({ user: userJson(state, one) })),
  };
};

export const carJson = (state: FakeState, project: FakeProject, mr: FakeMr) => ({
  id: mr.iid * 10,
  merge_request: { id: project.id * 1000 + mr.iid, iid: mr.iid, project_id: project.id },
  user: userJson(state, mr.car?.by ?? null),
  target_branch: mr.target,
  status: mr.state === 'merged' ? 'merged' : 'idle',
  created_at: iso(mr.car?.at ?? null),
  merged_at: iso(mr.mergedAt),
});

export const projectJson = (
  web: string,
  { id, path, description, visibility, mergeTrains }: FakeProject,
) => ({
  ...(mergeTrains ? { merge_trains_enabled: true } : {}),
  id,
  path: path.split('/').at(-1),
  path_with_namespace: path,
  description,
  visibility,
  default_branch: 'main',
  web_url: `${web}/${path}`,
});

/** One page of a list, with the headers that lead to the next. */
export function paged({ query, web, path }: ApiRequest, list: readonly unknown[]): FakeAnswer {
  const size = Math.min(100, Number(query.get('per_page') ?? 20));
  const page = Number(query.get('page') ?? 1);
  const isLast = page * size >= list.length;
  const next = new URLSearchParams(query);
  next.set('page', String(page + 1));
  return {
    ...ok(list.slice((page - 1) * size, page * size)),
    headers: {
      'x-page': String(page),
      'x-per-page': String(size),
      'x-next-page': isLast ? '' : String(page + 1),
      'x-total': String(list.length),
      'x-total-pages': String(Math.ceil(list.length / size)),
      ...(isLast
        ? {}
        : {
            link: `<${web}/api/v4${path}?${next}>; rel="next", <${web}/api/v4${path}?page=1>; rel="first"`,
          }),
    },
  };
}
