import { SvcError } from '../../../lib/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge.ts';
import { markOf } from '../../../git/marks.ts';
import { mergedAnswer } from '../../rest/answers.ts';
import { unlikeAnAnswer } from '../../rest/refusal.ts';
import {
  behindReason,
  cannotMerge,
  checkMergeable,
  checkPinned,
  conflictReason,
  DRAFT_REASON,
  protectedReason,
} from '../../rest/merging.ts';
import type { GithubClient } from './client.ts';
import { prIdOf, restMappingOf } from './describe.ts';

type Merge = ForgeOperations['merge_pr'];

const read = async (client: GithubClient, { repo, number }: Merge) => {
  const what = `pull request ${repo}#${number}`;
  return (
    await client.run(what, (octokit) =>
      octokit.rest.pulls.get({ ...client.place(repo), pull_number: number }),
    )
  ).data;
};

/**
 * Merges the reviewed commit, and no other. Throws SvcError `conflict` that says what prevents the
 * merge.
 */
export async function mergePr(
  client: GithubClient,
  args: Merge,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number } = args;
  const before = await read(client, args);
  const pr = restMappingOf(before);
  checkMergeable(pr);
  checkPinned(pr, before.head.sha, args.head);
  const method = client.settings.mergeMethod;
  try {
    const { data } = await client.run(`the merge of ${pr.prId}`, (octokit) =>
      octokit.rest.pulls.merge({
        ...client.place(repo),
        pull_number: number,
        sha: before.head.sha,
        merge_method: method,
        // A rebase makes no commit that could carry a text.
        ...(method === 'rebase'
          ? {}
          : { commit_message: `${pr.title}\n\n${markOf(actor.operationId)}` }),
      }),
    );
    if (Object(data).merged !== true || typeof data.sha !== 'string')
      throw unlikeAnAnswer(client.server, `the merge of ${pr.prId}`);
    // Not read again: for some seconds GitHub may still show it as open.
    const merged = { ...pr, state: 'merged' as const, mergedAt: new Date(actor.at).toISOString() };
    return mergedAnswer(merged, data.sha, await client.self());
  } catch (error) {
    const status = error instanceof SvcError ? error.data.status : undefined;
    if (status !== 405 && status !== 409) throw error;
    throw await inTheWay(client, args, error as SvcError);
  }
}

/** GitHub only says "not mergeable": the reason is in the pull request. */
async function inTheWay(client: GithubClient, args: Merge, refusal: SvcError): Promise<SvcError> {
  const { mergeable_state: state, head, base } = await read(client, args);
  const prId = prIdOf(base.repo.full_name, args.number);
  const reasons: Readonly<Record<string, string>> = {
    dirty: conflictReason(head.ref, base.ref),
    blocked: protectedReason(base.ref),
    behind: behindReason(head.ref, base.ref),
    draft: DRAFT_REASON,
    unstable: 'a check has failed. Fix it first.',
  };
  return cannotMerge(prId, reasons[state] ?? refusal.message, state);
}

/**
 * The merge, if the pull request is merged and the commit carries the mark, or cannot carry one.
 */
export async function findMerge(
  client: GithubClient,
  args: Merge,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const data = await read(client, args);
  const commit = data.merge_commit_sha;
  if (!data.merged || commit === null) return null;
  const by = data.merged_by?.login ?? '';
  const mine = async (): Promise<boolean> => {
    if (client.settings.mergeMethod === 'rebase') return by === (await client.self());
    const what = `commit ${commit}`;
    const { data: made } = await client.run(what, (octokit) =>
      octokit.rest.repos.getCommit({ ...client.place(args.repo), ref: commit }),
    );
    return made.commit.message.includes(markOf(actor.operationId));
  };
  return (await mine()) ? mergedAnswer(restMappingOf(data), commit, by) : null;
}
