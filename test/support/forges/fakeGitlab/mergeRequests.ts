import type { FakeMr, FakeNote, FakePipeline, FakeProject, FakeState } from './state.ts';

export const readHead = (state: FakeState, project: FakeProject, mr: FakeMr): string =>
  state.readCommit(project, mr.source);

export const headPipeline = (
  state: FakeState,
  project: FakeProject,
  mr: FakeMr,
): FakePipeline | null =>
  project.pipelines.findLast(({ sha }) => sha === readHead(state, project, mr)) ?? null;

export function pipelineStatus({ statuses }: FakePipeline): string {
  const countedStatuses = statuses
    .filter(({ status, allowFailure }) => !(status === 'failed' && allowFailure))
    .map(({ status }) => status);
  if (countedStatuses.some((status) => status === 'pending' || status === 'running'))
    return 'running';
  return countedStatuses.includes('failed') ? 'failed' : 'success';
}

/** Reports a result for a commit, as API users do; creates a pipeline if none exists. */
export function report(
  state: FakeState,
  project: FakeProject,
  ref: string,
  name: string,
  status: string,
  allowFailure = false,
): void {
  const [now, sha] = [state.clock.now(), state.readCommit(project, ref)];
  let pipeline = project.pipelines.findLast((one) => one.sha === sha);
  if (!pipeline) {
    pipeline = { id: state.id(), sha, ref, updatedAt: now, statuses: [] };
    project.pipelines.push(pipeline);
  }
  pipeline.statuses = [
    ...pipeline.statuses.filter((one) => one.name !== name),
    { id: state.id(), name, status, allowFailure, at: now },
  ];
  pipeline.updatedAt = now;
}

export const visible = <T extends { visibleAt: number }>(
  state: FakeState,
  list: readonly T[],
): T[] => list.filter(({ visibleAt }) => visibleAt <= state.clock.now());

/** As reads show it: a merge that lags is not seen yet. */
export const seenState = (state: FakeState, mr: FakeMr): FakeMr['state'] =>
  mr.state === 'merged' && mr.mergeVisibleAt > state.clock.now() ? 'opened' : mr.state;

export function recheck(state: FakeState, project: FakeProject, mr: FakeMr): void {
  const commits = `${state.readCommit(project, mr.target)} ${readHead(state, project, mr)}`;
  if (mr.checked?.commits !== commits)
    mr.checked = { commits, doneAt: state.clock.now() + state.checkMs };
}

/** `detailed_merge_status`; finds out about conflicts when it is time. */
export function mergeStatus(state: FakeState, project: FakeProject, mr: FakeMr): string {
  if (mr.state !== 'opened') return 'not_open';
  const now = state.clock.now();
  if (now < mr.createdAt + state.checkMs) return 'preparing';
  const commits = `${state.readCommit(project, mr.target)} ${readHead(state, project, mr)}`;
  if (mr.checked?.commits !== commits) return 'unchecked';
  if (mr.checked.doneAt > now) return 'checking';
  mr.conflicts = !state.merges(
    project,
    state.readCommit(project, mr.target),
    readHead(state, project, mr),
  );
  if (mr.conflicts) return 'conflict';
  if (project.fastForward && state.commitsBetween(project, mr.source, mr.target) > 0)
    return 'need_rebase';
  if (mr.draft) return 'draft_status';
  if (mr.approvals.length < project.demandedApprovals) return 'not_approved';
  const open = mr.discussions
    .flatMap(({ notes }) => notes)
    .some(({ resolvable, resolved }) => resolvable && !resolved);
  if (project.demandsResolved && open) return 'discussions_not_resolved';
  const pipeline = headPipeline(state, project, mr);
  if (project.demandsPipeline && pipeline) {
    const status = pipelineStatus(pipeline);
    if (status !== 'success') return status === 'running' ? 'ci_still_running' : 'ci_must_pass';
  }
  return 'mergeable';
}

export function openMr(
  state: FakeState,
  project: FakeProject,
  mr: Pick<FakeMr, 'title' | 'description' | 'source' | 'target' | 'author'>,
): FakeMr {
  const now = state.clock.now();
  const opened: FakeMr = {
    ...mr,
    iid: project.mrs.length + 1,
    state: 'opened',
    draft: /^draft:/i.test(mr.title),
    createdAt: now,
    updatedAt: now,
    visibleAt: now + state.lagMs,
    mergedAt: null,
    mergeVisibleAt: 0,
    mergedBy: null,
    closedAt: null,
    closedBy: null,
    mergeCommit: null,
    squashCommit: null,
    approvals: [],
    reviewers: new Map(),
    discussions: [],
    drafts: [],
    checked: null,
    car: null,
    conflicts: false,
  };
  project.mrs.push(opened);
  return opened;
}

export function note(
  state: FakeState,
  mr: FakeMr,
  author: string,
  body: string,
  { thread, ...more }: Partial<FakeNote> & { thread?: string } = {},
): FakeNote {
  const now = state.clock.now();
  const newNote: FakeNote = {
    id: state.id(),
    type: null,
    author,
    body,
    at: now,
    visibleAt: now + state.lagMs,
    system: false,
    resolvable: false,
    resolved: false,
    position: null,
    ...more,
  };
  const known = mr.discussions.find(({ id }) => id === thread);
  if (known) known.notes.push(newNote);
  else mr.discussions.push({ id: newNote.id.toString(16).padStart(40, '0'), notes: [newNote] });
  mr.updatedAt = now;
  return newNote;
}

export const systemNote = (state: FakeState, mr: FakeMr, author: string, body: string): FakeNote =>
  note(state, mr, author, body, { system: true });

export function mergeMr(
  state: FakeState,
  project: FakeProject,
  mr: FakeMr,
  by: string,
  {
    squash = false,
    message,
    squashMessage,
  }: { squash?: boolean; message?: string; squashMessage?: string } = {},
): void {
  const at = (...args: string[]) => state.git('--git-dir', project.gitDir, ...args);
  const usual = `Merge branch '${mr.source}' into '${mr.target}'`;
  const onto = state.readCommit(project, mr.target);
  if (squash) {
    const tree = at('merge-tree', '--write-tree', mr.target, mr.source).split('\n')[0] ?? '';
    mr.squashCommit = at('commit-tree', tree, '-p', onto, '-m', squashMessage ?? mr.title);
    if (project.fastForward) at('update-ref', `refs/heads/${mr.target}`, mr.squashCommit, onto);
  } else if (project.fastForward) {
    at('update-ref', `refs/heads/${mr.target}`, readHead(state, project, mr), onto);
  }
  if (!project.fastForward) {
    const { target: base, source } = mr;
    mr.mergeCommit = state.merge(project, {
      base,
      head: mr.squashCommit ?? source,
      message: message ?? usual,
    });
  }
  const now = state.clock.now();
  Object.assign(mr, {
    state: 'merged',
    mergedAt: now,
    updatedAt: now,
    mergedBy: by,
    mergeVisibleAt: now + state.lagMs,
  });
}

/** The pipeline of the train has passed: GitLab merges in the name of who put it there. */
export function arrive(state: FakeState, project: FakeProject, mr: FakeMr): void {
  if (mr.car) mergeMr(state, project, mr, mr.car.by, { squash: mr.car.squash });
}

/** The pipeline of the train has failed. The note is in the name of who put it there. */
export function derail(state: FakeState, mr: FakeMr): void {
  const why = 'because pipeline did not succeed';
  if (mr.car)
    systemNote(state, mr, mr.car.by, `removed this merge request from the merge train ${why}`);
  mr.car = null;
}
