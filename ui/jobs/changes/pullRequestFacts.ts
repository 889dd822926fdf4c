import type { PrCheck, PrDetail } from '../../../src/contract/schema/forge/prDetail.ts';
import type { JobPullRequest } from '../../../src/contract/schema/forge/review.ts';

/** Addresses of forges come from agents and from outside: only web addresses become links. */
export const isWebUrl = (url: string): boolean => /^https?:\/\//i.test(url);

export const shortenCommit = (commit: string): string => commit.slice(0, 10);

export function describeChecks({
  checks,
  checksState,
}: Pick<PrDetail, 'checks' | 'checksState'>): string {
  if (checksState.state === 'unreadable') return `cannot be read: ${checksState.reason}`;
  if (checks.length === 0) return 'none reported';
  const count = (state: PrCheck['state']) => checks.filter((check) => check.state === state).length;
  const parts = [
    [count('failed'), 'failed'],
    [count('pending'), 'running'],
    [count('passed'), 'passed'],
    [count('neutral'), 'skipped'],
  ] as const;
  return parts.flatMap(([many, says]) => (many > 0 ? [`${many} ${says}`] : [])).join(', ');
}

/** Whether svc would merge it now: its branches go together, and no work tree is in the way. */
export const canMerge = ({
  mergeable,
  mergeRefusal,
}: Pick<PrDetail, 'mergeable' | 'mergeRefusal'>): boolean =>
  mergeable === true && mergeRefusal === undefined;

/** Who has approved the newest commit, and who has approved an earlier state. */
export function describeApprovals(
  detail: Pick<JobPullRequest, 'approvals' | 'headApprovals' | 'svcApprovals'>,
): string {
  const { approvals, headApprovals, svcApprovals } = detail;
  const earlier = approvals.filter((name) => !headApprovals.includes(name));
  const parts = [
    ...headApprovals,
    ...svcApprovals.filter(({ current }) => current).map(({ person }) => `${person} (in svc)`),
    ...earlier.map((name) => `${name} (an earlier commit)`),
    ...svcApprovals
      .filter(({ current }) => !current)
      .map(({ person }) => `${person} (in svc, an earlier commit)`),
  ];
  return parts.length === 0 ? 'none' : [...new Set(parts)].join(', ');
}
