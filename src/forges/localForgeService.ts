import type { Send } from '../kernel/contract.ts';
import type { RowChange, KernelUse } from '../contract/records/changes.ts';
import type { Ids } from '../base/system/ids/ids.ts';
import type { ProviderEvent } from '../contract/schema/forge/pr.ts';
import type {
  Forge,
  ForgeActor,
  ForgeChange,
  ForgeOperation,
  ForgeOperations,
  PrStatus,
} from '../contract/forge/forge.ts';
import type { RowReader } from '../contract/records/rowReader.ts';
import type { Runner } from '../contract/runner/runner.ts';
import type { ForgeReasonBody } from '../contract/schema/api/bodies.ts';
import type { RequestKey } from '../contract/job/requestKey.ts';
import { translateKernelErrors } from '../jobs/commands/refusals.ts';
import type { Requests } from '../jobs/commands/requests.ts';

export type LocalForgeRoutes = Pick<
  Runner,
  | 'forgeRepos'
  | 'pullRequests'
  | 'pullRequest'
  | 'pullRequestDiff'
  | 'approvePullRequest'
  | 'commentPullRequest'
  | 'mergePullRequest'
  | 'closePullRequest'
  | 'reopenPullRequest'
>;

/** The name under which a job acts on a forge; its own acts never wake it. */
export const toForgeAuthor = (jobId: string): string => `svc:${jobId}`;

/** The job that owns a pull request; null = it was not opened by one. */
export const findPrOwner = (
  rows: RowReader,
  { forge, repo, number }: { forge: string; repo: string; number: number },
): string | null => rows.all('pr_mappings', { forge, repo, number })[0]?.job_id ?? null;

/**
 * The events of a forge as sends to the jobs that own the pull requests, once per external id. What
 * the job `actor` did just now is not sent to it, since it gets the answer; a merge of its own that
 * is found later is sent.
 */
export const toOwnerSends = (
  rows: RowReader,
  events: readonly ProviderEvent[],
  actor: string | null = null,
): Send[] =>
  events.flatMap((event) => {
    const owner = findPrOwner(rows, event);
    if (owner === null || owner === actor) return [];
    return [
      {
        to: owner,
        event: { type: 'forge.event', event },
        source: `forge:${event.forge}`,
        externalId: event.externalId,
      },
    ];
  });

/** Who acts where the request does not say. */
const DEVELOPER = 'developer';

interface LocalForgeServiceDeps {
  forge: Forge;
  kernel: Pick<KernelUse, 'submit'>;
  rows: RowReader;
  requests: Requests;
  ids: Ids;
  now(): number;
  /** Whether jobs hear of it. */
  tells(event: ProviderEvent): boolean;
}

/**
 * What people do on the local forge. Its rows and the events for the owning jobs are one commit.
 */
export const createLocalForgeService = ({
  forge,
  kernel,
  rows,
  requests,
  ids,
  now,
  tells,
}: LocalForgeServiceDeps): LocalForgeRoutes & { resync(): Promise<number> } => {
  const commit = async (
    change: Pick<ForgeChange, 'events'> & { rows: RowChange[] },
  ): Promise<void> => {
    await translateKernelErrors('', () =>
      kernel.submit({ rows: change.rows, sends: toOwnerSends(rows, change.events.filter(tells)) }),
    );
  };

  const act = <K extends ForgeOperation & ('approve_pr' | 'post_pr_comment' | 'merge_pr')>(
    operation: K,
    args: ForgeOperations[K],
    author: string = DEVELOPER,
    request: RequestKey | undefined,
  ): Promise<PrStatus> => {
    const status = () => forge.pullRequest(args.repo, args.number);
    return requests.runOnce(request, status, async (scope) => {
      // The key is the operation's id as well: a crash between the merge in git and our commit must
      // not merge twice.
      const actor: ForgeActor = {
        author,
        at: now(),
        operationId: request ? `request:${request.key}` : ids.next(),
      };
      const change = await forge.write(operation, args, actor);
      await commit({ ...change, rows: [...change.rows, ...scope.claim('')] });
      return status();
    });
  };

  const setOpen = (
    open: boolean,
    repo: string,
    number: number,
    { author = DEVELOPER, reason = '' }: ForgeReasonBody,
    request: RequestKey | undefined,
  ): Promise<PrStatus> => {
    const status = () => forge.pullRequest(repo, number);
    return requests.runOnce(request, status, async (scope) => {
      if (!forge.setOpen) throw new Error(`the forge ${forge.id} cannot close pull requests`);
      const operationId = request ? `request:${request.key}` : ids.next();
      const actor: ForgeActor = { author, at: now(), operationId };
      const change = await forge.setOpen({ repo, number, open, reason }, actor);
      await commit({ ...change, rows: [...change.rows, ...scope.claim('')] });
      return status();
    });
  };

  return {
    forgeRepos: () => forge.repos(),
    pullRequests: (repo) => forge.pullRequests(repo),
    pullRequest: (repo, number) => forge.pullRequest(repo, number),
    pullRequestDiff: (repo, number) => forge.diff(repo, number),
    approvePullRequest: (repo, number, { author }, { requestKey }) =>
      act('approve_pr', { repo, number }, author, requestKey),
    commentPullRequest: (repo, number, { author, body }, { requestKey }) =>
      act('post_pr_comment', { repo, number, body }, author, requestKey),
    mergePullRequest: (repo, number, { author, ...pinned }, { requestKey }) =>
      act('merge_pr', { repo, number, ...pinned }, author, requestKey),
    closePullRequest: (repo, number, body, { requestKey }) =>
      setOpen(false, repo, number, body, requestKey),
    reopenPullRequest: (repo, number, body, { requestKey }) =>
      setOpen(true, repo, number, body, requestKey),
    /**
     * Commits what happened to pull requests unobserved (a crash in the middle of a merge, a manual
     * merge).
     */
    async resync() {
      const changes = await forge.resync(now());
      for (const change of changes) await commit(change);
      return changes.length;
    },
  };
};
