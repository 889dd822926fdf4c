import type { FakeCheck, FakePr, FakeRepo, FakeState } from './state.ts';

/** Commits that `to` has and `from` has not. */
export const commitsBetween = (state: FakeState, repo: FakeRepo, from: string, to: string): number =>
  Number(state.git('--git-dir', repo.gitDir, 'rev-list', '--count', `${from}..${to}`));

export const headOf = (state: FakeState, repo: FakeRepo, pr: FakePr): string => state.commitOf(repo, pr.head) || '0'.repeat(40);

export const checksOf = (state: FakeState, repo: FakeRepo, pr: FakePr): FakeCheck[] =>
  pr.checks.get(headOf(state, repo, pr)) ?? [];

/** Whether git can merge it, found out as GitHub does: by trying. */
export function isMergeable(state: FakeState, repo: FakeRepo, pr: FakePr): boolean {
  const [base, head] = [state.commitOf(repo, pr.base), headOf(state, repo, pr)];
  const known = state.merges.get(`${base} ${head}`);
  if (known !== undefined) return known;
  let clean = true;
  try {
    state.git('--git-dir', repo.gitDir, 'merge-tree', '--write-tree', base, head);
  } catch {
    clean = false;
  }
  state.merges.set(`${base} ${head}`, clean);
  return clean;
}

export function mergeableState(state: FakeState, repo: FakeRepo, pr: FakePr): string {
  if (!isMergeable(state, repo, pr)) return 'dirty';
  const approvals = new Set(pr.reviews.filter((review) => review.state === 'APPROVED').map(({ author }) => author));
  return approvals.size < repo.demandedApprovals ? 'blocked' : 'clean';
}

export function openPr(
  state: FakeState,
  repo: FakeRepo,
  pr: Pick<FakePr, 'title' | 'body' | 'head' | 'base' | 'author'>,
): FakePr {
  const now = state.clock.now();
  const opened: FakePr = {
    ...pr,
    number: repo.prs.length + 1,
    state: 'OPEN',
    ...{ createdAt: now, updatedAt: now, visibleAt: now + state.lagMs, mergeVisibleAt: 0 },
    ...{ mergedAt: null, closedAt: null, mergeCommit: null, mergedBy: null, closedBy: null },
    ...{ comments: [], reviews: [], threads: [], checks: new Map() },
  };
  repo.prs.push(opened);
  return opened;
}

export function mergePr(state: FakeState, repo: FakeRepo, pr: FakePr, by: string, message: string): string {
  const git = (...args: string[]) => state.git('--git-dir', repo.gitDir, ...args);
  const tree = git('merge-tree', '--write-tree', pr.base, pr.head).split('\n')[0] ?? '';
  const [base, head] = [state.commitOf(repo, pr.base), state.commitOf(repo, pr.head)];
  const commit = git('commit-tree', tree, '-p', base, '-p', head, '-m', `Merge pull request #${pr.number}\n\n${message}`);
  git('update-ref', `refs/heads/${pr.base}`, commit, base);
  const now = state.clock.now();
  Object.assign(pr, { state: 'MERGED', mergedAt: now, closedAt: now, updatedAt: now, mergedBy: by, mergeCommit: commit });
  pr.mergeVisibleAt = now + state.lagMs;
  return commit;
}

/** The pull request as reads show it now: a merge that lags is not seen yet. */
export const seenState = (state: FakeState, pr: FakePr): FakePr['state'] =>
  pr.state === 'MERGED' && pr.mergeVisibleAt > state.clock.now() ? 'OPEN' : pr.state;

export const visible = <T extends { visibleAt: number }>(state: FakeState, list: readonly T[]): T[] =>
  list.filter(({ visibleAt }) => visibleAt <= state.clock.now());
