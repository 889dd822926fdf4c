import type { Forge, PrDetail } from '../../contract/forge/forge.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import { isAgentName } from '../../providers/local/describe.ts';
import { explainMergeProblem, type DecisionsInSvc } from '../../providers/mergeGuard.ts';
import type { WriteLeave } from './writeAccess.ts';
import { listSvcApprovals } from '../reviews/loadJobPullRequest.ts';

/**
 * What people have decided in svc about a pull request: by their reviews, whatever became of them at
 * the forge, and by their approvals. Of two decisions of one person the later counts, and of two at
 * the same time the request for changes.
 */
function collectSvcDecisions(
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

/**
 * Checks an agent's merge right before it is done, and pins it to the commit that was checked. One
 * that is over already is left to the forge, which answers a repeat as it did the first time.
 */
export async function guardAgentMerge(
  forge: Forge,
  rows: Pick<TypedRows<Tables>, 'all'>,
  args: Record<string, unknown>,
): Promise<WriteLeave & { detail: PrDetail }> {
  const pr = await forge.pullRequest(String(args.repo), Number(args.number));
  if (pr.state !== 'open') return { problem: null, args, detail: pr };
  const self = await forge.self();
  const isSelf = (account: string): boolean =>
    forge.capabilities.remote
      ? account.toLowerCase() === self?.toLowerCase()
      : isAgentName(account);
  if (self !== null && !isSelf(pr.author)) {
    return {
      problem: `${pr.prId} was opened by ${pr.author}: an agent merges only what svc has opened. A person can merge it`,
      args,
      detail: pr,
    };
  }
  // Where the forge does not say which account is svc's, it is the one that has opened the pull
  // request.
  const problem = explainMergeProblem(
    pr,
    (account) => isSelf(account) || account.toLowerCase() === pr.author.toLowerCase(),
    collectSvcDecisions(rows, forge, pr),
  );
  return { problem, args: { ...args, head: pr.headCommit }, detail: pr };
}
