import type { FakeCheck, FakePr, FakeRepo, FakeState } from './state.ts';

export const readHead = (state: FakeState, repo: FakeRepo, pr: FakePr): string =>
  state.readCommit(repo, pr.head) || '0'.repeat(40);

/** GitHub has the newest commit of each pull request under a ref of its own. */
export function setPullRef(state: FakeState, repo: FakeRepo, pr: FakePr): void {
  const head = state.readCommit(repo, pr.head);
  if (head === '') return;
  state.git('--git-dir', repo.gitDir, 'update-ref', `refs/pull/${pr.number}/head`, head);
}

export const listChecks = (state: FakeState, repo: FakeRepo, pr: FakePr): FakeCheck[] =>
  pr.checks.get(readHead(state, repo, pr)) ?? [];

export const isMergeable = (state: FakeState, repo: FakeRepo, pr: FakePr): boolean =>
  state.merges(repo, state.readCommit(repo, pr.base), readHead(state, repo, pr));

export function mergeableState(state: FakeState, repo: FakeRepo, pr: FakePr): string {
  if (!isMergeable(state, repo, pr)) return 'dirty';
  const approvals = new Set(
    pr.reviews.filter((review) => review.state === 'APPROVED').map(({ author }) => author),
  );
  if (approvals.size < repo.demandedApprovals) return 'blocked';
  const unmet = listChecks(state, repo, pr).filter(({ conclusion }) => conclusion !== 'SUCCESS');
  const isDemanded = (name: string) => repo.requiredChecks.includes(name);
  const checkNames = listChecks(state, repo, pr).map(({ name }) => name);
  if (
    unmet.some(({ name }) => isDemanded(name)) ||
    repo.requiredChecks.some((name) => !checkNames.includes(name))
  )
    return 'blocked';
  return unmet.length > 0 ? 'unstable' : 'clean';
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
    createdAt: now,
    updatedAt: now,
    visibleAt: now + state.lagMs,
    mergeVisibleAt: 0,
    mergedAt: null,
    closedAt: null,
    mergeCommit: null,
    mergedBy: null,
    closedBy: null,
    comments: [],
    reviews: [],
    threads: [],
    checks: new Map(),
  };
  repo.prs.push(opened);
  return opened;
}

export function mergePr(
  state: FakeState,
  repo: FakeRepo,
  pr: FakePr,
  by: string,
  message: string,
): string {
  const { base, head } = pr;
  const commit = state.merge(repo, {
    base,
    head,
    message: `Merge pull request #${pr.number}\n\n${message}`,
  });
  const now = state.clock.now();
  Object.assign(pr, {
    state: 'MERGED',
    mergedAt: now,
    closedAt: now,
    updatedAt: now,
    mergedBy: by,
    mergeCommit: commit,
  });
  pr.mergeVisibleAt = now + state.lagMs;
  return commit;
}

/** The pull request as reads show it now: a merge that lags is not seen yet. */
export const seenState = (state: FakeState, pr: FakePr): FakePr['state'] =>
  pr.state === 'MERGED' && pr.mergeVisibleAt > state.clock.now() ? 'OPEN' : pr.state;

export const visible = <T extends { visibleAt: number }>(
  state: FakeState,
  list: readonly T[],
): T[] => list.filter(({ visibleAt }) => visibleAt <= state.clock.now());
