import type { FakeAnswer } from '../fakeForge/server.ts';
import { shownFiles } from '../fakeForge/shownLines.ts';
import { readHead } from './pulls.ts';
import { commentJson, ok, type RestRequest, createRefusal } from './restJson.ts';
import type { FakeComment, FakePr, FakeRepo, FakeReview, FakeState, FakeThread } from './state.ts';

type FoundPr = { repo: FakeRepo; pr: FakePr };

const STATES = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
} as const;
const NOT_OWN: Readonly<Record<string, string>> = {
  APPROVE: 'Can not approve your own pull request',
  REQUEST_CHANGES: 'Can not request changes on your own pull request',
};

const isEvent = (value: unknown): value is keyof typeof STATES =>
  typeof value === 'string' && Object.hasOwn(STATES, value);

const unprocessable = (...errors: string[]): FakeAnswer =>
  createRefusal(422, 'Unprocessable Entity', errors);

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

const isOfPullRequest = (state: FakeState, { repo, pr }: FoundPr, commit: string): boolean =>
  state
    .git('--git-dir', repo.gitDir, 'rev-list', `${pr.base}..${readHead(state, repo, pr)}`)
    .split('\n')
    .includes(commit);

/** What is wrong with the place of a comment; null = nothing. */
function placeProblem(
  state: FakeState,
  { repo, pr }: FoundPr,
  commit: string,
  comment: Record<string, unknown>,
): string | null {
  const { path, line, side = 'RIGHT', start_line: first } = comment;
  const file = shownFiles(state, repo.gitDir, pr.base, commit).find(({ after }) => after === path);
  if (!file) return 'Path could not be resolved';
  if (comment.subject_type === 'file') return null;
  const numbers = file.lines.map(([before, after]) => (side === 'LEFT' ? before : after));
  if (typeof line !== 'number' || !numbers.includes(line)) return 'Line could not be resolved';
  if (first === undefined) return null;
  if (typeof first !== 'number' || !numbers.includes(first))
    return 'Start line could not be resolved';
  return first < line ? null : 'Start line must precede the end line.';
}

const begin = (
  state: FakeState,
  { pr }: FoundPr,
  user: string,
  comment: Record<string, unknown>,
): FakeThread => {
  const id = state.id();
  const thread: FakeThread = {
    id: `PRRT_${id}`,
    path: String(comment.path),
    line: typeof comment.line === 'number' ? comment.line : null,
    ...(comment.side === 'LEFT' ? { side: 'LEFT' } : {}),
    resolved: false,
    comments: [{ ...createComment(state, user, comment.body), replyTo: null }],
  };
  pr.threads.push(thread);
  pr.updatedAt = state.clock.now();
  return thread;
};

/** A review is made with all of its comments, or not at all. */
export function createReview(
  state: FakeState,
  { body, user }: RestRequest,
  url: string,
  target: FoundPr,
): FakeAnswer {
  const { event, comments = [], commit_id: commitId } = body;
  if (!isEvent(event)) return unprocessable('Event is not supported here');
  const own = NOT_OWN[event];
  if (own !== undefined && target.pr.author === user.login) return unprocessable(own);
  if (event !== 'APPROVE' && String(body.body ?? '').trim() === '')
    return unprocessable('Body is required for this event');
  const commit =
    commitId === undefined ? readHead(state, target.repo, target.pr) : String(commitId);
  if (!isOfPullRequest(state, target, commit))
    return unprocessable('The commit is not part of the pull request');
  const list: Record<string, unknown>[] = Array.isArray(comments) ? comments : [];
  if (list.some((one) => typeof one.path !== 'string' || String(one.body ?? '').trim() === ''))
    return unprocessable('Comments need a path and a body');
  const problems = list.flatMap((one) => placeProblem(state, target, commit, one) ?? []);
  if (problems.length > 0) return unprocessable(...new Set(problems));
  for (const one of list) begin(state, target, user.login, one);
  const review: FakeReview = {
    ...createComment(state, user.login, body.body ?? ''),
    state: STATES[event],
    commit,
  };
  target.pr.reviews.push(review);
  target.pr.updatedAt = state.clock.now();
  return ok({ ...commentJson(url, review), state: review.state, commit_id: commit });
}

export function createReviewComment(
  state: FakeState,
  { body, user }: RestRequest,
  url: string,
  target: FoundPr,
): FakeAnswer {
  const commit = String(body.commit_id ?? '');
  if (!isOfPullRequest(state, target, commit))
    return unprocessable('The commit is not part of the pull request');
  const problem = placeProblem(state, target, commit, body);
  if (problem !== null) return unprocessable(problem);
  const [first] = begin(state, target, user.login, body).comments;
  return first ? ok(commentJson(url, first), 201) : unprocessable('no comment');
}
