import type { FakeAnswer } from '../fakeForge/server.ts';
import type { FakeBuild, FakeComment, FakePr, FakeRepo, FakeState } from './state.ts';

/** Where the real one says that its API is; nothing is requested there. */
export const CLOUD_API = 'https://api.bitbucket.org/2.0';

export const iso = (at: number): string => new Date(at).toISOString().replace('Z', '000+00:00');

export const ok = (body: unknown, status = 200): FakeAnswer => ({ status, body });
export const createRefusal = (status: number, message: string, more: object = {}): FakeAnswer => ({
  status,
  body: { type: 'error', error: { message, ...more } },
});
export const createNotFound = (what: string): FakeAnswer => createRefusal(404, `${what} not found`);

const short = (hash: string) => (hash === '' ? null : { type: 'commit', hash: hash.slice(0, 12) });

export const accountId = (login: string): string => `712020:${login}`;

export function accountJson(state: FakeState, login: string | null): object | null {
  if (login === null) return null;
  const { uuid, kind } = state.user(login);
  const account = { display_name: login, uuid, account_id: accountId(login) };
  return kind === 'access-token'
    ? { type: 'app_user', kind: 'workspace_access_token', account_status: 'active', ...account }
    : { type: 'user', nickname: login, ...account };
}

const toSlug = ({ workspace, name }: FakeRepo): string => `${workspace}/${name}`;

export const seenState = (state: FakeState, pr: FakePr): FakePr['state'] =>
  pr.state !== 'OPEN' && pr.overVisibleAt > state.clock.now() ? 'OPEN' : pr.state;

export const visible = <T extends { visibleAt: number }>(
  state: FakeState,
  all: readonly T[],
): T[] => all.filter(({ visibleAt }) => visibleAt <= state.clock.now());

/** As in a list with `+values.participants`; the caller takes them out where the real one does. */
export function prJson(state: FakeState, web: string, repo: FakeRepo, pr: FakePr) {
  const slug = toSlug(repo);
  const prState = seenState(state, pr);
  const isOver = prState !== 'OPEN';
  return {
    type: 'pullrequest',
    id: pr.id,
    title: pr.title,
    description: pr.description,
    state: prState,
    draft: pr.draft,
    summary: { type: 'rendered', raw: pr.description, markup: 'markdown' },
    links: {
      self: { href: `${CLOUD_API}/repositories/${slug}/pullrequests/${pr.id}` },
      html: { href: `${web}/${slug}/pull-requests/${pr.id}` },
    },
    author: accountJson(state, pr.author),
    created_on: iso(pr.createdAt),
    updated_on: iso(pr.updatedAt),
    comment_count: visible(state, pr.comments).filter(
      ({ deleted, pending }) => !deleted && !pending,
    ).length,
    source: {
      branch: { name: pr.head },
      commit: short(state.readHead(repo, pr)),
      repository: { type: 'repository', full_name: slug },
    },
    destination: {
      branch: { name: pr.base },
      commit: short(state.readCommit(repo, pr.base)),
      repository: { type: 'repository', full_name: slug },
    },
    merge_commit: isOver ? short(pr.mergeCommit ?? '') : null,
    closed_by: isOver ? accountJson(state, pr.closedBy) : null,
    participants: [...pr.reviews].map(([login, review]) => ({
      type: 'participant',
      user: accountJson(state, login),
      role: review.role,
      state: review.state,
      approved: review.state === 'approved',
      participated_on: review.at === null ? null : iso(review.at),
    })),
  };
}

export const commentJson = (
  state: FakeState,
  web: string,
  repo: FakeRepo,
  pr: FakePr,
  one: FakeComment,
) => ({
  type: 'pullrequest_comment',
  id: one.id,
  user: accountJson(state, one.author),
  deleted: one.deleted,
  content: { type: 'rendered', raw: one.deleted ? '' : one.raw, markup: 'markdown' },
  created_on: iso(one.at),
  updated_on: iso(one.at),
  pending: one.pending,
  ...(one.parent === null ? {} : { parent: { type: 'pullrequest_comment', id: one.parent } }),
  ...(one.inline === null ? {} : { inline: one.inline }),
  ...(one.resolved ? { resolution: { type: 'comment_resolution' } } : {}),
  links: {
    html: { href: `${web}/${toSlug(repo)}/pull-requests/${pr.id}/_/diff#comment-${one.id}` },
  },
});

export const buildJson = (repo: FakeRepo, { key, name, state, commit, at }: FakeBuild) => ({
  type: 'build',
  key,
  name,
  state,
  url: `https://ci.test/${name}`,
  created_on: iso(at),
  updated_on: iso(at),
  links: { commit: { href: `${CLOUD_API}/repositories/${toSlug(repo)}/commit/${commit}` } },
});

export const repoJson = (state: FakeState, web: string, repo: FakeRepo) => ({
  type: 'repository',
  full_name: toSlug(repo),
  description: repo.description,
  is_private: repo.private,
  scm: 'git',
  slug: repo.name,
  links: { html: { href: `${web}/${toSlug(repo)}` } },
  mainbranch: state.readCommit(repo, 'main') === '' ? null : { type: 'branch', name: 'main' },
});
