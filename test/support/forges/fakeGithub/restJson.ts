import type { FakeAnswer, FakeRequest } from '../fakeForge/server.ts';
import { readHead, mergeableState, seenState } from './pulls.ts';
import {
  type FakeComment,
  type FakePr,
  type FakeRepo,
  type FakeState,
  type FakeUser,
  iso,
} from './state.ts';

export type RestRequest = FakeRequest<FakeUser> & { user: FakeUser };

export const ok = (body: unknown, status = 200): FakeAnswer => ({ status, body });
export const createRefusal = (status: number, message: string, errors?: unknown[]): FakeAnswer => ({
  status,
  body: {
    message,
    ...(errors ? { errors } : {}),
    documentation_url: 'https://docs.github.com/rest',
  },
});
export const NOT_FOUND = createRefusal(404, 'Not Found');

const person = (login: string | null) => (login === null ? null : { login });

export const commentJson = (url: string, one: FakeComment) => ({
  id: one.id,
  body: one.body,
  user: person(one.author),
  html_url: `${url}#c${one.id}`,
  created_at: iso(one.at),
  updated_at: iso(one.at),
  author_association: one.association,
});

export function prJson(state: FakeState, web: string, repo: FakeRepo, pr: FakePr) {
  const slug = `${repo.owner}/${repo.name}`;
  const prState = seenState(state, pr);
  const isMerged = prState === 'MERGED';
  return {
    number: pr.number,
    title: pr.title,
    body: pr.body,
    html_url: `${web}/${slug}/pull/${pr.number}`,
    state: prState === 'OPEN' ? 'open' : 'closed',
    merged: isMerged,
    draft: false,
    created_at: iso(pr.createdAt),
    updated_at: iso(pr.updatedAt),
    merged_at: isMerged ? iso(pr.mergedAt) : null,
    merge_commit_sha: isMerged ? pr.mergeCommit : null,
    merged_by: isMerged ? person(pr.mergedBy) : null,
    mergeable_state: prState === 'OPEN' ? mergeableState(state, repo, pr) : 'unknown',
    user: person(pr.author),
    head: { ref: pr.head, sha: readHead(state, repo, pr), label: `${repo.owner}:${pr.head}` },
    base: { ref: pr.base, sha: state.readCommit(repo, pr.base), repo: { full_name: slug } },
  };
}

export const repoJson = (
  web: string,
  { owner, name, description, private: isPrivate, defaultBranch }: FakeRepo,
) => ({
  name,
  full_name: `${owner}/${name}`,
  description,
  private: isPrivate,
  visibility: isPrivate ? 'private' : 'public',
  default_branch: defaultBranch,
  html_url: `${web}/${owner}/${name}`,
});

/** What only those see who may write. */
export const mergeSettings = ({ mergeMethods }: FakeRepo) => ({
  allow_merge_commit: mergeMethods.includes('merge'),
  allow_squash_merge: mergeMethods.includes('squash'),
  allow_rebase_merge: mergeMethods.includes('rebase'),
});

export function paged(request: RestRequest, list: readonly unknown[]): FakeAnswer {
  const size = Math.min(100, Number(request.query.get('per_page') ?? 30));
  const page = Number(request.query.get('page') ?? 1);
  const body = list.slice((page - 1) * size, page * size);
  if (page * size >= list.length) return ok(body);
  const next = new URLSearchParams(request.query);
  next.set('page', String(page + 1));
  return {
    ...ok(body),
    headers: { link: `<${request.web}/api/v3${request.path}?${next}>; rel="next"` },
  };
}
