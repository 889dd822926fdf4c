import type { Forge, PrDetail } from '../../contract/forge/forge.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../contract/records/typedRows.ts';
import { isAgentName } from '../../providers/local/describe.ts';
import { explainMergeProblem } from '../../providers/mergeGuard.ts';
import { collectSvcDecisions } from './collectSvcDecisions.ts';
import type { WriteLeave } from './writeAccess.ts';

/**
 * Judges an agent's merge right before it is done, and pins it to the commit that was judged. One
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
