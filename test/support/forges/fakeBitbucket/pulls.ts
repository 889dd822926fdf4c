import type { FakeAnswer } from '../fakeForge/server.ts';
import {
  accountJson,
  buildJson,
  CLOUD_API,
  commentJson,
  createNotFound,
  iso,
  ok,
  prJson,
  createRefusal,
  visible,
} from './json.ts';
import { paged } from './query.ts';
import type { BitbucketRequest } from './rest.ts';
import { shownFiles } from '../fakeForge/shownLines.ts';
import type { FakeComment, FakePr, FakeRepo, FakeState } from './state.ts';

type Handler = (
  state: FakeState,
  request: BitbucketRequest,
  target: { repo: FakeRepo; pr: FakePr },
) => FakeAnswer;

const branchIn = (end: unknown): string => String(Object(Object(end).branch).name ?? '');

function create(
  state: FakeState,
  { body, user, web }: BitbucketRequest,
  repo: FakeRepo,
): FakeAnswer {
  const [head, base] = [branchIn(body.source), branchIn(body.destination) || 'main'];
  const [title, description] = [String(body.title ?? ''), String(body.description ?? '')];
  for (const branch of [head, base]) {
    if (state.readCommit(repo, branch) === '')
      return createRefusal(400, 'Bad request', {
        fields: { source: [`branch not found: ${branch}`] },
      });
  }
  const open = repo.prs.find((pr) => pr.state === 'OPEN' && pr.head === head && pr.base === base);
  // As the real one: what is open gets the new texts, and no second one is made.
  if (open) return ok(prJson(state, web, repo, Object.assign(open, { title, description })), 201);
  if (state.commitsBetween(repo, base, head) === 0) {
    return createRefusal(400, 'Bad request', {
      fields: { source: ['There are no changes to be pulled'] },
    });
  }
  return ok(
    prJson(
      state,
      web,
      repo,
      state.openPr(repo, { title, description, head, base, author: user.login }),
    ),
    201,
  );
}

function checks(state: FakeState, repo: FakeRepo, pr: FakePr) {
  const isClean = state.isMergeable(repo, pr);
  const approvals = [...pr.reviews.values()].filter((review) => review.state === 'approved').length;
  const check = (type: string, passed: boolean, more: object = {}) => ({
    type,
    status: passed ? 'PASSED' : 'FAILED',
    required: true,
    blocking: !passed,
    ...more,
  });
  return [
    check('pullrequest_state_check', pr.state === 'OPEN', { state: pr.state }),
    check('current_user_permission_check', true),
    check('git_mergeability_check', isClean, { reason: isClean ? 'clean' : 'conflicts' }),
    check('standard_merge_check', approvals >= repo.demandedApprovals, {
      check: { kind: 'minimum_approvals' },
    }),
  ];
}

const merge: Handler = (state, { body, user, web, path }, { repo, pr }) => {
  if (pr.state !== 'OPEN') return createRefusal(400, 'This pull request is already closed.');
  const [, , git, standard] = checks(state, repo, pr);
  if (git?.blocking) return createRefusal(409, 'There are merge conflicts.');
  if (standard?.blocking) return createRefusal(400, 'Merge checks have not passed.');
  const message = String(body.message ?? `Merged in ${pr.head} (pull request #${pr.id})`);
  const { mergeMs, mergeError } = state;
  if (mergeMs === 0) {
    state.mergePr(repo, pr, user.login, message);
    return ok({
      ...prJson(state, web, repo, pr),
      merge_commit: { hash: pr.mergeCommit?.slice(0, 12) },
    });
  }
  const id = `task-${state.id()}`;
  state.tasks.set(id, { endsAt: state.clock.now() + mergeMs, error: mergeError, pr });
  if (mergeError === null)
    state.clock.at(state.clock.now() + mergeMs, () => state.mergePr(repo, pr, user.login, message));
  const href = `${CLOUD_API}${path}/task-status/${id}`;
  return {
    status: 202,
    body: { task_status: 'PENDING', links: { self: { href } } },
    headers: { location: href },
  };
};

const task = (
  state: FakeState,
  { web }: BitbucketRequest,
  repo: FakeRepo,
  id: string,
): FakeAnswer => {
  const mergeTask = state.tasks.get(id);
  if (!mergeTask) return createNotFound('Task');
  if (state.clock.now() < mergeTask.endsAt) return ok({ task_status: 'PENDING' });
  if (mergeTask.error !== null) return createRefusal(400, mergeTask.error);
  return ok({ task_status: 'SUCCESS', merge_result: prJson(state, web, repo, mergeTask.pr) });
};

const comment: Handler = (state, { body, user, web }, { repo, pr }) => {
  const raw = Object(body.content).raw;
  if (typeof raw !== 'string')
    return createRefusal(400, 'Bad request', {
      fields: { content: ['required key not provided'] },
    });
  const parent = typeof Object(body.parent).id === 'number' ? Number(Object(body.parent).id) : null;
  if (parent !== null && !pr.comments.some(({ id }) => id === parent))
    return createNotFound('Parent comment');
  const inline =
    body.inline === undefined ? null : parseInlinePlace(state, repo, pr, Object(body.inline));
  if (typeof inline === 'string') return createRefusal(400, inline);
  return ok(
    commentJson(state, web, repo, pr, state.say(pr, user.login, raw, { parent, inline })),
    201,
  );
};

/** A text: why there is no such place. */
function parseInlinePlace(
  state: FakeState,
  repo: FakeRepo,
  pr: FakePr,
  inline: Record<string, unknown>,
): NonNullable<FakeComment['inline']> | string {
  const { path, from = null, to = null } = inline;
  const file = shownFiles(state, repo.gitDir, pr.base, pr.head).find(({ after }) => after === path);
  if (!file) return `${String(path)} is not part of the diff`;
  const line = to ?? from;
  const numbers = file.lines.map(([before, after]) => (to === null ? before : after));
  if (line !== null && !numbers.includes(Number(line))) return 'The line is not part of the diff';
  const number = (value: unknown) => (typeof value === 'number' ? value : null);
  return { path: file.after, from: number(from), to: number(to), outdated: false };
}

const requestChanges: Handler = (state, { user }, { pr }) => {
  if (pr.state !== 'OPEN') return createRefusal(400, 'This pull request is already closed.');
  if (pr.author === user.login)
    return createRefusal(400, 'You cannot request changes on your own pull request.');
  state.review(pr, user.login, 'changes_requested');
  return ok({
    type: 'participant',
    user: accountJson(state, user.login),
    role: 'PARTICIPANT',
    approved: false,
    state: 'changes_requested',
  });
};

const resolveComment = (method: string, one: FakeComment | undefined): FakeAnswer => {
  if (!one || one.deleted) return createNotFound('Comment');
  if (one.parent !== null) return createRefusal(403, 'Only the first comment can be resolved.');
  const isResolved = method === 'POST';
  if (one.resolved === isResolved)
    return isResolved
      ? createRefusal(409, 'It is resolved already.')
      : createNotFound('Resolution');
  one.resolved = isResolved;
  return isResolved ? ok({ type: 'comment_resolution' }) : { status: 204, body: '' };
};

const approve: Handler = (state, { user }, { pr }) => {
  if (pr.state !== 'OPEN') return createRefusal(400, 'This pull request is already closed.');
  if (pr.reviews.get(user.login)?.state === 'approved')
    return createRefusal(409, 'You already approved this pull request.');
  state.review(pr, user.login, 'approved');
  return ok({
    type: 'participant',
    user: accountJson(state, user.login),
    role: 'PARTICIPANT',
    approved: true,
    state: 'approved',
  });
};

/** Leads to the diff of the repository, at the address of the real one. */
const diff: Handler = (state, _request, { repo, pr }) => {
  const [head, base] = [state.readHead(repo, pr), state.readCommit(repo, pr.base)].map((hash) =>
    hash.slice(0, 12),
  );
  const location = `${CLOUD_API}/repositories/${repo.workspace}/${repo.name}/diff/${head}..${base}?topic=true`;
  return { status: 302, body: '', headers: { location } };
};

const HANDLERS: Readonly<Record<string, Handler>> = {
  'GET ': (state, { web }, { repo, pr }) => ok(prJson(state, web, repo, pr)),
  'GET /comments': (state, request, { repo, pr }) =>
    paged(
      request,
      visible(state, pr.comments).map((one) => commentJson(state, request.web, repo, pr, one)),
    ),
  'POST /comments': comment,
  'GET /statuses': (_state, request, { repo, pr }) =>
    paged(
      request,
      pr.builds.map((build) => buildJson(repo, build)),
    ),
  'GET /diff': diff,
  'GET /mergeability/checks': (state, _request, { repo, pr }) => {
    const values = checks(state, repo, pr);
    return ok({ size: values.length, values });
  },
  'GET /activity': (state, request, { repo, pr }) =>
    paged(
      request,
      [
        ...[...pr.reviews].map(([login, { at }]) => ({
          approval: { user: accountJson(state, login), date: iso(at ?? pr.updatedAt) },
        })),
        {
          update: {
            state: pr.state,
            title: pr.title,
            date: iso(Math.max(pr.createdAt, state.movedAt(repo, pr.head))),
            source: { commit: { type: 'commit', hash: state.readHead(repo, pr).slice(0, 12) } },
          },
        },
      ],
      50,
    ),
  'POST /approve': approve,
  'POST /request-changes': requestChanges,
  'POST /merge': merge,
};

export function answerPr(
  state: FakeState,
  request: BitbucketRequest,
  repo: FakeRepo,
  rest: string,
): FakeAnswer {
  const { method, web } = request;
  if (method === 'POST' && rest === '/pullrequests') return create(state, request, repo);
  const [, id, below = ''] = /^\/pullrequests\/(\d+)(\/.*)?$/.exec(rest) ?? [];
  const pr = visible(state, repo.prs).find((one) => one.id === Number(id));
  if (!pr) return createNotFound('Pull request');
  const commentId = /^\/comments\/(\d+)$/.exec(below)?.[1];
  if (method === 'GET' && commentId !== undefined) {
    const one = visible(state, pr.comments).find(
      (each) => each.id === Number(commentId) && !each.deleted,
    );
    return one ? ok(commentJson(state, web, repo, pr, one)) : createNotFound('Comment');
  }
  const resolved = /^\/comments\/(\d+)\/resolve$/.exec(below)?.[1];
  if (resolved !== undefined && (method === 'POST' || method === 'DELETE'))
    return resolveComment(
      method,
      visible(state, pr.comments).find((each) => each.id === Number(resolved)),
    );
  const taskId = /^\/merge\/task-status\/([^/]+)$/.exec(below)?.[1];
  if (method === 'GET' && taskId !== undefined) return task(state, request, repo, taskId);
  return (
    HANDLERS[`${method} ${below}`]?.(state, request, { repo, pr }) ?? createNotFound('Resource')
  );
}
