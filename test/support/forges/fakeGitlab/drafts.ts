import { shownFiles } from '../fakeForge/shownLines.ts';
import { type ApiRequest, discussionJson, ok, paged, createRefusal } from './json.ts';
import type { FoundMergeRequest, Handler } from './mergeRequestRoutes.ts';
import { readHead, note } from './mergeRequests.ts';
import type { FakeDraft, FakeNote, FakeState } from './state.ts';

const NO_CONTENT = { status: 204, body: '' };

/** The state of the source branch that positions are about. */
export function findVersion(
  state: FakeState,
  { project, mr }: Pick<FoundMergeRequest, 'project' | 'mr'>,
) {
  const at = (...args: string[]) => state.git('--git-dir', project.gitDir, ...args);
  const start = state.readCommit(project, mr.target);
  const head = readHead(state, project, mr);
  return {
    head_commit_sha: head,
    base_commit_sha: at('merge-base', start, head),
    start_commit_sha: start,
  };
}

const draftJson = (
  state: FakeState,
  { id, author, note: text, discussion, position }: FakeDraft,
) => ({
  id,
  author_id: state.user(author)?.id,
  merge_request_id: 11,
  resolve_discussion: false,
  discussion_id: discussion,
  note: text,
  commit_id: null,
  line_code: null,
  position: position ?? {},
});

const own = ({ user }: ApiRequest, { mr }: FoundMergeRequest): FakeDraft[] =>
  mr.drafts.filter(({ author }) => author === user.login);

/** The place that a position names; null = GitLab finds no such line. */
function placed(
  state: FakeState,
  target: FoundMergeRequest,
  position: object,
): FakeNote['position'] {
  const fields: Record<string, unknown> = { ...position };
  const version = findVersion(state, target);
  const isKnown =
    fields.head_sha === version.head_commit_sha &&
    fields.base_sha === version.base_commit_sha &&
    fields.start_sha === version.start_commit_sha;
  const file = shownFiles(state, target.project.gitDir, target.mr.target, target.mr.source).find(
    ({ before, after }) => fields.new_path === after && fields.old_path === before,
  );
  if (!isKnown || !file) return null;
  const [before, after] = [fields.old_line ?? null, fields.new_line ?? null];
  const isShown =
    fields.position_type === 'file' ||
    file.lines.some(([old, now]) => old === before && now === after);
  if (!isShown) return null;
  return {
    new_path: file.after,
    old_path: file.before,
    new_line: typeof after === 'number' ? after : null,
    old_line: typeof before === 'number' ? before : null,
  };
}

const create: Handler = (state, request, target) => {
  const { body, user } = request;
  const { in_reply_to_discussion_id: thread = null, position } = body;
  if (String(body.note ?? '').trim() === '') return createRefusal(400, 'note is missing');
  if (thread !== null && !target.mr.discussions.some(({ id }) => id === thread))
    return createRefusal(400, { discussion: ['not found'] });
  const place = position === undefined ? null : placed(state, target, Object(position));
  if (position !== undefined && place === null)
    return createRefusal(400, { line_code: ["can't be blank", 'must be a valid line code'] });
  const draft: FakeDraft = {
    id: state.id(),
    author: user.login,
    note: String(body.note),
    discussion: thread === null ? null : String(thread),
    position: place,
  };
  target.mr.drafts.push(draft);
  return ok(draftJson(state, draft), 201);
};

function show(state: FakeState, { mr }: FoundMergeRequest, draft: FakeDraft): void {
  mr.drafts = mr.drafts.filter((one) => one !== draft);
  const { author, note: text, discussion, position } = draft;
  note(state, mr, author, text, {
    type: position ? 'DiffNote' : 'DiscussionNote',
    position,
    resolvable: position !== null,
    ...(discussion === null ? {} : { thread: discussion }),
  });
}

const findDraft = (request: ApiRequest, target: FoundMergeRequest): FakeDraft | undefined =>
  own(request, target).find(({ id }) => id === Number(target.rest[0]));

const resolve: Handler = (state, { body }, { mr, rest: [id = ''] }) => {
  const thread = mr.discussions.find((one) => one.id === id);
  if (!thread) return createRefusal(404, '404 Discussion Not Found');
  for (const one of thread.notes) if (one.resolvable) one.resolved = body.resolved === true;
  mr.updatedAt = state.clock.now();
  return ok(discussionJson(state, mr, thread));
};

/** Path below /projects/:id, as in the routes of merge requests. */
export const DRAFT_ROUTES: readonly [method: string, path: string, handler: Handler][] = [
  [
    'GET',
    '/merge_requests/:iid/draft_notes',
    (state, request, target) =>
      paged(
        request,
        own(request, target).map((one) => draftJson(state, one)),
      ),
  ],
  ['POST', '/merge_requests/:iid/draft_notes', create],
  [
    'POST',
    '/merge_requests/:iid/draft_notes/bulk_publish',
    (state, request, target) => {
      for (const draft of own(request, target)) show(state, target, draft);
      return NO_CONTENT;
    },
  ],
  [
    'PUT',
    '/merge_requests/:iid/draft_notes/*/publish',
    (state, request, target) => {
      const draft = findDraft(request, target);
      if (!draft) return createRefusal(404, '404 Not found');
      show(state, target, draft);
      return NO_CONTENT;
    },
  ],
  [
    'DELETE',
    '/merge_requests/:iid/draft_notes/*',
    (_state, request, target) => {
      const draft = findDraft(request, target);
      if (!draft) return createRefusal(404, '404 Not found');
      target.mr.drafts = target.mr.drafts.filter((one) => one !== draft);
      return NO_CONTENT;
    },
  ],
  ['PUT', '/merge_requests/:iid/discussions/*', resolve],
];
