import type { Forge, PrDetail } from '../../contract/forge/forge.ts';
import type { DecisionsInSvc } from '../../providers/mergeGuard.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../contract/records/typedRows.ts';
import { listSvcApprovals } from '../reviews/loadJobPullRequest.ts';

/**
 * What people have decided in svc about a pull request: by their reviews, whatever became of them at
 * the forge, and by their approvals. Of two decisions of one person the later counts, and of two at
 * the same time the request for changes.
 */
export function collectSvcDecisions(
  rows: Pick<TypedRows<Tables>, 'all'>,
  forge: Forge,
  pr: PrDetail,
): DecisionsInSvc {
  const approvals = listSvcApprovals(rows, forge, pr);
  const repo = forge.canonical(pr.repo);
  const reviews = rows
    .all('reviews', { forge: forge.id, number: pr.number })
    .filter((row) => forge.canonical(row.repo) === repo);
  const requestedAt = new Map<string, number>();
  const approvedAt = new Map<string, number>();
  const note = (times: Map<string, number>, person: string, at: number): void => {
    times.set(person, Math.max(times.get(person) ?? at, at));
  };
  for (const { author, verdict, at } of reviews) {
    if (verdict === 'request_changes') note(requestedAt, author, at);
    if (verdict === 'approve') note(approvedAt, author, at);
  }
  for (const { person, at } of approvals) note(approvedAt, person, Date.parse(at));
  return {
    isApproved: approvals.some(({ current }) => current),
    requested: [...requestedAt].flatMap(([person, at]) =>
      at >= (approvedAt.get(person) ?? -1) ? [person] : [],
    ),
    approvedSince: [...approvedAt].flatMap(([person, at]) =>
      at > (requestedAt.get(person) ?? -1) ? [person] : [],
    ),
  };
}
